import { type Bytes, fromBuffer } from './bytes.ts';
import { makeFolder, readBytesIfAny, writeAtomic } from './files.ts';
import { dirname } from './paths.ts';

/**
 * Small JSON files that belay leaves for itself, `{"v":1,…}`. Their paths are bytes, one character each, so the file is latin1. What
 * is not there, not whole, or of another version is nothing; a file that cannot be read throws.
 */
export function writeNote(file: Bytes, note: { readonly v: 1 }): void {
  makeFolder(dirname(file));
  writeAtomic(file, Buffer.from(JSON.stringify(note), 'latin1'));
}

/** `texts`: keys without which it is not whole. */
export function readNote<T extends { readonly v: 1 }>(
  file: Bytes,
  texts: readonly (keyof T & string)[],
): T | undefined {
  const bytes = readBytesIfAny(file);
  if (bytes === undefined) return undefined;
  try {
    const note = JSON.parse(fromBuffer(bytes)) as T | null;
    return note?.v === 1 && texts.every((key) => typeof note[key] === 'string') ? note : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
