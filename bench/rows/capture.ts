import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, run, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/**
 * A line nobody can parse, with one file changed since the last capture: what it adds to the line, beside the least that git
 * needs to do the same (`add -A` and `write-tree` on an index that is kept).
 */
export function capture(places: readonly Place[], root: string, size: string, rounds: number): readonly Row[] {
  fs.writeFileSync(join(root, 'opaque'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const between = 'printf "%s\\n" "$RANDOM$EPOCHREALTIME" >d0/f1.txt';
  const lines = Array.from({ length: rounds + 1 }, () => './opaque');
  const bareLine = figure(
    atPrompt(undefined, lines, { cwd: root, env: bareEnvironment(top), pause: 0.2, between }).slice(1),
  );
  const git = figure(gitAlone(root, rounds));
  return places.flatMap((place) => {
    const [cold = 0, ...warm] = atPrompt(place, lines, {
      cwd: root,
      env: { ...place.env, ...always(place, size) },
      pause: 1,
      between,
    }).map((span) => span - bareLine.median);
    return [
      {
        what: `first capture before an opaque line, tree of ${size}, ${place.snap}`,
        figure: figure([cold]),
        note: 'added to the line',
      },
      {
        what: `warm capture, one file changed, tree of ${size}, ${place.snap}`,
        figure: figure(warm),
        beside: { what: 'git add -A + write-tree', figure: git },
        note: 'added to the line',
      },
    ];
  });
}

/** A home whose configuration captures before every opaque line whatever it costs; one a tree, so that the first is cold. */
function always(place: Place, size: string): Record<string, string> {
  const home = join(top, place.snap, `home of ${size}`);
  fs.mkdirSync(join(home, '.config/belay'), { recursive: true });
  fs.writeFileSync(
    join(home, '.config/belay/config.yaml'),
    'checkpoints: { opaque: always, budget_ms: 600000, max_files: 1000000 }\n',
  );
  return { HOME: home, BELAY_HOME: join(home, 'belay') };
}

function gitAlone(root: string, rounds: number): number[] {
  const store = join(top, 'bare-store');
  fs.rmSync(store, { recursive: true, force: true });
  run('git', ['init', '-q', '--bare', store], {});
  const out = run('bash', ['bench/bare-capture.bash', store, root, String(rounds + 1)], { cwd: process.cwd() });
  return out.trim().split('\n').slice(1).map(Number);
}
