import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../../platform/bytes.ts';
import { codeOf, lookAt, lookThrough, realPath } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { findStore, StoreError } from '../store.ts';

/** Why the store as a whole cannot be used, before anything in it is looked at; undefined where it can. */
export function storeTrouble(home: Bytes): string | undefined {
  try {
    findStore(home);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store_broken') return error.message;
    throw error;
  }
}

/** A store that is a link becomes the folder that the link leads to. Returns what was done. */
export function replaceLink(home: Bytes): string[] {
  const gitDir = join(join(home, 'checkpoints'), 'store');
  if (lookAt(gitDir)?.type !== 'link') return [];
  const aside = `${gitDir}.link-${process.pid}`;
  const look = lookThrough(gitDir);
  if (look?.type !== 'folder' || look.uid !== process.getuid?.())
    throw new StoreError('store_broken', `${toText(gitDir)} is a link to no folder of yours: remove it`);
  const folder = realPath(gitDir);
  fs.renameSync(toBuffer(gitDir), toBuffer(aside));
  try {
    fs.renameSync(toBuffer(folder), toBuffer(gitDir));
  } catch (error) {
    fs.renameSync(toBuffer(aside), toBuffer(gitDir));
    if (codeOf(error) !== 'EXDEV') throw error;
    const text = `${toText(gitDir)} is a link into another file system: copy ${toText(folder)} into its place, or make its whole BELAY_HOME a link`;
    throw new StoreError('store_broken', text);
  }
  fs.unlinkSync(toBuffer(aside));
  return [`${toText(gitDir)} was a link: ${toText(folder)} was moved into its place`];
}
