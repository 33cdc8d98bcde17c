import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { type Place, run, top } from '../place.ts';
import { victims } from '../trees.ts';

const SESSION = '20250101_000000_bec0de';
const PATIENCE_MS = 20_000;

/** From the end of a turn to its record in the store: nobody waits for it. Beside the one git process that it needs. */
export function settle(places: readonly Place[], root: string, rounds: number): readonly Row[] {
  const git = figure(Array.from({ length: rounds }, (_, i) => oneImport(i)));
  return places.map((place) => ({
    what: `end and settle of one turn, in the background, ${place.snap}`,
    figure: figure(victims(root, rounds, 1).map(([name = ''], i) => oneSettle(place, root, name, i))),
    beside: { what: 'git fast-import', figure: git },
  }));
}

function oneSettle(place: Place, root: string, name: string, i: number): number {
  const snap = join(place.install, 'bin/belay-snap');
  const fields = {
    shell: 'bash',
    session: SESSION,
    turn: String(i + 1),
    line: `rm ${name}`,
    cwd: root,
    interactive: '1',
  };
  const request = Object.entries(fields).map(([key, value]) => `${key}=${value}\0`);
  run(snap, ['hold'], { env: place.env, input: request.join('') });
  const pending = join(place.env['BELAY_HOME'] ?? '', `checkpoints/pending/${SESSION}/${i + 1}`);
  if (!fs.existsSync(pending)) throw new Error(`${pending} is not there: nothing was held`);
  fs.rmSync(join(root, name));
  const begin = process.hrtime.bigint();
  run(snap, ['end', SESSION, String(i + 1), String(Date.now() / 1000)], { env: place.env });
  while (fs.existsSync(pending)) {
    if (Number(process.hrtime.bigint() - begin) / 1e6 > PATIENCE_MS) throw new Error(`${pending} was not settled`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

function oneImport(i: number): number {
  const store = join(top, 'import-store');
  if (i === 0) run('git', ['init', '-q', '--bare', store], {});
  const text = `blob\nmark :1\ndata 3\n${100 + i}\ncommit refs/x/${i}\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 :1 a\n\n`;
  const begin = process.hrtime.bigint();
  const done = spawnSync('git', ['-C', store, 'fast-import', '--quiet'], { input: text });
  if (done.status !== 0) throw new Error(`fast-import: ${done.stderr}`);
  return Number(process.hrtime.bigint() - begin) / 1e6;
}
