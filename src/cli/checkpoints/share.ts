import fs from 'node:fs';
import type { Checkpoint } from '../../checkpoint/read.ts';
import { bundleRef, readBundle, writeBundle } from '../../checkpoint/share/bundle.ts';
import { objectsOf, withParcel } from '../../checkpoint/share/parcel.ts';
import { eventFor, writePortable } from '../../checkpoint/share/portable.ts';
import type { PrivateRules } from '../../checkpoint/share/private.ts';
import { shadowsIn } from '../../checkpoint/share/shadow.ts';
import { rootFor, takeOver } from '../../checkpoint/share/take-over.ts';
import { unpack } from '../../checkpoint/share/unpack.ts';
import { openStore } from '../../checkpoint/store.ts';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { lookAt, lookThrough, openRegular } from '../../platform/files.ts';
import { writeAll } from '../../platform/output.ts';
import { resolve } from '../../platform/paths.ts';
import { projectRoot } from '../../platform/roots.ts';
import { excludesOf } from '../../saving/capture/excludes.ts';
import { type Answer, type Call, failed, notThere, refused, wrongUsage } from '../command.ts';
import { type Context, knownHere, ledgerAround, pick } from '../context.ts';
import { pathKeys, shown } from '../paths.ts';
import { count } from '../style.ts';
import { originText } from './origin.ts';
import { ownerOf } from './owner.ts';

/** What is private of this project, as things stand now. */
export async function privateRules(context: Context, call: Call): Promise<PrivateRules> {
  const { config } = context.world;
  return {
    precious: config.checkpoints.precious,
    exclude: await excludesOf(context.root, config),
    secrets: call.values['with-secrets'] === true,
  };
}

/** `belay checkpoints export N… > FILE`: checkpoints that stand on their own, as one git bundle. */
export async function exportNow(context: Context, call: Call, words: readonly Bytes[]): Promise<Answer | number> {
  if (words.length === 0) throw wrongUsage('which checkpoint? belay checkpoints export N > FILE');
  const output = call.values['output'];
  if (typeof output !== 'string' && (process.stdout.isTTY || call.json))
    throw wrongUsage('the bundle goes to a file: belay checkpoints export N > FILE, or -o FILE');
  const here = knownHere(context);
  const chosen = [...new Set(words.map((word) => pick(here, word)))];
  if (here === undefined || context.store === undefined) throw new Error('a checkpoint without a project');
  const store = openStore(context.home);
  const file = typeof output === 'string' ? newFile(context, output) : undefined;
  const rules = await privateRules(context, call);
  const owner = ownerOf(store, here.project.key);
  return withParcel(store, [objectsOf(store.gitDir)], (parcel) => {
    const stayed = chosen.flatMap((checkpoint) => {
      const ledger = ledgerAround(here, checkpoint);
      const target = eventFor(ledger, here.project.key, checkpoint);
      const ref = bundleRef(checkpoint.record.n);
      return writePortable({
        ...{ store, parcel, owner, ledger, target, rules, ref },
        key: here.project.key,
        root: here.project.workdir,
        history: here.history,
      });
    });
    const bundle = writeBundle(
      parcel,
      chosen.map(({ record }) => bundleRef(record.n)),
    );
    if (file === undefined) sendOut(bundle);
    else fs.copyFileSync(toBuffer(bundle), toBuffer(file), fs.constants.COPYFILE_EXCL);
    const note = stayedNote(stayed.map(({ path }) => path));
    if (file === undefined) {
      if (note !== '' && call.values['quiet'] !== true) process.stderr.write(note);
      return 0;
    }
    return exported(chosen, file, lookAt(file)?.size ?? 0, stayed, note);
  });
}

const stayedNote = (paths: readonly Bytes[]): string => {
  const names = [...new Set(paths)];
  if (names.length === 0) return '';
  const some = names.slice(0, 5).map(shown).join(', ');
  return `left out (--with-secrets takes what is private and held along): ${some}${names.length > 5 ? ` and ${names.length - 5} more` : ''}\n`;
};

function exported(
  chosen: readonly Checkpoint[],
  file: Bytes,
  size: number,
  stayed: readonly { readonly path: Bytes; readonly reason: string }[],
  note: string,
): Answer {
  return {
    json: {
      exported: chosen.map(({ record }) => record.n),
      file: pathKeys(file).path,
      bytes: size,
      left_out: stayed.map(({ path, reason }) => ({ ...pathKeys(path), reason })),
    },
    text: `${count(chosen.length, 'checkpoint')} written into ${shown(file)}\n${note}`,
  };
}

