import { createHash } from 'node:crypto';
import type { CaptureRecord, LeftOut, Owner } from '../../checkpoint/record.ts';
import type { Bytes } from '../../platform/bytes.ts';
import type { Config } from '../../platform/config.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Taken } from './trees.ts';

/** What is said of a capture beside its trees. */
export interface Told {
  readonly root: Bytes;
  readonly config: Config;
  readonly generation: number;
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly taken: number;
  /** Whose the project's folder is. */
  readonly owner: Owner;
  readonly trees: readonly Taken[];
  readonly notCaptured: readonly Bytes[];
  /** The exclude lists that were in force beside the ignore files. */
  readonly exclude: Bytes;
}

/** A capture's record, its number still to be given. */
export function recordOf(told: Told): CaptureRecord {
  const { root, generation, order, taken, owner, trees, notCaptured } = told;
  const modes: [Bytes, number][] = [];
  const emptyFolders: [Bytes, number][] = [];
  const owners: [Bytes, number, number][] = [];
  const leftOut: LeftOut[] = [];
  for (const { at, kept, scan } of trees) {
    const full = (path: Bytes): Bytes => (at === '' ? path : path === '' ? at : `${at}/${path}`);
    for (const [path, mode] of kept.modes) modes.push([full(path), mode]);
    for (const [path, uid, gid] of kept.owners) owners.push([full(path), uid, gid]);
    for (const [path, folder] of scan.folders) {
      if (folder.owner !== undefined && full(path) !== '') owners.push([full(path), ...folder.owner]);
      if (folder.empty) emptyFolders.push([full(path), folder.mode]);
      else if (folder.mode !== 0o755 && full(path) !== '') modes.push([full(path), folder.mode]);
    }
    for (const left of [...scan.leftOut, ...scan.unsearched])
      leftOut.push({ path: full(left.path), reason: left.reason });
  }
  return {
    v: 1,
    m: 0,
    generation,
    root,
    order,
    taken,
    modes,
    emptyFolders: emptyFolders.filter(([path]) => path !== ''),
    owner,
    owners,
    leftOut,
    nested: [
      ...trees.filter(({ at }) => at !== '').map(({ at }) => ({ path: at, captured: true })),
      ...notCaptured.map((path) => ({ path, captured: false })),
    ],
    ignores: ignoresOf(told),
  };
}

/** An ignore file larger than this is no reason to keep a second copy of it; then nothing is proved absent. */
const LARGEST = 64 * 1024;

/** What it takes to tell later that a path was not there: only what was not ignored is proved absent by being absent. */
function ignoresOf({ root, config, trees, exclude }: Told): NonNullable<CaptureRecord['ignores']> {
  const files: [Bytes, Bytes][] = [];
  const unsure: Bytes[] = [];
  let whole = true;
  for (const { at, scan } of trees) {
    const full = (path: Bytes): Bytes => (at === '' ? path : path === '' ? at : `${at}/${path}`);
    for (const folder of scan.hiddenIgnores) {
      const text = readBytesIfAny(join(join(root, full(folder)), '.gitignore'))?.toString('latin1') ?? '';
      files.push([full(folder), text.length > LARGEST ? '*' : text]);
    }
    unsure.push(...scan.unsure.map(full));
    whole &&= scan.preciousWhole;
  }
  const { precious, hold } = config.checkpoints;
  return { exclude, files, ...(whole ? { precious: { names: precious, skip: hold.skip, unsure } } : {}) };
}

/** Tells one state of everything beside the trees from another. */
export const metaHash = ({
  modes,
  emptyFolders,
  owner,
  owners,
  leftOut,
  nested,
  generation,
  ignores,
}: CaptureRecord): string =>
  createHash('sha1')
    .update(JSON.stringify([modes, emptyFolders, owner, owners, leftOut, nested, generation, ignores]))
    .digest('hex');
