/**
 * `npm run growth`: a month of work in minutes, and what becomes of the store.
 *
 *   tsx bench/growth.ts [--scale S] [--days D] [--projects P] [--out FOLDER]
 *
 * 30 projects, 200 turns a day in each, divided by S (default 50), and the limits of the configuration divided by S as well: so the store
 * is as full of what there is as it would be. The records and captures are real, only the clock is not: turns begin when they would have,
 * and each evening the store is pruned by that clock, and whenever it is over its size. Writes docs/growth.svg and the table of docs/growth.md.
 */
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from '../src/checkpoint/measure.ts';
import { projectKey } from '../src/checkpoint/projects.ts';
import { prune } from '../src/checkpoint/prune.ts';
import { readHistory } from '../src/checkpoint/read.ts';
import { NOTHING_RESTS } from '../src/checkpoint/resting.ts';
import { statsOf } from '../src/checkpoint/stats.ts';
import { openStore } from '../src/checkpoint/store.ts';
import { verify } from '../src/checkpoint/verify/verify.ts';
import { bytesOf, DEFAULTS } from '../src/platform/config.ts';
import { capture } from '../src/saving/capture/capture.ts';
import { SLACK } from '../src/saving/prune.ts';
import { begin, turn } from './growth/life.ts';
import { type Panel, svgOf } from './growth/plot.ts';

const asked = parseArgs({
  options: {
    scale: { type: 'string', default: '50' },
    days: { type: 'string', default: '30' },
    projects: { type: 'string', default: '30' },
    out: { type: 'string' },
  },
}).values;
const [SCALE, DAYS, PROJECTS] = [asked.scale, asked.days, asked.projects].map(Number) as [number, number, number];
const here = dirname(dirname(fileURLToPath(import.meta.url)));
const out = asked.out ?? join(here, 'docs');
const DAY = 86_400_000;
const TURNS = Math.max(1, Math.round(200 / SCALE));

const { checkpoints } = DEFAULTS;
const rules = {
  maxSnapshots: Math.ceil(checkpoints.max_snapshots / SCALE),
  maxTotalBytes: bytesOf(checkpoints.max_total_size_mb) / SCALE,
  maxHoldBytes: bytesOf(checkpoints.hold.max_mb) / SCALE,
  retentionMs: checkpoints.retention_days * DAY,
  slack: SLACK,
};

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-growth-')));
process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
const store = openStore(join(top, 'home'));
const projects = Array.from({ length: PROJECTS }, (_, i) => begin(join(top, `project${i}`), i + 1));

const ROUNDS = 5;

/** Milliseconds of processor time, this process's and its children's together (proc(5), `stat`): what else runs does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  const fields = fs
    .readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

/** What it takes of the processor, ms, on the average of some rounds. */
async function taken(act: () => unknown): Promise<number> {
  const start = processorTime();
  for (let i = 0; i < ROUNDS; i++) await act();
  return (processorTime() - start) / ROUNDS;
}

/** As the configuration counts. */
const mb = (bytes: number): number => bytes / bytesOf(1);

interface Day {
  readonly before: number;
  readonly after: number;
  readonly listed: number;
  readonly list: number;
  readonly capture: number;
}

