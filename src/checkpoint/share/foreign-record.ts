import type { Bytes } from '../../platform/bytes.ts';
import { isAbsolute, normalize } from '../../platform/paths.ts';
import { isStrayName } from '../read.ts';
import type { CaptureRecord, Change, LeftOut, Origin, Version } from '../record.ts';
import type { Draft } from '../write.ts';

/**
 * Records from elsewhere, written down anew field by field: what has another form than ours, leads out of the project, or means
 * something only on the machine it comes from is not taken over. Throws a `Refused` where the whole cannot be used.
 */
export class Refused extends Error {}

type Data = Readonly<Record<string, unknown>>;

const MOST_CHANGES = 200_000;
const LONGEST_TEXT = 1 << 20;

/** Everything of a portable checkpoint but its trees. */
export interface ForeignRecord {
  readonly draft: Draft;
  readonly origin: Omit<Origin, 'imported'>;
  readonly state: Omit<CaptureRecord, 'm' | 'generation' | 'root'> | undefined;
  /** Contents that it names. */
  readonly oids: ReadonlySet<string>;
}

export function readForeign(data: unknown): ForeignRecord {
  const given = table(data, 'the record');
  if (given['belay'] !== 'portable' || given['v'] !== 1)
    throw new Refused('it is no checkpoint of belay, or of a later version');
  const record = table(given['record'], 'the record');
  const kind = record['kind'];
  if (kind !== 'turn' && kind !== 'manual' && kind !== 'safety') throw new Refused('its kind is unknown');
  const oids = new Set<string>();
  const leftOut = leftOutOf(record['leftOut']);
  const changes = list(record['changes'], MOST_CHANGES).flatMap((one) =>
    changeOf(table(one, 'a change'), oids, leftOut),
  );
  const label = record['label'];
  const asOf = record['asOf'];
  const draft: Data = {
    // A restore there is nothing that can be redone here.
    kind: kind === 'manual' ? 'manual' : 'turn',
    scope: record['scope'] === 'full' ? 'full' : 'targets',
    session: word(record['session'], 'session'),
    turn: word(record['turn'], 'turn'),
    order: place(record['order']),
    started: moment(record['started'], 'started'),
    ended: moment(record['ended'], 'ended'),
    line: text(record['line']),
    verbs: list(record['verbs'], 1000).map(text),
    cwd: text(record['cwd']),
    shell: text(record['shell']),
    source: text(record['source']),
    changes,
    leftOut,
    nested: pathsOf(record['nested']),
    gitBefore: [],
    gitAfter: [],
    ...(typeof label === 'string' ? { label: text(label) } : {}),
    ...(asOf === undefined ? {} : { asOf: moment(asOf, 'asOf') }),
    ...(record['hidden'] === true && kind !== 'manual' ? { hidden: true } : {}),
  };
  const state = given['state'];
  return {
    draft: draft as unknown as Draft,
    origin: originOf(table(given['origin'], 'the origin')),
    state: state === undefined ? undefined : stateOf(table(state, 'the state')),
    oids,
  };
}

function originOf(data: Data): Omit<Origin, 'imported'> {
  const { key, from } = data;
  if (typeof key !== 'string' || !/^[0-9a-f]{16}$/.test(key)) throw new Refused('it does not say where it comes from');
  return {
    key,
    n: count(data['n'], 'n'),
    root: text(data['root']).slice(0, 4096),
    host: text(data['host']).slice(0, 255),
    from: from === 'hermes' || from === 'legacy' ? from : 'belay',
  };
}

function stateOf(data: Data): Omit<CaptureRecord, 'm' | 'generation' | 'root'> {
  const ignores = data['ignores'] === undefined ? undefined : table(data['ignores'], 'ignores');
  return {
    v: 1,
    order: typeof data['order'] === 'number' && Number.isFinite(data['order']) ? data['order'] : 0,
    taken: moment(data['taken'], 'taken'),
    modes: modesOf(data['modes']),
    emptyFolders: modesOf(data['emptyFolders']),
    leftOut: leftOutOf(data['leftOut']),
    nested: list(data['nested'], MOST_CHANGES).flatMap((one) => {
      const nested = table(one, 'a nested repository');
      const path = nested['path'];
      return isPlain(path) ? [{ path, captured: nested['captured'] === true }] : [];
    }),
    ...(ignores === undefined
      ? {}
      : {
          ignores: {
            exclude: text(ignores['exclude']),
            files: pairs(ignores['files']).flatMap(([path, said]): [Bytes, Bytes][] =>
              (path === '' || isPlain(path)) && typeof said === 'string' ? [[path, said]] : [],
            ),
          },
        }),
  };
}

