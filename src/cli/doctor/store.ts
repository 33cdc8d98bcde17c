import fs from 'node:fs';
import { type Bytes, toBuffer, toText } from '../../platform/bytes.ts';
import { codeOf, lookAt } from '../../platform/files.ts';
import { newerHome } from '../../platform/format.ts';
import { homeFolder, isClosed, runtimeFolder } from '../../platform/home.ts';
import { dirname, join } from '../../platform/paths.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';

const LOW_BYTES = 256 << 20;

/** The folders that belay writes: ours, writable, with space left. `home` is where the store lies. */
export function checkFolders({ env }: Patient, home: Bytes | undefined): readonly Finding[] {
  const found: Finding[] = [];
  if (homeFolder(env) === undefined)
    found.push(wrong('home', 'HOME is not set (or not absolute): no configuration is read', 'export HOME=…'));
  if (home === undefined)
    found.push(
      wrong('store', 'neither BELAY_HOME nor HOME is set: nothing can be saved', 'export HOME=… (or BELAY_HOME=…)'),
    );
  else found.push(...checkHome(home));
  return [...found, checkRuntime(env)];
}

function checkHome(home: Bytes): readonly Finding[] {
  const name = toText(home);
  const uid = process.getuid?.() ?? 0;
  if (isClosed(home))
    return [
      wrong('store', `${name} is closed to this user: nothing is saved`, 'set BELAY_HOME to a folder of your own'),
    ];
  for (const path of [home, join(home, 'checkpoints'), join(home, 'checkpoints/store')]) {
    const look = lookAt(path);
    if (look === undefined) continue;
    if (look.type === 'link' && path !== home)
      return [wrong('store', `${toText(path)} is a link: nothing is saved through it`, `put a folder in its place`)];
    if (look.type !== 'folder' && look.type !== 'link')
      return [
        wrong('store', `${toText(path)} is a ${look.type}, not a folder`, `move it away: mv '${toText(path)}' …`),
      ];
    if (look.uid !== uid)
      return [
        wrong(
          'store',
          `${toText(path)} belongs to user ${look.uid}, not to ${uid}: nothing is saved (sudo -E does that)`,
          `as that user; or: chown -R ${uid} '${name}'`,
        ),
      ];
  }
  const newer = newerHome(home);
  if (newer !== undefined)
    return [
      wrong(
        'store',
        `${newer}: lines run unprotected`,
        'install the newer belay again, or set BELAY_HOME for this one',
      ),
    ];
  const trial = tryWriting(home);
  if (trial !== undefined)
    return [wrong('store', `${name} cannot be written (${trial}): nothing is saved`, mendFor(trial, name))];
  const found = [fine('store', lookAt(home) === undefined ? `${name} (nothing saved yet)` : name)];
  const low = checkSpace(home);
  return low === undefined ? found : [...found, low];
}

const mendFor = (code: string, name: string): string =>
  code === 'ENOSPC' || code === 'EDQUOT'
    ? 'make room: belay checkpoints prune'
    : code === 'EROFS'
      ? `mount it for writing, or set BELAY_HOME to another folder`
      : `chmod u+rwx '${name}', or set BELAY_HOME to another folder`;

/** Really writes a block there (in the nearest folder that exists): rights alone do not tell a full disk. */
function tryWriting(home: Bytes): string | undefined {
  let folder = home;
  while (folder !== '/' && lookAt(folder) === undefined) folder = dirname(folder);
  const path = toBuffer(join(folder, `.belay-doctor-${process.pid}`));
  try {
    const fd = fs.openSync(path, 'wx', 0o600);
    try {
      fs.writeSync(fd, Buffer.alloc(4096, 1));
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    return undefined;
  } catch (error) {
    return codeOf(error) || String(error);
  } finally {
    fs.rmSync(path, { force: true });
  }
}

function checkSpace(home: Bytes): Finding | undefined {
  let folder = home;
  while (folder !== '/' && lookAt(folder) === undefined) folder = dirname(folder);
  const space = fs.statfsSync(toBuffer(folder));
  const left = space.bavail * space.bsize;
  if (left >= LOW_BYTES) return undefined;
  return note(
    'space',
    `${Math.floor(left / (1 << 20))} MB are left where the store lies: large files may be left out`,
    'make room: belay checkpoints prune',
  );
}

function checkRuntime(env: ReadonlyMap<Bytes, Bytes>): Finding {
  const uid = process.getuid?.() ?? 0;
  const path = runtimeFolder(env, false);
  if (path !== undefined) return fine('runtime', toText(path));
  const given = env.get('XDG_RUNTIME_DIR');
  const look = given?.startsWith('/') ? lookAt(given) : undefined;
  const place = look?.type === 'folder' && look.uid === uid ? join(given ?? '', 'belay') : `/tmp/belay-${uid}`;
  if (lookAt(place) === undefined) return fine('runtime', 'made when the first shell starts');
  const at = toText(place);
  return wrong(
    'runtime',
    `${at} is not a folder that only you can write: no markers, so every layer saves again`,
    `rm -rf '${at}' (as its owner), or set XDG_RUNTIME_DIR to a folder of your own`,
  );
}