const first = projects[0];
if (first === undefined) throw new Error('no project');
const key = projectKey(store, first.root);
const days: Day[] = [];
const start = Date.now() - DAYS * DAY;
let order = 0;
const began = Date.now();
const pruneAt = (now: number): void => {
  prune(store, { rules, now, resting: NOTHING_RESTS, farMark: 'growth00-' });
};
const size = (): number => measure(store.base).store;
for (let day = 0; day < DAYS; day++) {
  const captures = new Map<string, number>();
  for (const { root } of projects) {
    const done = await capture({ store, root, config: DEFAULTS, budget: 60_000 });
    if (done.kind === 'captured' || done.kind === 'unchanged') captures.set(root, done.m);
  }
  let before = 0;
  for (let i = 0; i < TURNS; i++) {
    const now = start + day * DAY + (i * 10 * 3_600_000) / TURNS;
    for (const project of projects) {
      order++;
      turn(store, project, order, now, captures.get(project.root));
    }
    before = Math.max(before, size());
    if (size() > rules.maxTotalBytes) pruneAt(now); // as `isOverSize` says
  }
  pruneAt(start + day * DAY + 12 * 3_600_000);
  const list = await taken(() => statsOf(store, readHistory(store, key).checkpoints));
  let edits = 0;
  const taking = await taken(() => {
    fs.writeFileSync(join(first.root, 'src/part0/file0.ts'), `day ${day} ${edits++}\n`);
    return capture({ store, root: first.root, config: DEFAULTS, budget: 60_000 });
  });
  first.files.set('src/part0/file0.ts', fs.readFileSync(join(first.root, 'src/part0/file0.ts'), 'utf8'));
  const listed = readHistory(store, key).checkpoints.length;
  days.push({ before, after: size(), listed, list, capture: taking });
  process.stderr.write(
    `day ${day + 1}: ${mb(before).toFixed(1)} → ${mb(days.at(-1)?.after ?? 0).toFixed(1)} MB, ${listed} listed\n`,
  );
}
const problems = verify(store);
if (problems.length > 0) throw new Error(problems.join('\n'));

const panels: Panel[] = [
  {
    title: 'the store on disk',
    unit: 'MB',
    curves: [
      { name: 'largest of the day', colour: '#999', values: days.map(({ before }) => mb(before)) },
      { name: 'after the prune', colour: '#06c', values: days.map(({ after }) => mb(after)) },
    ],
    limit: { name: `max_total_size_mb / ${SCALE}`, value: mb(rules.maxTotalBytes) },
  },
  {
    title: 'checkpoints of one project',
    unit: 'listed',
    curves: [{ name: 'after the prune', colour: '#06c', values: days.map(({ listed }) => listed) }],
    limit: { name: `max_snapshots / ${SCALE}`, value: rules.maxSnapshots },
  },
  {
    title: 'time of the processor',
    unit: 'ms',
    curves: [
      { name: 'list', colour: '#06c', values: days.map(({ list }) => list) },
      { name: 'capture, one file changed', colour: '#080', values: days.map((one) => one.capture) },
    ],
  },
];
fs.writeFileSync(join(out, 'growth.svg'), svgOf(panels));

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const third = Math.max(1, Math.floor(DAYS / 3));
const [early, late] = [days.slice(1, 1 + third), days.slice(-third)];
const row = (what: string, of: (day: Day) => number, digits = 1): string =>
  `| ${what} | ${middle(early.map(of)).toFixed(digits)} | ${middle(late.map(of)).toFixed(digits)} |`;
const table = [
  `${PROJECTS} projects, ${TURNS} turns a day in each (200 / ${SCALE}), ${DAYS} days: ${order.toLocaleString('en')} turns in ${Math.round((Date.now() - began) / 1000)} s. Largest store after a prune: ${mb(Math.max(...days.map(({ after }) => after))).toFixed(1)} MB of ${mb(rules.maxTotalBytes).toFixed(1)}; largest at all: ${mb(Math.max(...days.map(({ before }) => before))).toFixed(1)} MB. \`verify\` at the end: whole.`,
  '',
  `| medians | first ${third} days | last ${third} days |`,
  '| --- | --- | --- |',
  row('the store after the prune, MB', ({ after }) => mb(after)),
  row('checkpoints of one project', ({ listed }) => listed, 0),
  row('`list`, ms of the processor', ({ list }) => list),
  row('a capture with one file changed, ms of the processor', (one) => one.capture),
].join('\n');
const page = join(out, 'growth.md');
if (fs.existsSync(page)) {
  const text = fs.readFileSync(page, 'utf8');
  fs.writeFileSync(
    page,
    text.replace(/<!-- figures -->[\s\S]*<!-- end -->/, `<!-- figures -->\n${table}\n<!-- end -->`),
  );
}
process.stdout.write(`${table}\n`);
