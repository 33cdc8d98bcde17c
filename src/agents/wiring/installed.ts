import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { type Bytes, fromBuffer, fromText, toBuffer, toText } from '../../platform/bytes.ts';
import {
  codeOf,
  lookThrough,
  makeFolder,
  namesInOrNone,
  readBytesIfAny,
  realAsFar,
  removeFile,
  rewriteFile,
  writeAtomic,
} from '../../platform/files.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import { jsonHooks } from './json-hooks.ts';
import { type HookFormat, OWN_MARK, type Piece, type Place, type Wiring } from './wiring.ts';
import { yamlHooks } from './yaml-hooks.ts';

/** What becomes, or would become, of one file. Undefined: it is not there. */
export interface Edit {
  readonly file: Bytes;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A file that cannot be merged with: nothing is touched then. */
export class CannotMerge extends Error {}

const formatOf = (piece: Piece): HookFormat => (piece.kind === 'yaml' ? yamlHooks : jsonHooks);

/** What an install changes, worked out before anything is. */
export function editsToInstall(wiring: Wiring, pieces: readonly Piece[]): Edit[] {
  return pieces.map((piece) => {
    const file = realAsFar(piece.file);
    const before = textOf(file);
    if (piece.kind !== 'own')
      return { file, before, after: merging(file, () => formatOf(piece).withHooks(before, piece, wiring.name)) };
    if (before !== undefined && !before.includes(OWN_MARK)) return { file, before, after: before }; // the user's own: it stays
    return { file, before, after: piece.text };
  });
}

/** What a removal changes: a file that is still as the install left it becomes what it was before, to the byte. */
export function editsToRemove(wiring: Wiring, pieces: readonly Piece[], record: InstallRecord | undefined): Edit[] {
  return pieces.map((piece) => {
    const file = realAsFar(piece.file);
    const before = textOf(file);
    const known = record?.files.find((one) => one.file === file);
    if (before === undefined) return { file, before, after: before };
    if (known !== undefined && known.after === digest(before))
      return { file, before, after: known.backup === undefined ? undefined : textOf(known.backup) };
    if (piece.kind === 'own') return { file, before, after: before.includes(OWN_MARK) ? undefined : before };
    return { file, before, after: merging(file, () => formatOf(piece).withoutHooks(before, wiring.name)) };
  });
}

/** How much of an agent's wiring is in place. */
export function eventsInPlace(wiring: Wiring, piece: Piece): { readonly have: number; readonly of: number } {
  const text = textOf(realAsFar(piece.file));
  if (piece.kind === 'own') return { have: text?.includes(OWN_MARK) ? 1 : 0, of: 1 };
  const wanted = Object.keys(piece.events);
  const found = text === undefined ? [] : merging(piece.file, () => formatOf(piece).eventsWithHook(text, wiring.name));
  return { have: wanted.filter((event) => found.includes(event)).length, of: wanted.length };
}

function merging<T>(file: Bytes, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CannotMerge(`${toText(file)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `agents/<agent>[-<project>].json` below the home: what an install did, so that a removal can be exact. */
export interface InstallRecord {
  readonly v: 1;
  readonly files: readonly { readonly file: Bytes; readonly backup?: Bytes; readonly after: string }[];
  /** The project it was for; absent: the user, everywhere. */
  readonly project?: Bytes;
  /** Folders that the install made, deepest last. */
  readonly made: readonly Bytes[];
}

const recordName = (wiring: Wiring, place: Place): Bytes =>
  place.project === undefined ? wiring.name : `${wiring.name}-${digest(toText(place.project)).slice(0, 16)}`;

const recordFile = (home: Bytes, wiring: Wiring, place: Place): Bytes =>
  join(home, `agents/${recordName(wiring, place)}.json`);

/** Every install that was not taken out again: of which agent, and what it did. */
export function installs(home: Bytes): { readonly agent: string; readonly record: InstallRecord }[] {
  const folder = join(home, 'agents');
  return namesInOrNone(folder).flatMap((name) => {
    const agent = /^([a-z]+)(?:-[0-9a-f]{16})?\.json$/.exec(name)?.[1];
    const text = agent === undefined ? undefined : readBytesIfAny(join(folder, name))?.toString('utf8');
    return agent === undefined || text === undefined ? [] : [{ agent, record: JSON.parse(text) as InstallRecord }];
  });
}

export function readRecord(home: Bytes, wiring: Wiring, place: Place): InstallRecord | undefined {
  const text = readBytesIfAny(recordFile(home, wiring, place))?.toString('utf8');
  return text === undefined ? undefined : (JSON.parse(text) as InstallRecord);
}

/** Backs up, writes, and keeps what was done. Returns the backups that it made. */
export function install(home: Bytes, wiring: Wiring, place: Place, edits: readonly Edit[]): Bytes[] {
  const earlier = readRecord(home, wiring, place);
  const backups: Bytes[] = [];
  const made: Bytes[] = [...(earlier?.made ?? [])];
  const files = edits.flatMap((edit): InstallRecord['files'] => {
    const known = earlier?.files.find(({ file }) => file === edit.file);
    if (edit.after === undefined || edit.after === edit.before) return known === undefined ? [] : [known];
    const untouched = known !== undefined && edit.before !== undefined && known.after === digest(edit.before);
    const backup = untouched ? known.backup : backUp(home, wiring, place, edit);
    if (backup !== undefined && backup !== known?.backup) backups.push(backup);
    made.push(...makeFolders(dirname(edit.file)));
    rewriteFile(edit.file, edit.after);
    return [{ file: edit.file, after: digest(edit.after), ...(backup === undefined ? {} : { backup }) }];
  });
  const { project } = place;
  const record: InstallRecord = { v: 1, files, made, ...(project === undefined ? {} : { project }) };
  makeFolder(join(home, 'agents'));
  writeAtomic(recordFile(home, wiring, place), JSON.stringify(record));
  return backups;
}

export function remove(home: Bytes, wiring: Wiring, place: Place, edits: readonly Edit[]): void {
  const record = readRecord(home, wiring, place);
  for (const { file, before, after } of edits) {
    if (after === before) continue;
    if (after === undefined) removeFile(file);
    else rewriteFile(file, after);
  }
  for (const folder of [...(record?.made ?? [])].reverse()) removeIfEmpty(folder);
  removeFile(recordFile(home, wiring, place));
}

function backUp(home: Bytes, wiring: Wiring, place: Place, edit: Edit): Bytes | undefined {
  if (edit.before === undefined) return undefined;
  const folder = join(home, 'agents/backups');
  makeFolder(folder);
  const time = new Date()
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14);
  const file = join(folder, `${recordName(wiring, place)}-${time}-${basename(edit.file)}`);
  writeAtomic(file, toBuffer(fromText(edit.before)));
  return file;
}

function makeFolders(folder: Bytes): Bytes[] {
  const made: Bytes[] = [];
  for (let above = folder; above !== '/' && lookThrough(above) === undefined; above = dirname(above))
    made.unshift(above);
  fs.mkdirSync(toBuffer(folder), { recursive: true });
  return made;
}

function removeIfEmpty(folder: Bytes): void {
  try {
    fs.rmdirSync(toBuffer(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** UTF-8 as it stands, or nothing: bytes that are no text must not be written back as others. */
function textOf(file: Bytes): string | undefined {
  const bytes = readBytesIfAny(file);
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  if (fromText(text) !== fromBuffer(bytes)) throw new CannotMerge(`${toText(file)}: it is not UTF-8`);
  return text;
}
