/**
 * Tries git lines for real: each is planned, then run, and whatever really changed must have been in the plan. Files: a target, `create`
 * for what came into being. HEAD, index, refs, stash: the repository is one whose state is kept. Content that nothing holds
 * afterwards makes a line destructive, and a line after which everything is still held is not.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../../src/effects/plan.ts';
import type { Plan } from '../../../src/effects/types.ts';
import { fromText } from '../../../src/platform/bytes.ts';
import { type Box, openBox, reachable, type State, stateOf } from './box.ts';

export interface Case {
  readonly line: string;
  /** Shell text run in `proj` before. */
  readonly setup?: string;
  /** From the box; default `proj`. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: what the run says; `either` where that is a matter of taste. */
  readonly destructive?: boolean | 'either';
  /** What changes cannot be known path by path: a capture counts as the answer for the files. */
  readonly capture?: boolean;
  /** A new tree of its own comes into being there, in full view: nothing of it is in the plan. */
  readonly makes?: string;
  /** The command only adds (a commit, an index entry, a ref): its git state need not be kept. */
  readonly adds?: boolean;
}

export function differential(family: string, cases: readonly (string | Case)[]): void {
  for (const each of cases) {
    const one = typeof each === 'string' ? { line: each } : each;
    test(`${family}: ${one.setup ? `[${one.setup}] ` : ''}${one.line}`, () => check(one));
  }
}

let opened: Box | undefined;

function check(one: Case): void {
  opened ??= openBox();
  const box = opened;
  box.reset(one.setup);
  const cwd = path.join(box.root, one.cwd ?? 'proj');
  const env = { ...box.env, ...one.env };
  const before = stateOf(box.root);
  const plan = planLine({
    text: fromText(one.line),
    shell: 'bash',
    cwd: fromText(cwd),
    variables: new Map(Object.entries({ ...env, PWD: cwd }).map(([key, value]) => [key, fromText(value)])),
    aliases: new Map(),
    functions: new Map(),
    options: new Set(),
  });
  assert.equal(difference(before, stateOf(box.root)), [], 'planning changed something');
  const held = one.setup ? reachable(before, box.env) : box.reachable;
  const ran = spawnSync('bash', ['-c', one.line], { cwd, env, timeout: 60_000, input: '' });
  const after = stateOf(box.root);
  const said = [
    `status ${ran.status}`,
    String(ran.stderr).slice(0, 600),
    ...difference(before, after).map((name) => `changed ${name}`),
    ...short(plan),
  ]
    .join('\n')
    .replaceAll(box.root, '');
  const missed = missing(box.root, plan, before, after, one);
  assert.ok(
    missed.length === 0,
    `not in the plan: ${missed.map((name) => name.replace(box.root, '')).join(', ')}\n${said}`,
  );
  assert.ok(one.capture || plan.captures.length === 0, `captured although every path can be known\n${said}`);
  const expected = one.destructive ?? verdict(before, after, held, () => reachable(after, box.env));
  if (expected !== 'either') assert.ok(plan.destructive === expected, `destructive? ${expected}\n${said}`);
}

export const short = (plan: Plan): string[] => [
  ...plan.effects.map(
    (effect) => `${effect.destructive ? 'LOSES ' : ''}${effect.way} ${effect.path} ${effect.certainty}`,
  ),
  ...plan.targets.map((target) => `target ${target.way} ${target.path}${target.recursive ? '/' : ''}`),
  ...plan.git.map((target) => `git ${target.gitDir}`),
  ...plan.captures.map((capture) => `capture ${capture.folder} ${capture.why}`),
  ...plan.remarks,
];

/** Names of what differs: a path, or a git folder with the part of its state. */
export function difference(before: State, after: State): string[] {
  const out: string[] = [];
  for (const at of new Set([...before.files.keys(), ...after.files.keys()]))
    if (before.files.get(at) !== after.files.get(at))
      out.push(
        `${at}: ${before.files.get(at)?.slice(0, 8) ?? 'nothing'} -> ${after.files.get(at)?.slice(0, 8) ?? 'nothing'}`,
      );
  for (const at of new Set([...before.git.keys(), ...after.git.keys()]))
    out.push(...parts(before, after, at).map((part) => `${at}: ${part}`));
  return out;
}

