import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spaceAt } from '../../src/saving/hold/space.ts';
import { builtSnap } from '../built.ts';
import type { Scene } from './given.ts';

const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist');

/** Lines typed in one session of a scene, and belay's answers, with the built programs. */
export interface Lines {
  /** Saves, runs the line in a real bash, ends the turn. Says what belay-snap said. */
  run(line: string): string;
  /** The same with several lines in one turn (a script's commands). */
  runTurn(lines: readonly string[], env?: Readonly<Record<string, string>>): string;
  /** `belay …` in the project, with `--json`: its document. */
  belay<T = Record<string, unknown>>(...words: string[]): { status: number; json: T };
}

const SESSION = '20250101_000000_abcdef';

/** Said of any large file where the machine that runs the tests has a full disk: no word about what was saved. */
const FULL_DISK = /^belay: \d+ MB stay taken until the checkpoint goes \((\d+) % of the disk is free\); .*\n/gm;

/** That one left aside; of another disk, which a test has filled, it stays. */
function withoutFullDisk(said: string, folder: string): string {
  const free = spaceAt(folder)?.freePercent ?? 100;
  return said.replace(FULL_DISK, (line, percent) => (Math.abs(Number(percent) - free) <= 2 ? '' : line));
}

/**
 * `user`: another one than root; the scene is given to him, and the programs lie in it (the checkout may be closed to him). `own`: another
 * belay-snap than the built one.
 */
export function lines(s: Scene, user?: number, own?: readonly string[]): Lines {
  const snap = own ?? builtSnap();
  const bin = join(s.top, 'bin');
  let start: readonly string[] = [];
  if (user !== undefined) {
    fs.mkdirSync(bin, { mode: 0o755 });
    for (const name of fs.readdirSync(dist).filter((one) => /^belay(-snap)?\./.test(one)))
      fs.copyFileSync(join(dist, name), join(bin, name));
    fs.chmodSync(s.top, 0o755);
    spawnSync('chown', ['-R', `${user}:${user}`, s.top]);
    start = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  }
  const program = user === undefined ? snap : [process.execPath, join(bin, 'belay-snap.cjs')];
  const cli = [process.execPath, join(user === undefined ? dist : bin, 'belay.cjs')];
  const env = { ...Object.fromEntries(s.world.env), BELAY_SESSION: SESSION };
  const call = (
    command: readonly string[],
    cwd: string,
    input: string,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const [first = '', ...rest] = [...start, ...command];
    const done = spawnSync(first, rest, { cwd, env: { ...env, ...more }, input, encoding: 'latin1', timeout: 120_000 });
    if (done.error) throw done.error;
    return done;
  };
  let turn = 0;
  const runTurn = (texts: readonly string[], more: Readonly<Record<string, string>> = {}): string => {
    turn++;
    let said = '';
    for (const line of texts) {
      const who = { shell: 'bash', session: SESSION, turn, cwd: s.root, pid: process.pid };
      const fields = { ...who, source: 'test', interactive: 1, line };
      const request = Object.entries(fields).map(([key, value]) => `${key}=${value}\0`);
      said += withoutFullDisk(call([...program, 'hold'], '/', request.join(''), more).stderr, s.top);
      call(['bash', '-c', line], s.root, '');
    }
    call([...program, 'end', SESSION, String(turn), String(Date.now() / 1000 + 0.001)], '/', '', more);
    return said;
  };
  return {
    runTurn,
    run: (line) => runTurn([line]),
    belay: (...words) => {
      const done = call([...cli, ...words, '--yes', '--json'], s.root, '');
      try {
        return { status: done.status ?? -1, json: JSON.parse(Buffer.from(done.stdout, 'latin1').toString('utf8')) };
      } catch {
        throw new Error(`belay ${words.join(' ')}: ${done.stdout}${done.stderr}`);
      }
    },
  };
}
