import fs from 'node:fs';
import { join } from 'node:path';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, run, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/** Seconds at a prompt before the next line: long enough for the background to be done. */
const PAUSE = 0.4;

/** A repository of 100 files, and worktrees of it. */
function repository(name: string, names: readonly string[]): string {
  const root = join(top, name);
  fs.mkdirSync(root, { recursive: true });
  const git = (...args: string[]): unknown =>
    run('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {});
  git('init', '-q', '-b', 'main');
  for (let i = 0; i < 100; i++) fs.writeFileSync(join(root, `f${i}`), `${i}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  for (const one of names) git('worktree', 'add', '-q', '-b', one, join(root, '.worktrees', one));
  return root;
}

const some = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** `belay worktree list`, whole: the first one, which measures every size, and a second; beside `git status` in each, one after the other. */
export function list(place: Place, count: number): readonly Row[] {
  const root = repository('with worktrees', some(count, 't'));
  const timed = (work: () => unknown): number => {
    const begin = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - begin) / 1e6;
  };
  const told = (): number =>
    timed(() => run(join(place.install, 'bin/belay'), ['worktree', 'list', '--json'], { cwd: root, env: place.env }));
  const [first, again] = [told(), told()];
  const each = timed(() => {
    for (const name of fs.readdirSync(join(root, '.worktrees')))
      run('git', ['-C', join(root, '.worktrees', name), 'status', '--porcelain'], {});
  });
  const beside = { what: 'git status in each', figure: figure([each]) };
  return [
    { what: `worktree list of ${count} trees`, figure: figure([first]), beside },
    { what: 'the same again, sizes kept', figure: figure([again]), beside },
  ];
}

/** `git worktree remove` at the prompt, from Enter to the next prompt: the saving, and the note that has the hook run later. */
export function hook(places: readonly Place[], rounds: number): readonly Row[] {
  const typed = (place: Place | undefined): number[] => {
    const names = some(rounds + 1, `${place?.snap ?? 'bare'}-`);
    const cwd = repository(`leaving ${place?.snap ?? 'bare'}`, names);
    const lines = names.map((name) => `git worktree remove .worktrees/${name}`);
    return atPrompt(place, lines, { cwd, env: place?.env ?? bareEnvironment(top), pause: PAUSE }).slice(1);
  };
  const bare = figure(typed(undefined));
  return places.map((place) => ({
    what: `git worktree remove, ${place.snap}`,
    figure: figure(typed(place)),
    beside: { what: 'bare git', figure: bare },
  }));
}
