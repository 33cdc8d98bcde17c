import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { collectInstalls } from '../../src/installs/gc.ts';
import { installKey } from '../../src/installs/layout.ts';
import { record } from '../../src/installs/prepare.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { factsOf } from '../../src/worktrees/facts.ts';
import { sizesOf } from '../../src/worktrees/sizes.ts';
import { homeOf, treesOf } from '../../src/worktrees/trees.ts';
import { figure, type Row } from '../measure.ts';
import { run, top } from '../place.ts';

const since = (begin: bigint): number => Number(process.hrtime.bigint() - begin) / 1e6;

/** Install states of deleted checkouts, sizes told, beside `rm -rf` of the same. */
export async function reclaim(count: number, files: number): Promise<Row> {
  const root = join(top, 'states/installs');
  states(root, count, files);
  let begin = process.hrtime.bigint();
  const done = await collectInstalls({ roots: [fromText(root)], known: () => undefined });
  const own = since(begin);
  if (done.reclaimed.length !== count) throw new Error(`${done.reclaimed.length} of ${count} were reclaimed`);
  states(root, count, files);
  begin = process.hrtime.bigint();
  spawnSync('rm', ['-rf', '--', ...fs.readdirSync(root).map((name) => join(root, name))]);
  return {
    what: `gc of ${count} states of ${files} files`,
    figure: figure([own]),
    beside: { what: 'rm -rf', figure: figure([since(begin)]) },
  };
}

function states(root: string, count: number, files: number): void {
  for (let i = 0; i < count; i++) {
    const checkout = join(top, 'states/.worktrees', `c${i}`);
    fs.mkdirSync(checkout, { recursive: true });
    const folder = join(root, installKey(fromText(checkout)));
    for (let j = 0; j < files; j++) {
      const place = join(folder, `environments/g/d${Math.floor(j / 100)}`);
      if (j % 100 === 0) fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(join(place, `f${j}.js`), `module.exports = ${j};\n`);
    }
    record(fromText(folder), fromText(checkout));
    fs.rmdirSync(checkout);
  }
}

/** Facts, verdicts' worth, and sizes of many worktrees, beside `git status` in each, one after the other. */
export async function worktrees(count: number): Promise<Row> {
  const root = join(top, 'with worktrees');
  fs.mkdirSync(root, { recursive: true });
  const git = (...args: string[]): unknown =>
    run('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {});
  git('init', '-q', '-b', 'main');
  for (let i = 0; i < 100; i++) fs.writeFileSync(join(root, `f${i}`), `${i}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  for (let i = 0; i < count; i++) git('worktree', 'add', '-q', '-b', `b${i}`, join(root, '.worktrees', `t${i}`));
  const home = homeOf(fromText(root));
  if (home === undefined) throw new Error('no repository');
  const belayHome = fromText(join(top, 'home of worktrees'));
  let begin = process.hrtime.bigint();
  const trees = treesOf(home.commonDir);
  const paths = trees.map(({ path }) => path);
  await Promise.all([factsOf(trees, { home, config: DEFAULTS, belayHome, own: new Set() }), sizesOf(belayHome, paths)]);
  const own = since(begin);
  begin = process.hrtime.bigint();
  for (const { path } of trees) run('git', ['-C', path, 'status', '--porcelain'], {});
  return {
    what: `worktree list of ${count} trees`,
    figure: figure([own]),
    beside: { what: 'git status in each', figure: figure([since(begin)]) },
  };
}