function newFile(context: Context, output: Bytes): Bytes {
  const file = resolve(context.cwd, output);
  if (lookAt(file) !== undefined)
    throw refused('would_overwrite', `${shown(file)} is there already`, 'Name another file.');
  return file;
}

/** All of a file to standard output, whatever that is. */
function sendOut(file: Bytes): void {
  const fd = openRegular(file);
  const buffer = Buffer.allocUnsafe(1 << 20);
  try {
    for (let got = fs.readSync(fd, buffer); got > 0; got = fs.readSync(fd, buffer))
      writeAll(1, buffer.subarray(0, got));
  } finally {
    fs.closeSync(fd);
  }
}

interface Taken {
  readonly n: number;
  readonly fresh: boolean;
  readonly root: Bytes;
  readonly from: string;
}

/** `belay checkpoints import FILE|DIR`: a bundle into this project; another program's history into the project of its folder. */
export async function importNow(context: Context, call: Call, words: readonly Bytes[]): Promise<Answer> {
  const [given, ...rest] = words;
  if (given === undefined || rest.length > 0) throw wrongUsage('what? belay checkpoints import FILE|DIR');
  const path = resolve(context.cwd, given);
  const look = lookThrough(path);
  if (look === undefined) throw notThere('no_folder', `${shown(path)} is not there`);
  const project = call.values['project'];
  const folder = typeof project === 'string' ? resolve(context.cwd, project) : undefined;
  const root = folder === undefined ? undefined : (projectRoot(folder, context.world.userHome) ?? folder);
  const taken: Taken[] = [];
  const notes: string[] = [];
  if (look.type === 'folder') importFolder(context, path, root, taken, notes);
  else importFile(context, path, root ?? context.root, taken, notes);
  const fresh = taken.filter((one) => one.fresh);
  const again = taken.length - fresh.length;
  return {
    exit: taken.length === 0 ? 1 : 0,
    json: {
      imported: taken.map(({ n, fresh: isNew, root: at, from }) => ({ root: pathKeys(at).path, n, from, new: isNew })),
      notes,
    },
    text: [
      `${count(fresh.length, 'checkpoint')} imported${again > 0 ? `, ${again} ${again === 1 ? 'was' : 'were'} here already` : ''}`,
      ...fresh.map(({ n, from, root: at }) => `  ${n}  ${from}${at === context.root ? '' : `, in ${shown(at)}`}`),
      ...notes,
      ...(fresh.length > 0 ? ['belay list shows them; belay rollback N [--all], or --to DIR'] : []),
      '',
    ].join('\n'),
  };
}

function importFile(context: Context, path: Bytes, root: Bytes, taken: Taken[], notes: string[]): void {
  const store = openStore(context.home);
  withParcel(store, [], (parcel) => {
    const fd = openRegular(path);
    try {
      const bundle = readBundle(parcel, fd);
      if (bundle.is === 'none') throw failed('not_imported', `${shown(path)}: ${bundle.why}`, 'Nothing was imported.');
      for (const commit of bundle.commits) {
        const done = unpack(store, root, parcel, commit, Date.now());
        if (done.is === 'refused') notes.push(`not taken over (${commit.slice(0, 8)}): ${done.why}`);
        else taken.push({ n: done.n, fresh: done.fresh, root, from: originText(done.from) });
      }
    } finally {
      fs.closeSync(fd);
    }
  });
}

function importFolder(context: Context, path: Bytes, given: Bytes | undefined, taken: Taken[], notes: string[]): void {
  const shadows = shadowsIn(path);
  if (shadows.length === 0)
    throw failed(
      'not_imported',
      `${shown(path)}: no store of Hermes Agent and no folder of repositories of an older layout`,
      'Nothing was imported.',
    );
  if (given !== undefined && shadows.length > 1)
    throw wrongUsage(`${shown(path)} has ${shadows.length} histories: with --project name the folder of one of them`);
  const store = openStore(context.home);
  for (const shadow of shadows) {
    const root = given ?? rootFor(shadow, context.world.userHome);
    if (typeof root !== 'string') {
      notes.push(`not taken over (${shadow.name.slice(0, 16)}): ${root.why}`);
      continue;
    }
    const done = takeOver(store, shadow, root, Date.now(), context.world.config.checkpoints.max_snapshots);
    const from = { from: shadow.from, host: '', root: shadow.workdir ?? root };
    done.taken.forEach(({ n, fresh }, i) => {
      taken.push({ n, fresh, root, from: originText({ ...from, n: i + 1 }) });
    });
    for (const { id, why } of done.refused) notes.push(`not taken over (${id.slice(0, 8)}): ${why}`);
  }
}
