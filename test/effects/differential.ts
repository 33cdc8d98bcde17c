/**
 * Runs a line for real in a folder of its own and compares what changed with what the plan named before: everything that
 * changed, vanished or appeared must be a target, lie in a recursive one, or below a folder that is captured.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../src/effects/plan.ts';
import type { Plan } from '../../src/effects/types.ts';
import { type Bytes, fromText, toText } from '../../src/platform/bytes.ts';
import { lookAt, namesIn, readBytes, readLink } from '../../src/platform/files.ts';

export interface Case {
  readonly line: string;
  /** Programs it needs; skipped where one is missing. */
  readonly needs?: string;
  /** Default bash. */
  readonly shell?: 'bash' | 'zsh' | 'fish' | 'sh';
  /** Shell text that prepares the folder. */
  readonly setup?: string;
  /** What has to be destructive; default: whatever the run says (something that was there changed). */
  readonly destructive?: boolean;
  /** A capture is no answer: the paths have to be named. */
  readonly named?: boolean;
}

const FIXTURE: Readonly<Record<string, string>> = {
  'data.csv': 'row3,1\nrow1,2\nrow2,3\n',
  'notes.txt': 'notes\n',
  'a.txt': 'a one\n',
  'b.txt': 'b two\n',
  'src/main.c': 'int main(void){return 0;}\n',
  'src/util.c': 'util\n',
  'src/old/x.c': 'x\n',
  'sub/a.txt': 'sa\n',
  'sub/b.txt': 'sb\n',
  'dist/main.c': 'dm\n',
  'dist/app.js': 'dj\n',
};

function furnish(folder: string): void {
  for (const name of ['src/old', 'sub', 'dist', 'empty']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(FIXTURE)) fs.writeFileSync(path.join(folder, name), text);
  fs.symlinkSync('data.csv', path.join(folder, 'link'));
  fs.symlinkSync('sub', path.join(folder, 'linkdir'));
}

/** Nobody's own settings. */
const PLAIN = { bash: [], zsh: ['-f'], fish: ['--no-config'], sh: [] } as const;

const looked = new Map<string, boolean>();

const present = (programs: string): boolean =>
  programs.split(' ').every((name) => {
    const found = looked.get(name) ?? (name === '' || spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
    looked.set(name, found);
    return found;
  });

type State = ReadonlyMap<Bytes, string>;

/** Every path below, as bytes. */
function stateOf(root: Bytes): State {
  const state = new Map<Bytes, string>();
  const visit = (folder: Bytes): void => {
    for (const name of namesIn(folder)) {
      const at = `${folder}/${name}`;
      const look = lookAt(at);
      if (look?.type === 'folder') {
        state.set(at, `folder ${look.mode}`);
        visit(at);
      } else if (look?.type === 'link') state.set(at, `link ${readLink(at)}`);
      else if (look?.type === 'file') {
        state.set(at, `file ${look.mode} ${createHash('sha1').update(readBytes(at)).digest('hex')}`);
      } else state.set(at, 'special');
    }
  };
  visit(root);
  return state;
}

/** What was no folder before is put back whole, whatever lies there now. */
function covered(plan: Plan, bytes: Bytes, named: boolean, before: State): boolean {
  const inside = (folder: string): boolean => bytes === folder || bytes.startsWith(`${folder}/`);
  if (
    plan.targets.some(
      (target) =>
        bytes === target.path ||
        ((target.recursive || !before.get(target.path)?.startsWith('folder')) && inside(target.path)),
    )
  )
    return true;
  return !named && plan.captures.some((capture) => inside(capture.folder));
}

export function differential(title: string, cases: readonly Case[]): void {
  for (const one of cases) {
    const needs = one.needs ?? one.shell ?? (one.line.split(' ')[0] as string);
    const run = present(needs) ? test : test.skip;
    run(`${title}: ${one.line.slice(0, 200)}`, () => check(one));
  }
}

function check(one: Case): void {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-diff-')));
  try {
    const cwd = path.join(root, 'w');
    fs.mkdirSync(cwd);
    fs.mkdirSync(path.join(root, 'home'));
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(root, 'home'),
      TMPDIR: root,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
    };
    furnish(cwd);
    if (one.setup) execFileSync('bash', ['-ec', one.setup], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const before = stateOf(fromText(cwd));
    const plan = planLine({
      text: fromText(one.line),
      shell: one.shell ?? 'bash',
      cwd: fromText(cwd),
      variables: new Map(Object.entries({ ...env, PWD: cwd }).map(([key, value]) => [key, fromText(value)])),
      aliases: new Map(),
      functions: new Map(),
      options: new Set(),
    });
    const ran = spawnSync(one.shell ?? 'bash', [...PLAIN[one.shell ?? 'bash'], '-c', one.line], {
      cwd,
      env,
      timeout: 60_000,
      input: '',
    });
    const after = stateOf(fromText(cwd));
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at) !== after.get(at));
    const missed = changed.filter((at) => !covered(plan, at, one.named === true, before));
    const said = `${one.line}\nstderr: ${ran.stderr}\nplan: ${JSON.stringify({ targets: plan.targets, captures: plan.captures }, null, 1)}`;
    assert.equal(
      missed.map((at) => toText(at)),
      [],
      said,
    );
    const lost = changed.some((at) => before.has(at));
    const expected = one.destructive ?? (lost ? true : undefined);
    if (expected !== undefined)
      assert.is(plan.destructive, expected, `${said}\neffects: ${JSON.stringify(plan.effects)}`);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
