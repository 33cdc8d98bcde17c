import fs from 'node:fs';
import { type Bytes, fromBuffer, fromText, toBuffer, toText } from './bytes.ts';
import { codeOf, lookAt, lookThrough, makeFolder } from './files.ts';
import { basename, dirname, join } from './paths.ts';
import { baseHome, profileHome, profileOf } from './profile.ts';

export { belayHome, homeFolder } from './profile.ts';

/**
 * The environment as bytes, in which `BELAY_HOME` is that of the profile that `BELAY_PROFILE` names: whatever belay keeps, it
 * keeps there.
 */
export function environment(): Map<Bytes, Bytes> {
  const env = given();
  const profile = profileOf(env);
  const base = profile === undefined ? undefined : baseHome(env);
  if (profile !== undefined && base !== undefined) env.set('BELAY_HOME', profileHome(base, profile));
  return env;
}

/** As it came: node decodes it with loss (a byte ff becomes U+FFFD), `/proc` does not. */
function given(): Map<Bytes, Bytes> {
  const out = new Map<Bytes, Bytes>();
  try {
    for (const entry of fromBuffer(fs.readFileSync('/proc/self/environ')).split('\0')) {
      const at = entry.indexOf('=');
      if (at > 0) out.set(entry.slice(0, at), entry.slice(at + 1));
    }
    return out;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EACCES') throw error;
  }
  for (const [name, value] of Object.entries(process.env)) out.set(fromText(name), fromText(value ?? ''));
  return out;
}

/** The working directory as bytes; undefined where it was deleted. */
export function workingFolder(): Bytes | undefined {
  try {
    const path = fromBuffer(fs.readlinkSync('/proc/self/cwd', 'buffer'));
    return path.endsWith(' (deleted)') && lookAt(path) === undefined ? undefined : path;
  } catch (error) {
    if (codeOf(error) === 'ENAMETOOLONG') return tooDeep(given().get('PWD') ?? '');
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EACCES') throw error;
  }
  try {
    return fromText(process.cwd());
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * A path that is longer than the kernel takes (PATH_MAX, 4096 bytes): the shell's word for it, where that is the folder, told step by step
 * from below.
 */
function tooDeep(told: Bytes): Bytes | undefined {
  let [above, up] = [told, '.'];
  for (; above.length > 4000; above = dirname(above), up = `${up}/..`)
    if (!isSame(`${up}/../${basename(above)}`, up)) return undefined;
  return above.startsWith('/') && isSame(above, up) ? told : undefined;
}

function isSame(path: Bytes, other: Bytes): boolean {
  const [one, two] = [lookThrough(path), lookThrough(other)];
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** Where the working directory was before it was deleted; undefined where nobody can tell. */
export function leftFolder(): Bytes | undefined {
  try {
    return fromBuffer(fs.readlinkSync('/proc/self/cwd', 'buffer')).replace(/ \(deleted\)$/, '');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EACCES') throw error;
    return undefined;
  }
}

/**
 * Why belay must not write there: the home, or what lies in it, is another user's. With `sudo -E` it is that of the user who called:
 * what root writes there, its owner can never write again. Undefined: it is ours, or there is nothing yet.
 */
export const foreignHome = (home: Bytes): string | undefined =>
  isClosed(home) ? `${toText(home)} is closed to this user: not written` : whoseElse(home);

/** Whether this user may not even look into the home. */
export function isClosed(home: Bytes): boolean {
  try {
    lookAt(join(home, 'checkpoints/store'));
    return false;
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    return true;
  }
}

function whoseElse(home: Bytes): string | undefined {
  const uid = process.getuid?.() ?? 0;
  for (const path of [join(home, 'checkpoints/store'), join(home, 'checkpoints'), home]) {
    const look = lookAt(path);
    if (look !== undefined && look.uid !== uid)
      return `${toText(path)} belongs to user ${look.uid}, not to ${uid}: not written`;
  }
  if (uid !== 0) return undefined;
  for (let path = home; path !== '/'; path = dirname(path)) {
    const look = lookAt(path);
    if (look === undefined) continue;
    return look.uid === 0 ? undefined : `${toText(path)} belongs to user ${look.uid}, not to root: not written`;
  }
  return undefined;
}

/**
 * The folder of turn markers: `$XDG_RUNTIME_DIR/belay`, else `/tmp/belay-<uid>`. Made 0700, or closed to
 * others, when `make` is set. Undefined where it is not a folder of our own that only we can write: it is never followed through a link.
 */
export function runtimeFolder(env: ReadonlyMap<Bytes, Bytes>, make: boolean): Bytes | undefined {
  const uid = process.getuid?.() ?? 0;
  const given = env.get('XDG_RUNTIME_DIR');
  const path = given?.startsWith('/') && ownFolder(given, uid) ? join(given, 'belay') : `/tmp/belay-${uid}`;
  if (make && lookAt(path) === undefined) makeFolder(path);
  const mode = ownFolder(path, uid) ? (lookAt(path)?.mode ?? 0o777) & 0o077 : 0o022;
  if ((mode & 0o022) !== 0) return undefined; // what lies in it may be somebody else's
  if (make && mode !== 0) fs.chmodSync(toBuffer(path), 0o700);
  return path;
}

function ownFolder(path: Bytes, uid: number): boolean {
  const look = lookAt(path);
  return look?.type === 'folder' && look.uid === uid;
}