function changeOf(data: Data, oids: Set<string>, leftOut: LeftOut[]): Change[] {
  const { path, movedTo, later } = data;
  if (typeof path !== 'string') throw new Refused('a change has no path');
  const given: Bytes = path;
  if (!isPlain(path)) {
    leftOut.push({ path: given.slice(0, 4096), reason: 'it lies outside the project, or in a .git: not taken over' });
    return [];
  }
  const version = (one: unknown): Version => versionOf(table(one, 'a version'), oids);
  const before = version(data['before']);
  // The project's own folder: nothing that comes from elsewhere takes it away, puts something else there or shuts it.
  if (path === '.' && (before.kind !== 'folder' || (before.mode & 0o700) !== 0o700)) {
    leftOut.push({ path, reason: 'it is the project itself: not taken over' });
    return [];
  }
  return [
    {
      path,
      before,
      after: version(data['after']),
      by: 'named',
      ...(data['uncertain'] === true ? { uncertain: true } : {}),
      ...(later === undefined ? {} : { later: list(later, 1000).map(version) }),
      ...(isPlain(movedTo) ? { movedTo } : {}),
    },
  ];
}

function versionOf(data: Data, oids: Set<string>): Version {
  switch (data['kind']) {
    case 'absent':
      return { kind: 'absent' };
    case 'link':
      return { kind: 'link', target: text(data['target']).replace(/\0.*$/s, '') };
    case 'folder':
      return { kind: 'folder', mode: bits(data['mode']) };
    case 'special':
      return data['what'] === 'fifo'
        ? { kind: 'special', mode: bits(data['mode']), what: 'fifo' }
        : { kind: 'unknown', why: 'a socket or a device: not taken over' };
    case 'file': {
      const content = table(data['content'], 'a content');
      const mtime = data['mtime'];
      const { at, oid } = content;
      const name = typeof oid === 'string' && /^[0-9a-f]{40}$/.test(oid) ? oid : undefined;
      if (at === 'git' && name !== undefined) oids.add(name);
      return {
        kind: 'file',
        mode: bits(data['mode']),
        size: count(data['size'], 'a size'),
        ...(typeof mtime === 'string' && /^\d{1,20}$/.test(mtime) ? { mtime } : {}),
        content:
          name === undefined
            ? { at: 'nowhere', why: 'its content was not exported' }
            : { at: at === 'git' ? 'git' : 'hash', oid: name },
      };
    }
    default:
      return { kind: 'unknown', why: 'nobody there knew what it was' };
  }
}

/** A path inside the project, in plain form, in no `.git`; `.` is the project itself. */
export const isPlain = (path: unknown): path is Bytes =>
  typeof path === 'string' &&
  path.length < 4096 &&
  (path === '.' || (!isAbsolute(path) && normalize(path) === path && !path.split('/').some(isStrayName)));

function leftOutOf(data: unknown): LeftOut[] {
  return list(data ?? [], MOST_CHANGES).flatMap((one) => {
    const left = table(one, 'what was left out');
    const path = left['path'];
    return path === '' || isPlain(path) ? [{ path: path as Bytes, reason: text(left['reason']).slice(0, 1000) }] : [];
  });
}

const modesOf = (data: unknown): [Bytes, number][] =>
  pairs(data).flatMap(([path, mode]): [Bytes, number][] => (isPlain(path) ? [[path, bits(mode)]] : []));

const pairs = (data: unknown): (readonly [unknown, unknown])[] =>
  list(data ?? [], MOST_CHANGES).flatMap((one) => (Array.isArray(one) ? [[one[0], one[1]] as const] : []));

const pathsOf = (data: unknown): Bytes[] => list(data ?? [], MOST_CHANGES).filter(isPlain);

function table(data: unknown, what: string): Data {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Refused(`${what} is not one`);
  return data as Data;
}

function list(data: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(data)) throw new Refused('a list is missing in it');
  if (data.length > most) throw new Refused(`a list in it has more than ${most} entries`);
  return data;
}

/** Bytes: one character each. */
function text(data: unknown): Bytes {
  if (data === undefined) return '';
  if (typeof data !== 'string' || data.length > LONGEST_TEXT) throw new Refused('a text in it is none, or too long');
  return data;
}

function word(data: unknown, what: string): string {
  if (typeof data !== 'string' || !/^[\w.:~@=+-]{1,200}$/.test(data)) throw new Refused(`its ${what} is no name`);
  return data;
}

function count(data: unknown, what: string): number {
  if (!Number.isSafeInteger(data) || (data as number) < 0 || (data as number) > 8.64e15)
    throw new Refused(`${what} is out of range`);
  return data as number;
}

/** Milliseconds since 1970: a shell tells parts of one, too. */
function moment(data: unknown, what: string): number {
  if (typeof data !== 'number' || !(data >= 0 && data <= 8.64e15)) throw new Refused(`${what} is out of range`);
  return data;
}

/** Among turns; what was put between two others has half a step. */
function place(data: unknown): number {
  if (typeof data !== 'number' || !(data >= 0 && data <= 1e15)) throw new Refused('order is out of range');
  return data;
}

/** Nothing from elsewhere becomes a program that runs as its owner. */
const bits = (data: unknown): number => (Number.isSafeInteger(data) ? (data as number) & 0o1777 : 0o600);
