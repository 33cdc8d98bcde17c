import fs from 'node:fs';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, fromText, toBuffer } from '../../platform/bytes.ts';
import { type Config, projectExcludes } from '../../platform/config.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { excludeListOf } from '../repository.ts';
import { indexPath } from './kept.ts';

/** The repository's own exclude list, the user's and the project's, as one text; empty where they say nothing. */
export async function excludesOf(root: Bytes, config: Config): Promise<Bytes> {
  const own = readBytesIfAny(excludeListOf(root))?.toString('latin1') ?? '';
  const more = [...config.checkpoints.exclude, ...(await projectExcludes(root))].map(fromText);
  const lines = [...own.split('\n'), ...more].filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => `${line}\n`).join('');
}

/** The same in a file of this capture, for git; undefined where there is nothing to say. */
export function writeExcludes(store: Store, key: string, text: Bytes): Bytes | undefined {
  if (text === '') return undefined;
  const file = `${indexPath(store, key, 'exclude')}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.mkdirSync(toBuffer(dirname(file)), { recursive: true, mode: 0o700 });
  fs.writeFileSync(toBuffer(file), toBuffer(text), { mode: 0o600 });
  return file;
}
