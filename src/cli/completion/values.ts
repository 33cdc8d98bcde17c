import { wirings } from '../../agents/wiring/agents.ts';
import { absolutePath } from '../../checkpoint/ledger.ts';
import { projectKey } from '../../checkpoint/projects.ts';
import type { Checkpoint } from '../../checkpoint/read.ts';
import type { Change } from '../../checkpoint/record.ts';
import { findStore } from '../../checkpoint/store.ts';
import { reasonOf } from '../../checkpoint/write.ts';
import { type Bytes, isText, toText } from '../../platform/bytes.ts';
import { namesInOrNone } from '../../platform/files.ts';
import { belayHome, environment, homeFolder } from '../../platform/home.ts';
import { basename, isInside, join, relativeTo } from '../../platform/paths.ts';
import { baseHome } from '../../platform/profile.ts';
import { projectRoot } from '../../platform/roots.ts';
import { journalNames } from '../../sessions/journal.ts';
import { knownTitles } from '../../sessions/titles.ts';
import { archives } from '../../worktrees/archive.ts';
import { repositoryOf, treesOf } from '../../worktrees/trees.ts';
import { settings } from '../config/settings.ts';
import { type Known, known, pick } from '../context.ts';
import { shown } from '../paths.ts';
import type { Candidate } from './described.ts';

/** What belay keeps, as words that TAB can finish. Nothing is settled or written for that. */

export function checkpointsHere(cwd: Bytes | undefined): Candidate[] {
  return (here(cwd)?.history.checkpoints ?? []).map(({ record }) => ({
    value: String(record.n),
    what: shown(reasonOf(record)),
  }));
}

function here(cwd: Bytes | undefined): Known | undefined {
  const env = environment();
  const home = belayHome(env);
  const store = home === undefined ? undefined : findStore(home);
  if (store === undefined || cwd === undefined) return undefined;
  return known(store, [projectKey(store, projectRoot(cwd, homeFolder(env)) ?? cwd)])[0];
}

/** So many paths of a checkpoint are offered: nobody reads more. */
const MOST_PATHS = 500;

/** What checkpoint `word` changed in and below this folder. */
export function pathsOf(word: Bytes, cwd: Bytes | undefined): Candidate[] {
  const project = here(cwd);
  if (project === undefined || cwd === undefined) return [];
  let found: Checkpoint;
  try {
    found = pick(project, word);
  } catch {
    return []; // no such checkpoint: there is nothing to offer
  }
  const out: Candidate[] = [];
  for (const change of found.record.changes) {
    const path = absolutePath(found.record.root, change.path);
    if (path === undefined || path === cwd || !isInside(path, cwd) || !isText(path)) continue;
    out.push({ value: toText(relativeTo(cwd, path)), what: happened(change) });
    if (out.length === MOST_PATHS) break;
  }
  return out.sort((a, b) => (a.value < b.value ? -1 : 1));
}

const happened = ({ before, after, movedTo }: Change): string =>
  movedTo !== undefined ? 'moved' : before.kind === 'absent' ? 'made' : after.kind === 'absent' ? 'removed' : 'changed';

/** Ids with their titles, newest first; by its beginning a title is as good as the id. */
export function sessions(begun: string): Candidate[] {
  const home = belayHome(environment());
  if (home === undefined) return [];
  const titles = knownTitles(home);
  const ids = journalNames(home)
    .map(toText)
    .filter((id) => !id.startsWith('='))
    .sort()
    .reverse();
  const byId = ids.map((value) => ({ value, what: titles.get(value) ?? 'session' }));
  if (begun === '' || ids.some((id) => id.startsWith(begun))) return byId;
  return byId.map(({ value, what }) => ({ value: what, what: value }));
}

export function worktrees(cwd: Bytes | undefined): Candidate[] {
  const repository = cwd === undefined ? undefined : repositoryOf(cwd);
  const trees = repository === undefined ? [] : (treesOf(repository.commonDir) ?? []);
  return trees
    .filter(({ main, bare }) => !main && !bare)
    .map(({ path, branch }) => ({ value: toText(basename(path)), what: shown(branch ?? path) }));
}

export function archived(): Candidate[] {
  const home = belayHome(environment());
  return home === undefined ? [] : archives(home).map(({ id, path }) => ({ value: toText(id), what: shown(path) }));
}

export function profiles(): Candidate[] {
  const base = baseHome(environment());
  return namesInOrNone(join(base ?? '/', 'profiles')).map((name) => ({ value: toText(name), what: 'profile' }));
}

export const agents = (): Candidate[] => wirings.map(({ name, title }) => ({ value: name, what: title }));

export const settingNames = (): Candidate[] =>
  settings.map(({ name, meaning }) => ({ value: name, what: meaning.replace(/^([^.`]{16,}?)[.;:] .*$/, '$1') }));

/** What a setting can be, where that is a choice; its default first. */
export function valuesOf(name: string): Candidate[] {
  const setting = settings.find((one) => one.name === name);
  if (setting === undefined) return [];
  const choices = setting.choices ?? (setting.type === 'boolean' ? ['true', 'false'] : []);
  const byDefault =
    typeof setting.byDefault === 'object' ? JSON.stringify(setting.byDefault) : String(setting.byDefault);
  if (choices.length === 0) return setting.type === 'string' ? [] : [{ value: byDefault, what: 'the default' }];
  return choices.map((value) => ({ value, what: value === byDefault ? 'the default' : `instead of ${byDefault}` }));
}
