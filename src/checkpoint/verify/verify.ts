import { toText } from '../../platform/bytes.ts';
import { freedOf } from '../free.ts';
import { type HoldContent, heldOid, holdPath, holdState } from '../holds.ts';
import { parseProject, projects } from '../projects.ts';
import { type Checkpoint, readCaptures, readHistories, readSizes } from '../read.ts';
import type { CheckpointRecord, Version } from '../record.ts';
import { hasLostRefs, type Store } from '../store.ts';
import { gitOid } from '../write.ts';
import { type Fsck, fsck } from './fsck.ts';
import { brokenIndexes } from './indexes.ts';

/** One thing that is not as it should be, and what of the store it is about. */
export type Problem = { readonly text: string } & (
  | { readonly is: 'object' }
  /** The record itself cannot be read: nobody can tell what it held. */
  | { readonly is: 'checkpoint'; readonly key: string; readonly n: number }
  /** The checkpoint stands, but for these contents. */
  | { readonly is: 'contents'; readonly key: string; readonly checkpoint: Checkpoint; readonly lost: Lost }
  | { readonly is: 'capture'; readonly key: string; readonly m: number }
  /** What an imported checkpoint rests on. */
  | { readonly is: 'state'; readonly key: string; readonly n: number }
  | { readonly is: 'index'; readonly key: string }
  | { readonly is: 'project'; readonly key: string; readonly root: string | undefined }
  /** It was touched at a time that is still to come: a clock was ahead. */
  | { readonly is: 'future'; readonly key: string; readonly root: string }
);

/** Contents of one checkpoint that are gone. */
export interface Lost {
  readonly oids: ReadonlySet<string>;
  readonly holds: ReadonlySet<string>;
}

/**
 * Proves the store: every object that a checkpoint names is there and whole, every record can be read, every held file is what
 * was put aside and not given back since, every kept index names objects that are there.
 */
export function findProblems(store: Store, found: Fsck = fsck(store)): Problem[] {
  const problems: Problem[] = found.lines.map((line) => ({ is: 'object', text: `store: ${toText(line)}` }));
  const known = new Map(projects(store).map((project) => [project.key, project]));
  if (hasLostRefs(store))
    problems.push({ is: 'object', text: 'store: its refs were lost; --repair looks for what they named' });
  for (const { key, workdir, last_touch } of known.values())
    if (last_touch > Date.now() + AHEAD_MS)
      problems.push({
        is: 'future',
        key,
        root: workdir,
        text: `${toText(workdir)}: touched at a time that is still to come`,
      });
  for (const [key, history] of readHistories(store)) {
    const name = toText(known.get(key)?.workdir ?? key);
    if (!known.has(key)) {
      const root = history.checkpoints[0]?.record.root;
      const how =
        parseProject(store, key) === 'damaged'
          ? 'its file under projects/ is damaged'
          : 'no file of its own under projects/';
      problems.push({ is: 'project', key, root, text: `${key}: ${how}` });
    }
    for (const ref of history.broken)
      problems.push({
        is: 'checkpoint',
        key,
        n: Number(ref.replace(/^.*\//, '')),
        text: `${name}: ${ref} cannot be read`,
      });
    const captures = readCaptures(store, history.captures);
    for (const { m } of history.captures)
      if (!captures.has(m)) problems.push({ is: 'capture', key, m, text: `${name}: capture ${m} cannot be read` });
    const states = readCaptures(store, history.imported);
    for (const { m: n } of history.imported)
      if (!states.has(n))
        problems.push({ is: 'state', key, n, text: `${name}: the state of imported checkpoint ${n} cannot be read` });
    for (const checkpoint of history.checkpoints) problems.push(...contentsOf(store, key, name, checkpoint, found.bad));
  }
  for (const { key, why } of brokenIndexes(store, found.bad))
    problems.push({ is: 'index', key, text: `${toText(known.get(key)?.workdir ?? key)}: the kept index ${why}` });
  return problems;
}

/** Clocks of two machines may differ that much. */
const AHEAD_MS = 3_600_000;

/** The same as lines for people. */
export const verify = (store: Store): string[] => findProblems(store).map(({ text }) => text);

/** Every version that a record has, with its path. */
export const versionsIn = (record: CheckpointRecord): { readonly path: string; readonly version: Version }[] =>
  record.changes.flatMap(({ path, before, after, later }) =>
    [before, after, ...(later ?? [])].map((version) => ({ path, version })),
  );

function contentsOf(
  store: Store,
  key: string,
  name: string,
  checkpoint: Checkpoint,
  bad: ReadonlySet<string>,
): Problem[] {
  const { record, tree } = checkpoint;
  const texts: string[] = [];
  const oids = new Set<string>([...tree.values()].filter((oid) => bad.has(oid)));
  if (oids.size > 0) texts.push('a part of its tree is gone');
  const holds = new Set<string>();
  const sizes = bad.size === 0 ? undefined : readSizes(store, oidsOf(record));
  const freed = freedOf(store, key, record.n);
  for (const { path, version } of versionsIn(record)) {
    const oid = gitOid(version);
    if (oid !== undefined && (bad.has(oid) || sizes?.has(oid) === false)) {
      oids.add(oid);
      texts.push(`the content of ${toText(path)} (${oid}) is lost`);
    }
    if (version.kind !== 'file' || version.content.at !== 'hold' || freed.has(version.content.path)) continue;
    const why = holdTrouble(store, key, record, version.size, version.content);
    if (why === undefined) continue;
    holds.add(version.content.path);
    texts.push(
      why === 'gone'
        ? `the held copy of ${toText(path)} is gone`
        : `the held ${version.content.linked ? 'link to' : 'copy of'} ${toText(path)} was written ${version.content.linked ? 'through another name of the file' : 'since'}`,
    );
  }
  for (const { index } of [...record.gitBefore, ...record.gitAfter])
    if (index !== undefined && bad.has(index)) {
      oids.add(index);
      texts.push(`the index of a repository (${index}) is lost`);
    }
  const lost = { oids, holds };
  return [...new Set(texts)].map((text) => ({
    is: 'contents',
    key,
    checkpoint,
    lost,
    text: `${name}: checkpoint ${record.n}: ${text}`,
  }));
}

const oidsOf = (record: CheckpointRecord): string[] =>
  versionsIn(record).flatMap(({ version }) => gitOid(version) ?? []);

/** Of a hold whose record names its bytes they are read; of a larger one size and seal have to do. */
function holdTrouble(
  store: Store,
  key: string,
  record: CheckpointRecord,
  size: number,
  content: HoldContent,
): 'gone' | 'changed' | undefined {
  const state = holdState(holdPath(store, key, record, content), size, content);
  // Its writer went on after it was held: what was written last is nowhere else, and can be brought back as that.
  if (state.is === 'rewritten') return undefined;
  if (state.is !== 'whole') return state.is;
  if (content.oid === undefined) return undefined;
  return heldOid(state.path) === content.oid ? undefined : 'changed';
}