function parts(before: State, after: State, gitDir: string): string[] {
  const [was, is] = [before.git.get(gitDir), after.git.get(gitDir)];
  if (!was || !is) return [was ? 'gone' : 'new'];
  return [
    ...(was.head === is.head ? [] : ['HEAD']),
    ...(same(was.index, is.index) ? [] : ['index']),
    ...(same(was.refs, is.refs) ? [] : ['refs']),
    ...(was.stash === is.stash ? [] : ['stash']),
    ...(is.logs.startsWith(was.logs) || grown(was.logs, is.logs) ? [] : ['logs']),
  ];
}

/** Every line that was there still is. */
const grown = (was: string, is: string): boolean => {
  const lines = new Set(is.split('\n'));
  return was.split('\n').every((line) => lines.has(line));
};

const same = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);

export function missing(root: string, plan: Plan, before: State, after: State, one: Case): string[] {
  const out: string[] = [];
  const inside = (at: string, folder: string): boolean => at === folder || at.startsWith(`${folder}/`);
  const covered = (at: string): boolean =>
    plan.targets.some(
      (target) =>
        target.path === at ||
        (inside(at, target.path) && (target.recursive || before.files.get(target.path) !== 'folder')) ||
        (target.way === 'move' && target.to !== undefined && inside(at, target.to)),
    ) ||
    (one.capture === true && plan.captures.some((capture) => inside(at, capture.folder)));
  for (const at of new Set([...before.files.keys(), ...after.files.keys()])) {
    const [was, is] = [before.files.get(at), after.files.get(at)];
    if (was === is || covered(at)) continue;
    if (one.makes !== undefined && inside(at, path.join(root, one.makes))) continue;
    // an empty folder comes and goes with the files in it
    if (
      was === 'folder' &&
      is === undefined &&
      [...before.files.keys()].some((other) => other !== at && inside(other, at))
    )
      continue;
    if (
      was === undefined &&
      is === 'folder' &&
      [...after.files.keys()].some((other) => other !== at && inside(other, at))
    )
      continue;
    out.push(at);
  }
  if (one.adds) return out;
  for (const gitDir of before.git.keys()) {
    const what = parts(before, after, gitDir);
    if (what.length === 0) continue;
    const kept = plan.git.some(
      (target) =>
        target.gitDir === gitDir ||
        (target.commonDir === gitDir && what.every((part) => part !== 'index' && part !== 'HEAD')),
    );
    const logsOnly = what.every((part) => part === 'logs' || part === 'stash');
    const whole = plan.targets.some(
      (target) => target.recursive && inside(logsOnly ? `${gitDir}/logs` : gitDir, target.path),
    );
    if (!kept && !whole) out.push(`${gitDir}: ${what.join(' ')}`);
  }
  return out;
}

/** Whether something that was there is nowhere any more. */
export function verdict(
  before: State,
  after: State,
  held: ReadonlySet<string>,
  now: () => ReadonlySet<string>,
): boolean | 'either' {
  const changed = [...before.files].filter(([at, was]) => was !== 'folder' && after.files.get(at) !== was);
  const gitChanged = [...before.git.keys()].flatMap((gitDir) => parts(before, after, gitDir));
  if (changed.length === 0 && gitChanged.length === 0) return false;
  const still = now();
  const elsewhere = new Set([...after.files].filter(([at]) => !before.files.has(at)).map(([, is]) => is));
  const oid = (value: string): string => value.slice(2);
  if (changed.some(([, was]) => !still.has(oid(was)) && !elsewhere.has(was))) return true;
  if ([...held].some((object) => !still.has(object))) return true;
  const mode = changed.some(([at, was]) => oid(after.files.get(at) ?? '') === oid(was));
  const gone = gitChanged.some((part) => part === 'gone' || part === 'stash' || part === 'logs');
  const refs = [...before.git].some(([gitDir, was]) =>
    [...was.refs].some(([name, value]) => after.git.get(gitDir)?.refs.get(name) !== value),
  );
  const staged = [...before.git].some(([gitDir, was]) =>
    [...was.index].some(
      ([name, value]) => after.git.get(gitDir)?.index.get(name) !== value && !still.has(value.split(' ')[1] ?? ''),
    ),
  );
  return mode || gone || refs || staged ? 'either' : false;
}
