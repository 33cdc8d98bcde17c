import fs from 'node:fs';
import { type Bytes, fromBuffer, fromText } from '../platform/bytes.ts';
import { isAbsentError } from '../platform/files.ts';

/** The words after the program's name, as bytes: node decodes argv as UTF-8 with loss, `/proc` does not. */
export function givenWords(): Bytes[] {
  const decoded = process.argv.slice(2);
  if (decoded.every((word) => /^[\x20-\x7e]*$/.test(word))) return decoded;
  try {
    const all = fromBuffer(fs.readFileSync('/proc/self/cmdline')).split('\0').slice(0, -1);
    return all.slice(all.length - decoded.length);
  } catch (error) {
    if (isAbsentError(error)) return decoded.map(fromText);
    throw error;
  }
}
