import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../../platform/bytes.ts';
import { copyWhole } from '../../platform/copy.ts';
import { codeOf, type Look, lookAt, makeFolder, reach, removeTree } from '../../platform/files.ts';
import { isInside, join, relativeTo } from '../../platform/paths.ts';
import type { Source } from '../fast-import.ts';
import { holdsFolder } from '../holds.ts';
import { ownerOf, recordedOwner } from '../owner.ts';
import type { Sources } from '../plan/sources.ts';
import type { Step } from '../plan/steps.ts';
import type { World } from '../plan/world.ts';
import type { Change, Content, Owner, Version } from '../record.ts';
import type { Store } from '../store.ts';
import { oidOf } from '../version.ts';

/** What a restore must know before it may change a path: how the path is now, kept so that it can be put back. */
export interface Saved {
  readonly changes: readonly Change[];
  readonly contents: ReadonlyMap<string, Source>;
  /** Files that cannot be kept: a restore over them is refused. */
  readonly unsaved: readonly { readonly path: Bytes; readonly reason: string }[];
  /** Folder of held files that belong to no record yet; removed when the restore does not take place. */
  readonly holds: Bytes | undefined;
}

export interface SaveOptions {
  readonly store: Store;
  readonly key: string;
  readonly root: Bytes;
  readonly order: number;
  /** Larger files stay files (`max_file_size_mb`), in bytes. */
  readonly largestBlob: number;
  readonly world: World;
  readonly sources: Sources;
}

/** Puts aside what these steps will change. Nothing of the project is touched. */
export function savePresent(steps: readonly Step[], options: SaveOptions): Saved {
  const changes: Change[] = [];
  const contents = new Map<string, Source>();
  const unsaved: { path: Bytes; reason: string }[] = [];
  let held = 0;
  const folder = join(holdsFolder(options.store, options.key), `s${options.order}`);
  const { world, root } = options;
  const short = (path: Bytes): Bytes => (isInside(path, root) ? relativeTo(root, path) : path);

  const fileVersion = (step: Step, path: Bytes, look: Look, moves: boolean): Version => {
    const base = { kind: 'file' as const, mode: look.mode, ...own(step, look), size: look.size, mtime: look.mtime };
    const names = look.nlink > 1 ? { ino: look.ino, names: look.nlink } : {};
    if (look.size <= options.largestBlob) {
      const oid = world.oid(path);
      // Decided for what it was then: what somebody writes this very moment is neither saved half nor overwritten.
      const now = lookAt(path);
      if (now?.size !== look.size || now.mtime !== look.mtime || now.ino !== look.ino)
        throw Object.assign(new Error('something else writes it right now'), { code: 'unreadable' });
      if (oid === undefined) throw Object.assign(new Error('it cannot be read'), { code: 'unreadable' });
      if (moves) return { ...base, ...names, content: { at: 'hash', oid } };
      contents.set(oid, { path });
      return { ...base, ...names, content: { at: 'git', oid } };
    }
    // The inode stays: what is only renamed or given another mode needs no copy.
    if (moves || step.do === 'mode')
      return { ...base, ...names, content: { at: 'nowhere', ino: look.ino, why: 'it was only moved' } };
    makeFolder(folder);
    const hold = join(folder, String(held++));
    // Another name of it can be written through at any time: only a copy stays what it is.
    const linked = putAside(path, hold, look.nlink > 1 || (step.do === 'file' && step.inPlace));
    const seal = linked ? { seal: { mtime: look.mtime, ino: look.ino } } : {};
    return { ...base, ...names, content: { at: 'hold', path: hold, linked, ...seal } };
  };

  const present = (step: Step, path: Bytes, look: Look | undefined, moves: boolean): Version => {
    if (look === undefined) return { kind: 'absent' };
    if (look.type === 'file') return fileVersion(step, path, look, moves);
    if (look.type === 'link') return { kind: 'link', target: world.link(path) ?? '', ...own(step, look) };
    if (look.type === 'folder') return { kind: 'folder', mode: look.mode, ...own(step, look) };
    if (look.type !== 'fifo') throw Object.assign(new Error(`a ${look.type} cannot be saved`), { code: 'unreadable' });
    return { kind: 'special', mode: look.mode, what: 'fifo', ...own(step, look) };
  };

  const steppedOn = new Map(steps.map((step) => [step.path, step]));
  const movedAway = new Map(steps.flatMap((step) => (step.do === 'move' ? [[step.from, step] as const] : [])));
  for (const step of steps) {
    try {
      const away = movedAway.get(step.path);
      const before = present(step, step.path, step.seen, away !== undefined);
      const origin = step.do === 'move' ? present(step, step.from, step.fromSeen, true) : undefined;
      changes.push({
        path: short(step.path),
        before,
        after: afterOf(step, before, origin, options.sources),
        by: 'named',
        ...(away === undefined ? {} : { movedTo: short(away.path) }),
      });
      if (step.do === 'move' && !steppedOn.has(step.from) && origin)
        changes.push({
          path: short(step.from),
          before: origin,
          after: { kind: 'absent' },
          by: 'named',
          movedTo: short(step.path),
        });
    } catch (error) {
      if (codeOf(error) === 'ENOSPC') {
        removeTree(folder);
        throw error;
      }
      unsaved.push({ path: step.path, reason: error instanceof Error ? error.message : toText(step.path) });
    }
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { changes, contents, unsaved, holds: held > 0 ? folder : undefined };
}

/** A restore that gives a path another owner keeps the one it had. */
const own = ({ becomes }: Step, look: Look) => ownerOf(look, recordedOwner(becomes) !== undefined);

const ownerIn = ({ owner }: Version & { readonly kind: 'file' }): { readonly owner?: Owner } =>
  owner === undefined ? {} : { owner };

/** By link where the restore takes the name away and leaves the bytes; else by copy. Returns whether it is a link. */
function putAside(path: Bytes, hold: Bytes, byCopy: boolean): boolean {
  if (!byCopy) {
    try {
      reach(path, (at) => fs.linkSync(at, toBuffer(hold)));
      return true;
    } catch (error) {
      if (!['EXDEV', 'EPERM', 'EMLINK', 'EACCES'].includes(codeOf(error))) throw error;
    }
  }
  copyWhole(toBuffer(path), toBuffer(hold));
  return false;
}

/** What the step makes of it, told so that it can be recognised later without the record that it came from. */
function afterOf(step: Step, before: Version, origin: Version | undefined, sources: Sources): Version {
  const { becomes } = step;
  if (becomes.kind !== 'file') return becomes;
  const { ino: _, names: __, ...plain } = becomes;
  if (step.do === 'move') return origin?.kind === 'file' ? { ...plain, content: origin.content } : plain;
  if (step.do === 'mode')
    return before.kind === 'file' ? { ...before, ...ownerIn(becomes), mode: becomes.mode } : plain;
  const kept: Content = recognisable(becomes.content, sources);
  const place = step.do === 'file' && step.inPlace && before.kind === 'file' && before.ino !== undefined;
  return { ...plain, content: kept, ...(place && before.kind === 'file' && before.ino ? { ino: before.ino } : {}) };
}

function recognisable(content: Content, sources: Sources): Content {
  if (content.at !== 'hold') return content;
  const oid = oidOf(content) ?? sources.holdOid(content);
  return oid === undefined ? { at: 'nowhere', why: 'held by another checkpoint' } : { at: 'hash', oid };
}
