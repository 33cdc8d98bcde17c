import { createHash } from 'node:crypto';
import { type Undone, undoneTurns } from '../../checkpoint/ledger.ts';
import { placeOfProject } from '../../checkpoint/place.ts';
import { projectKey, projects } from '../../checkpoint/projects.ts';
import type { Checkpoint } from '../../checkpoint/read.ts';
import { readRefs } from '../../checkpoint/refs.ts';
import { spoken } from '../../checkpoint/spoken.ts';
import { type Span, type Stats, statsOf } from '../../checkpoint/stats.ts';
import { type Store, StoreError } from '../../checkpoint/store.ts';
import { toText } from '../../platform/bytes.ts';
import { type Context, type Known, known, ledgerFor } from '../context.ts';
import { row, spansOf } from '../list.ts';
import { pathKeys } from '../paths.ts';
import { cut } from '../style.ts';
import type { ProjectRow, Timeline, TimelineRow } from './documents.ts';

export interface Wanted {
  /** The stamp that the page has. */
  readonly since: string;
  readonly from: number;
  readonly count: number;
}

interface Entry {
  readonly checkpoint: Checkpoint;
  readonly here: Known;
}

/** The store as it was read last. */
interface Books {
  readonly stamp: string;
  /** Newest first, of all projects. */
  readonly entries: readonly Entry[];
  readonly undone: Undone;
  readonly projects: readonly ProjectRow[];
  readonly spans: ReadonlyMap<Checkpoint, Span>;
}

/**
 * Every checkpoint of every project, newest first, a page at a time. The books are read again only where a ref or the folder of a project has
 * come or gone.
 */
export class Timelines {
  #books: Books | undefined;

  tell(context: Context, { since, from, count }: Wanted): Timeline {
    const { store, world } = context;
    const books = store === undefined ? NOTHING : this.#read(store);
    const here = store === undefined ? null : projectKey(store, context.root);
    const { off } = world;
    // Whether belay is off, and where it was called from, are not in the store.
    const stamp = `${books.stamp}${off ? '-off' : ''}${here === null ? '' : `-${here.slice(0, 12)}`}`;
    const told = { stamp, total: books.entries.length, from, here, off };
    if (since === stamp) return { ...told, unchanged: true, rows: [], projects: [] };
    const page = books.entries.slice(from, from + count);
    const stats = store === undefined ? new Map<Checkpoint, Stats>() : statsIfWhole(store, page, books);
    return { ...told, rows: page.map((entry) => rowOf(entry, stats, books)), projects: books.projects };
  }

  #read(store: Store): Books {
    const stamp = stampOf(store);
    if (this.#books?.stamp === stamp) return this.#books;
    const all = known(store).filter(({ history }) => history.checkpoints.length > 0);
    this.#books = {
      stamp,
      entries: merged(all),
      undone: undoneTurns(ledgerFor(all)),
      projects: all.map(({ project, history }) => ({
        key: project.key,
        root: pathKeys(project.workdir).path,
        state: placeOfProject(project),
        checkpoints: history.checkpoints.length,
      })),
      spans: new Map(all.flatMap((here) => [...spansOf(here)])),
    };
    return this.#books;
  }
}

const NOTHING: Books = { stamp: 'none', entries: [], undone: new Map(), projects: [], spans: new Map() };

function stampOf(store: Store): string {
  const hash = createHash('sha256');
  for (const { key, kind, n, id } of readRefs(store)) hash.update(`${key}${kind}${n}${id}\n`);
  // Deleted, moved, or on a disk that is not there: no ref tells.
  for (const project of projects(store))
    hash.update(`${project.key}\0${project.workdir}\0${placeOfProject(project)}\n`);
  return hash.digest('hex').slice(0, 24);
}

/** Own ones by the counter that orders turns; imported ones have no place in it, and stand where their time does. */
function merged(all: readonly Known[]): Entry[] {
  const entries = all.flatMap((here) => here.history.checkpoints.map((checkpoint) => ({ checkpoint, here })));
  const isOwn = ({ checkpoint }: Entry): boolean => checkpoint.record.origin === undefined;
  const own = entries
    .filter(isOwn)
    .sort(({ checkpoint: a }, { checkpoint: b }) => b.record.order - a.record.order || b.record.n - a.record.n);
  const others = entries
    .filter((entry) => !isOwn(entry))
    .sort(({ checkpoint: a }, { checkpoint: b }) => b.record.started - a.record.started);
  const out: Entry[] = [];
  for (const entry of own) {
    for (
      let next = others[0];
      next && next.checkpoint.record.started > entry.checkpoint.record.started;
      next = others[0]
    )
      out.push(...others.splice(0, 1));
    out.push(entry);
  }
  return [...out, ...others];
}

/** Objects that are lost keep nobody from the list of what there is. */
function statsIfWhole(store: Store, page: readonly Entry[], { spans }: Books): Map<Checkpoint, Stats> {
  const some = page.map(({ checkpoint }) => checkpoint);
  const chosen = new Set(some);
  try {
    return statsOf(store, some, new Map([...spans].filter(([one]) => chosen.has(one))));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'store_broken') throw error;
    return new Map();
  }
}

/** So much of a line is told in a list; its checkpoint has all of it. */
const LONGEST_LINE = 2000;
const MOST_LEFT_OUT = 200;

function rowOf({ checkpoint, here }: Entry, stats: ReadonlyMap<Checkpoint, Stats>, { undone }: Books): TimelineRow {
  const { record } = checkpoint;
  const { document: told, idle } = row(checkpoint, stats.get(checkpoint), here, undone);
  return {
    ...told,
    reason: cut(told.reason, LONGEST_LINE),
    left_out: told.left_out.slice(0, MOST_LEFT_OUT),
    left_out_count: told.left_out.length,
    key: here.project.key,
    line: cut(toText(spoken(record.line)), LONGEST_LINE),
    source: record.source,
    cwd: pathKeys(record.cwd).path,
    idle,
  };
}
