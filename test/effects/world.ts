import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { planLine } from '../../src/effects/plan.ts';
import type { Plan } from '../../src/effects/types.ts';
import { toBuffer } from '../../src/platform/bytes.ts';
import type { Line, ShellName } from '../../src/shell/types.ts';

/** A temporary tree with a git marker, in which lines are planned. Paths in answers are relative to it. */
export interface Tree {
  readonly root: string;
  plan(text: string, more?: Partial<Line>): Plan;
  /** `write-in-place a`, `delete build/ exposed`: targets, paths relative. */
  targets(text: string, more?: Partial<Line>): string[];
  /** Destructive effects' paths, relative, each once. */
  lost(text: string, more?: Partial<Line>): string[];
  relative(path: string): string;
}

/** Names are bytes, as everywhere inside. `{ 'a.txt': 'one', 'sub/': '', 'link -> a.txt': '' }`. */
export function tree(files: Readonly<Record<string, string>>): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-effects-')));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main\n', ...files })) {
    const [path = '', to] = name.split(' -> ');
    mkdirSync(toBuffer(dirname(join(root, path))), { recursive: true });
    if (to !== undefined) symlinkSync(toBuffer(to), toBuffer(join(root, path)));
    else if (path.endsWith('/')) mkdirSync(toBuffer(join(root, path)), { recursive: true });
    else writeFileSync(toBuffer(join(root, path)), content);
  }
  const relative = (path: string): string =>
    path === root ? '.' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const plan: Tree['plan'] = (text, more = {}) =>
    planLine({
      text,
      shell: 'bash' as ShellName,
      cwd: root,
      variables: new Map([
        ['HOME', '/nonexistent-home'],
        ['PATH', process.env['PATH'] ?? ''],
        ['PWD', more.cwd ?? root],
      ]),
      aliases: new Map(),
      functions: new Map(),
      options: new Set(),
      ...more,
    });
  return {
    root,
    plan,
    relative,
    targets: (text, more) =>
      plan(text, more).targets.map(
        (target) =>
          `${target.way} ${relative(target.path)}${target.recursive ? '/' : ''}${target.exposed ? ' exposed' : ''}${target.deferred ? ' deferred' : ''}`,
      ),
    lost: (text, more) => [
      ...new Set(
        plan(text, more)
          .effects.filter((effect) => effect.destructive)
          .map((effect) => relative(effect.path)),
      ),
    ],
  };
}
