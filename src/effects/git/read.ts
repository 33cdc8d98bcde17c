import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { codeOf, isAbsentError } from '../../platform/files.ts';

/**
 * A file of a repository that may be anybody's: a fifo would never end, a device never stop, a sparse file fill the memory. Undefined
 * where it is no regular file of at most `limit` bytes, or may not be read: git stops there, too.
 */
export function readRegular(path: Bytes, limit: number): Buffer | undefined {
  const name = toBuffer(path);
  try {
    const fd = fs.openSync(name, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const stat = fs.fstatSync(fd);
      return stat.isFile() && stat.size <= limit ? fs.readFileSync(fd) : undefined;
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (isAbsentError(error) || ['EISDIR', 'EACCES', 'EPERM', 'ENXIO'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** HEAD, refs, configuration, lists, patches. */
const TEXT = 64 << 20;

export function readText(path: Bytes, limit = TEXT): Bytes | undefined {
  const data = readRegular(path, limit);
  return data === undefined ? undefined : fromBuffer(data);
}
