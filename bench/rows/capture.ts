import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../../src/checkpoint/store.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture as takeCapture } from '../../src/saving/capture/capture.ts';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, run, top } from '../place.ts';

const CONFIG = { ...DEFAULTS, checkpoints: { ...DEFAULTS.checkpoints, max_files: 1_000_000 } };

/**
 * Captures of a tree without the start of a program: the first, and warm ones after 0, 1 and 500 changes, beside the least that git needs
 * to do the same (`add -A` and `write-tree` on an index that is kept).
 */
export async function capture(root: string, size: string, rounds: number): Promise<readonly Row[]> {
  const store = openStore(fromText(join(top, `captures of ${size}`)));
  const taken = async (): Promise<number> => {
    const begin = process.hrtime.bigint();
    const done = await takeCapture({ store, root: fromText(root), config: CONFIG, budget: 600_000 });
    if (done.kind !== 'captured' && done.kind !== 'unchanged') throw new Error(`capture: ${done.kind} (${done.why})`);
    return Number(process.hrtime.bigint() - begin) / 1e6;
  };
  const bare = gitAlone(root);
  const bareFirst = await bare.taken();
  const rows: Row[] = [
    {
      what: `first capture, tree of ${size}`,
      figure: figure([await taken()]),
      beside: { what: 'git add -A + write-tree, no index', figure: figure([bareFirst]) },
    },
  ];
  for (const changes of [0, 1, 500]) {
    const [own, gits]: [number[], number[]] = [[], []];
    for (let i = 0; i <= rounds; i++) {
      change(root, changes, i);
      own.push(await taken());
      change(root, changes, i);
      gits.push(await bare.taken());
    }
    rows.push({
      what: `warm capture, ${changes} changed, tree of ${size}`,
      figure: figure(own.slice(1)),
      beside: { what: 'git add -A + write-tree, in turns', figure: figure(gits.slice(1)) },
    });
  }
  bare.end();
  return rows;
}

/** Other bytes in the first `count` files of the tree. */
function change(root: string, count: number, round: number): void {
  for (let i = 0; i < count; i++)
    fs.writeFileSync(
      join(root, `d${Math.floor(i / 100)}/f${i % 100}.txt`),
      `${round} ${i} ${process.hrtime.bigint()}\n`,
    );
}

/** git without belay on an index of its own, started by a small shell; taken in turns, so that what else the machine does falls on both. */
function gitAlone(root: string): { readonly taken: () => Promise<number>; readonly end: () => void } {
  const store = join(top, 'bare-store');
  fs.rmSync(store, { recursive: true, force: true });
  run('git', ['init', '-q', '--bare', store], {});
  const shell = spawn('bash', ['bench/bare-capture.bash', store, root], {
    env: { ...bareEnvironment(top) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  return {
    taken: async () => {
      shell.stdin.write('\n');
      const { value } = await answers.next();
      if (value === undefined) throw new Error('git alone failed');
      return Number(value);
    },
    end: () => shell.stdin.end(),
  };
}
