import fs from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from '../src/turns/journal-events.ts';

const VERBS = 'git npm make node cargo python docker kubectl grep find sed rm mv cp cat tar curl ssh'.split(' ');
const NOUNS =
  'status commit push build test deploy config index server client store parser screen picker ledger bundle remote journal'.split(
    ' ',
  );

/** The events of a record, of which half have a text that is searched: a line and its end, now and then a checkpoint. */
export const EVENTS = 50;

/** Every tenth is an agent's: turns with what was asked and what was said. */
const AGENT = 10;

/**
 * Records of `count` sessions, written straight into their files as shells and agents would. `tell` gets every text that is searched: what
 * another index of the same data is made of.
 */
export function makeSessions(home: string, count: number, tell: (text: string) => void): void {
  fs.mkdirSync(join(home, 'sessions'), { recursive: true, mode: 0o700 });
  for (let i = 0; i < count; i++) makeSession(home, i, tell);
}

/** The events of a long session. */
export const LONG = 500;

/** Few sessions that are long, every second an agent's. */
export function makeLongSessions(home: string, count: number): void {
  fs.mkdirSync(join(home, 'sessions'), { recursive: true, mode: 0o700 });
  for (let i = 0; i < count; i++) writeSession(home, i, firstOf(i % 2 === 0 ? agent(i) : shell(i), LONG));
}

/** The record of one session. */
export function makeSession(home: string, i: number, tell: (text: string) => void = () => {}): void {
  const events = firstOf(i % AGENT === 0 ? agent(i) : shell(i), EVENTS);
  for (const event of events) {
    const text = searched(event);
    if (text !== undefined) tell(text);
  }
  writeSession(home, i, events);
}

function writeSession(home: string, i: number, events: readonly JournalEvent[]): void {
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  fs.writeFileSync(join(home, 'sessions', `${nameOf(i)}.jsonl`), text, { mode: 0o600 });
  fs.appendFileSync(join(home, 'sessions/touched'), `${nameOf(i)}\n`);
}

function firstOf(all: Iterable<JournalEvent>, count: number): JournalEvent[] {
  const out: JournalEvent[] = [];
  for (const event of all) if (out.push(event) === count) break;
  return out;
}

const START = Date.UTC(2025, 0, 1);
const MINUTE = 60_000;

/** As belay names them: by the time at which they began. */
export function nameOf(i: number): string {
  const day = new Date(START + i * MINUTE).toISOString().replace(/[-:]/g, '').replace('T', '_');
  return `${day.slice(0, 15)}_${i.toString(16).padStart(6, '0')}`;
}

/** The same each time, and no two alike. */
const mix = (i: number, k: number): number => Math.imul(i * 7919 + k * 104_729, 2_654_435_761) >>> 8;

function lineOf(i: number, k: number): string {
  const n = mix(i, k);
  return `${VERBS[n % 18]} ${NOUNS[(n >> 5) % 18]} src/${NOUNS[(n >> 10) % 18]}/file${n % 50_003}.ts --${NOUNS[(n >> 15) % 18]}`;
}

function* begun(i: number, source: string): Generator<JournalEvent> {
  const t = START + i * MINUTE;
  yield { e: 'session', v: 1, t, id: nameOf(i), source, cwd: `/home/you/p${i % 50}`, pid: 4_000_000, start: '1' };
  yield { e: 'title', t, title: `${VERBS[i % 18]}, ${NOUNS[i % 17]} in p${i % 50} (${i})`, by: 'belay' };
}

function* shell(i: number): Generator<JournalEvent> {
  yield* begun(i, 'cli');
  const cwd = `/home/you/p${i % 50}`;
  for (let k = 1; ; k++) {
    const [t, turn] = [START + i * MINUTE + k * 1000, String(k)];
    yield { e: 'command', t, turn, line: lineOf(i, k), cwd };
    if (k % 8 === 0)
      yield { e: 'checkpoint', t, turn, n: k, key: 'k', root: cwd, verbs: ['rm'], files: 1, paths: ['a'], bytes: 9 };
    yield { e: 'done', t: t + 500, turn, exit: 0 };
  }
}

function* agent(i: number): Generator<JournalEvent> {
  yield* begun(i, 'claude');
  for (let k = 1; ; k++) {
    const [t, turn] = [START + i * MINUTE + k * 1000, String(k)];
    const call = String(k);
    yield { e: 'turn', t, turn, label: `please ${lineOf(i, k)} and tell me` };
    yield { e: 'command', t, turn, line: lineOf(i, k + 1000), cwd: '/home/you', call };
    yield { e: 'done', t: t + 500, turn, call };
    yield { e: 'message', t, turn, role: 'assistant', text: [1, 2, 3].map((n) => lineOf(i, k + n * 2000)).join('. ') };
    yield { e: 'state', t: t + 900, turn, state: 'done' };
  }
}

/** What belay's index takes of an event (src/sessions/index/ingest.ts). */
function searched(event: JournalEvent): string | undefined {
  if (event.e === 'command') return event.line;
  if (event.e === 'turn') return event.label;
  if (event.e === 'message') return event.text;
  if (event.e === 'title') return event.title;
  return event.e === 'checkpoint' ? event.paths.join(' ') : undefined;
}
