import fs from 'node:fs';
import { type Bytes, fromBuffer } from '../platform/bytes.ts';
import { realAsFar } from '../platform/files.ts';
import { workingFolder } from '../platform/home.ts';
import type { Line, ShellName } from '../shell/types.ts';
import { newSessionId } from '../turns/ids.ts';
import type { TurnIdentity } from '../turns/types.ts';

/** What a shim hands over on stdin: fields `key=value`, each ended by a NUL byte, so that lines and names of any bytes pass. */
export interface Request {
  readonly identity: TurnIdentity;
  readonly line: Line;
  readonly interactive: boolean;
  /** The text that the turn consists of, not one within it. */
  readonly begins: boolean;
  /** By a PATH wrapper: more of its kind will come in this turn. */
  readonly wrapper: boolean;
  /** The session's record is to have the line, and the shell has not written it. */
  readonly record: boolean;
  readonly tty: Bytes | undefined;
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish', 'sh']);

export function readRequest(env: ReadonlyMap<Bytes, Bytes>, verb: Bytes | undefined): Request {
  return parseRequest(fromBuffer(fs.readFileSync(0)), env, verb);
}

/** `verb`: of a PATH wrapper, which hands over its arguments instead of a line. */
export function parseRequest(bytes: Bytes, env: ReadonlyMap<Bytes, Bytes>, verb?: Bytes): Request {
  const fields = new Map<string, Bytes[]>();
  for (const field of bytes.split('\0')) {
    const at = field.indexOf('=');
    if (at < 0) continue;
    const key = field.slice(0, at);
    const values = fields.get(key);
    if (values === undefined) fields.set(key, [field.slice(at + 1)]);
    else values.push(field.slice(at + 1));
  }
  const one = (key: string): Bytes | undefined => fields.get(key)?.[0];
  const pairs = (key: string): Map<Bytes, Bytes> => new Map((fields.get(key) ?? []).map(splitPair));
  const cwd = folderOf(one('cwd'));
  const given = one('shell') ?? (verb === undefined ? 'bash' : 'sh');
  const shell: ShellName = SHELLS.has(given) ? (given as ShellName) : 'sh';
  const line = one('line');
  if (verb === undefined && line === undefined) throw new Error('the shell handed over no line');
  const text = verb === undefined ? (line ?? '') : [verb, ...(fields.get('arg') ?? [])].map(quote).join(' ');
  const pid = Number(one('pid'));
  const stack = one('stack');
  const positional = fields.get('positional');
  const arrays = arraysOf(fields.get('arr') ?? []);
  return {
    identity: {
      session: one('session') || newSessionId(new Date()),
      turn: one('turn') || '1',
      source: one('source') ?? 'cli',
      shell,
      cwd: cwd ?? '/',
      // zsh hands over the text with aliases expanded; a person knows the line as it was typed.
      line: one('typed') ?? text,
      hidden: one('hidden') === '1',
      ...parentOf(env, one('session')),
      ...(Number.isSafeInteger(pid) && pid > 1 ? { pid } : {}),
    },
    line: {
      text,
      shell,
      cwd,
      variables: new Map([...env, ...pairs('var')]),
      ...(arrays.size > 0 ? { arrays } : {}),
      references: pairs('ref'),
      attributes: pairs('attr'),
      aliases: pairs('alias'),
      functions: withoutOurs(pairs('func')),
      hashed: pairs('hash'),
      options: new Set((one('options') ?? '').split(/\s+/).filter((name) => name !== '')),
      ...(stack === undefined ? {} : { stack: stack.split('\n') }),
      ...(positional === undefined ? {} : { positional }),
      ...(one('arguments') === 'unknown' ? { unknownArguments: true } : {}),
      ...(one('wrapper') === '1' ? { called: true } : {}),
    },
    interactive: one('interactive') === '1',
    begins: one('begins') === '1',
    wrapper: one('wrapper') === '1',
    record: one('record') === '1',
    tty: one('tty'),
  };
}

/** The shells' function `belay` does what the program does. */
function withoutOurs(functions: Map<Bytes, Bytes>): Map<Bytes, Bytes> {
  functions.delete('belay');
  return functions;
}

/** `BELAY_PARENT` is `<session>:<the one it was started from>`: inherited by a shell with a session of its own, it says nothing. */
function parentOf(env: ReadonlyMap<Bytes, Bytes>, session: Bytes | undefined): { readonly parent?: string } {
  const [child, parent] = (env.get('BELAY_PARENT') ?? '').split(':');
  return session !== undefined && child === session && parent !== undefined && parent !== '' ? { parent } : {};
}

/** Its links followed: what a shell calls its folder is one way there. */
function folderOf(given: Bytes | undefined): Bytes | undefined {
  const path = given?.startsWith('/') ? given : workingFolder();
  return path === undefined ? undefined : realAsFar(path);
}

const splitPair = (pair: Bytes): [Bytes, Bytes] => {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
};

/** `NAME[KEY]=value`. */
function arraysOf(fields: readonly Bytes[]): Map<Bytes, Map<Bytes, Bytes>> {
  const out = new Map<Bytes, Map<Bytes, Bytes>>();
  for (const field of fields) {
    const [, name, key, value] = /^([^[=]+)\[([^\]]*)\]=(.*)$/s.exec(field) ?? [];
    if (name === undefined || key === undefined || value === undefined) continue;
    const array = out.get(name) ?? new Map<Bytes, Bytes>();
    array.set(key, value);
    out.set(name, array);
  }
  return out;
}

/** One shell word that means exactly these bytes. */
const quote = (word: Bytes): Bytes =>
  /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
