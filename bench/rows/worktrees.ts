import fs from 'node:fs';
import { join } from 'node:path';
import { planLine } from '../../src/effects/plan.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { noteLeaving } from '../../src/saving/leaving.ts';
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

function timed(work: () => unknown): number {
  const begin = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

const some = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** `belay worktree list`, whole: the first one, which measures every size, and a second; beside `git status` in each, one after the other. */
export function list(place: Place, count: number): readonly Row[] {
  const root = repository('with worktrees', some(count, 't'));
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

/**
 * `git worktree remove` at the prompt, from Enter to the next prompt: the saving, and the note that has the hook run when the turn is over.
 * The note by itself is what the hook adds.
 */
export function hook(places: readonly Place[], rounds: number): readonly Row[] {
  const typed = (place: Place | undefined): number[] => {
    const names = some(rounds + 1, `${place?.snap ?? 'bare'}-`);
    const cwd = repository(`leaving ${place?.snap ?? 'bare'}`, names);
    const lines = names.map((name) => `git worktree remove .worktrees/${name}`);
    return atPrompt(place, lines, { cwd, env: place?.env ?? bareEnvironment(top), pause: PAUSE }).slice(1);
  };
  const beside = { what: 'bare git', figure: figure(typed(undefined)) };
  return [
    ...places.map((place) => ({ what: `git worktree remove, ${place.snap}`, figure: figure(typed(place)), beside })),
    { what: 'of that the note for the hook', figure: figure(notes(rounds)) },
  ];
}

function notes(rounds: number): number[] {
  const cwd = fromText(repository('leaving by plan', ['one']));
  const variables = new Map([['PATH', process.env['PATH'] ?? '']]);
  const shell = { shell: 'bash', aliases: new Map(), functions: new Map(), options: new Set<string>() } as const;
  const plan = planLine({ text: 'git worktree remove .worktrees/one', cwd, variables, ...shell });
  const home = join(top, 'home of notes');
  const all = Array.from({ length: rounds }, () => timed(() => noteLeaving(plan, fromText(home))));
  if (fs.readdirSync(join(home, 'worktrees/leaving')).length !== rounds) throw new Error('no note was written');
  return all;
}
