import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';

export interface Space {
  readonly freePercent: number;
  readonly freeBytes: number;
}

/** What is free on the file system that a folder lies on; undefined where it does not say. */
export function spaceAt(folder: Bytes): Space | undefined {
  try {
    const { bavail, blocks, bsize } = fs.statfsSync(toBuffer(folder));
    return blocks === 0 ? undefined : { freePercent: (bavail / blocks) * 100, freeBytes: bavail * bsize };
  } catch {
    return undefined; // unknown space switches nothing off: a full disk says so itself
  }
}
