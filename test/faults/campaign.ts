/**
 * The fault campaign: writers that hold, end, settle, capture, restore and prune at the same time, each program killed at a random
 * instant about every other time; then the store is verified, and every listed checkpoint compared with what it says it holds.
 *
 *   tsx test/faults/campaign.ts [--kills N] [--minutes M] [--writers W] [--seed S] [--calm]
 *
 * --calm: nobody is killed: gc beside writers and restores, for M minutes.
 *
 * Ends with one line, `K kills, C checkpoints and captures compared, 0 differences`; any difference is named, and the status is 1.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isEnded, pendingTurns } from '../../src/turns/pending.ts';
import { builtSnap } from '../built.ts';
import { compareStore } from './compare.ts';

const asked = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '5' },
    writers: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    calm: { type: 'boolean', default: false },
  },
}).values;
const [KILLS, MINUTES, WRITERS, SEED] = [asked.kills, asked.minutes, asked.writers, asked.seed].map(Number) as [
  number,
  number,
  number,
  number,
];

const here = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const snap = builtSnap();
const belay = [process.execPath, join(here, 'dist/belay.cjs')];
const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-faults-')));
const home = join(top, 'belay');
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: join(top, 'user'),
  BELAY_HOME: home,
  XDG_RUNTIME_DIR: join(top, 'run'),
};
const until = Date.now() + MINUTES * 60_000;
let kills = 0;
let runs = 0;

/** A generator of its own for each writer, from one seed. */
function randoms(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs a program in a group of its own, and kills the whole group after `life` ms, if that is given and it lives so long. */
function run(command: readonly string[], cwd: string, input: string, life: number | undefined): Promise<boolean> {
  runs++;
  return new Promise((resolve) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd, env: environment, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input, 'latin1');
    const timer = setTimeout(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
        kills++;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }, life ?? 60_000);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

const request = (session: string, turn: number, line: string, cwd: string): string =>
  ['shell=bash', `session=${session}`, `turn=${turn}`, `cwd=${cwd}`, 'source=faults', `line=${line}`]
    .map((f) => `${f}\0`)
    .join('');

function project(number: number): string {
  const root = join(top, `p${number}`);
  fs.mkdirSync(join(root, 'sub'), { recursive: true });
  spawnSync('git', ['init', '-q', root], { env: { PATH: environment.PATH } });
  for (let i = 0; i < 30; i++) fs.writeFileSync(join(root, i % 2 ? 'sub' : '.', `f${i}`), `${number} ${i}\n`);
  fs.writeFileSync(join(root, 'big'), Buffer.alloc(200_000, number));
  fs.writeFileSync(join(root, 'Makefile'), 'all:\n\techo made >> made; rm -f f2\n');
  return root;
}

const LINES = [
  'rm -rf sub',
  'rm -f f*',
  'echo x > f4',
  'sed -i s/1/2/ f6',
  'mv f8 f10',
  'make',
  'rm big',
  'truncate -s 0 f12',
];

async function writer(number: number, root: string): Promise<void> {
  const random = randoms(SEED * 100 + number);
  const session = `20250101_000000_${String(number).padStart(6, '0')}`;
  const life = (most: number): number | undefined => (random(2) && !asked.calm ? 1 + random(most) : undefined);
  for (let turn = 1; kills < KILLS && Date.now() < until; turn++) {
    switch (random(5)) {
      case 0:
        await run([...belay, 'undo', '--yes', '--all'], root, '', life(900));
        break;
      case 1:
        await run([...belay, 'rollback', '@2', '--yes', '--all'], root, '', life(900));
        break;
      case 2:
        await run([...belay, 'checkpoints', 'prune', '--yes'], root, '', life(900));
        break;
      default: {
        const line = LINES[random(LINES.length)] ?? 'true';
        fs.writeFileSync(join(root, `f${random(30)}`), `${session} ${turn}\n`);
        await run([...snap, 'hold'], '/', request(session, turn, line, root), life(60));
        spawnSync('bash', ['-c', line], { cwd: root, env: { PATH: environment.PATH }, stdio: 'ignore' });
        await run([...snap, 'end', session, String(turn), String(Date.now() / 1000)], '/', '', life(60));
        await run([...snap, 'settle', '--now'], '/', '', life(400));
      }
    }
  }
}

/** What the log says, once each, numbers aside. */
function loggedFailures(): string[] {
  const file = join(home, 'logs/belay.log');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').map((line) => line.split(' ').slice(2).join(' ').replace(/\d+/g, 'N'));
  return [...new Set(lines)].filter((line) => line !== '').slice(0, 20);
}

fs.mkdirSync(environment.HOME);
fs.mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
const roots = Array.from({ length: Math.ceil(WRITERS / 2) }, (_, i) => project(i));
console.log(`seed ${SEED}, ${WRITERS} writers in ${roots.length} projects, up to ${KILLS} kills or ${MINUTES} minutes`);
await Promise.all(Array.from({ length: WRITERS }, (_, i) => writer(i, roots[i % roots.length] ?? top)));

await run([...snap, 'settle', '--now'], '/', '', undefined);
const differences: string[] = [];
for (const { folder } of pendingTurns(home))
  if (isEnded(folder)) differences.push(`${folder}: ended, and never settled`);
const verified = spawnSync(belay[0] ?? '', [...belay.slice(1), 'checkpoints', 'verify', '--json'], {
  cwd: roots[0],
  env: environment,
  encoding: 'utf8',
});
try {
  const said = JSON.parse(verified.stdout);
  if (said.whole !== true) differences.push(`verify: ${JSON.stringify(said)}`);
} catch {
  differences.push(`verify said: ${verified.stdout}${verified.stderr}`);
}
const compared = await compareStore(home, roots);
differences.push(...compared.differences);
for (const line of differences) console.log(line);
console.log(
  `${runs} runs, ${kills} kills, ${compared.compared} checkpoints and captures compared, ${differences.length} differences`,
);
for (const line of loggedFailures()) console.log(`log: ${line}`);
if (differences.length === 0) fs.rmSync(top, { recursive: true, force: true });
else console.log(`kept: ${top}`);
process.exitCode = differences.length === 0 ? 0 : 1;
