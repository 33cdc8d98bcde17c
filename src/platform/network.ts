import fs from 'node:fs';
import { type Bytes, toBuffer } from './bytes.ts';
import { codeOf, realPath } from './files.ts';
import { mountedAs } from './mounts.ts';
import { dirname } from './paths.ts';

/** File systems over a network, by the number that statfs(2) tells. */
const OVER_NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x5346414f, 'openafs'],
  [0x6b414653, 'afs'],
  [0x00c36400, 'ceph'],
  [0x01021997, '9p'],
  [0x73757245, 'coda'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x20030528, 'orangefs'],
  [0x19830326, 'beegfs'],
]);

const FUSE = 0x65735546;

/** Of those that a program serves (FUSE), the ones that serve a folder or disk of this machine. */
const LOCAL_FUSE =
  /^(?:fuseblk|fuse\.(?:gocryptfs|encfs|cryfs|securefs|ecryptfs|mergerfs|bindfs|unionfs(?:-fuse)?|fuse-overlayfs|ntfs-3g|exfat|lowntfs-3g|zfs-fuse|apfs-fuse|ext2|ext4|snapraid))$/;

/** What is told apart by `type` (statfs(2)); `name` is asked for where that says no more than FUSE: the mount's (`fuse.sshfs`). */
export const isNetworkKind = (type: number, name: () => Bytes | undefined): boolean =>
  type === FUSE ? !LOCAL_FUSE.test(name() ?? '') : OVER_NETWORK.has(type);

/** Whether a folder, or the nearest one above it that is there, lies on a file system that several machines may have at once. */
export function isOverNetwork(folder: Bytes): boolean {
  try {
    return isNetworkKind(fs.statfsSync(toBuffer(folder)).type >>> 0, () => mountedAs(realPath(folder)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return folder === '/' ? false : isOverNetwork(dirname(folder));
    throw error;
  }
}
