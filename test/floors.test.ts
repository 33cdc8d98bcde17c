import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType, type IModule } from 'dependency-cruiser';
import { suite } from 'uvu';

/** Lowest first. A file imports only from its own floor or below; the folders of one floor may know each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['platform'],
  ['shell'],
  ['effects'],
  ['checkpoint'],
  ['turns'],
  ['saving'],
  ['sessions', 'worktrees', 'installs'],
  ['agents'],
  ['snap'],
  ['cli'],
];

/** What belay-snap must not load before it knows that it needs it: its start is part of every destructive line. */
const HEAVY = /node_modules\/(execa|cosmiconfig|picocolors|better-sqlite3|js-yaml)\//;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = (floor: readonly string[]): string => `^src/(${floor.join('|')})/`;

const forbidden: IForbiddenRuleType[] = FLOORS.slice(0, -1).map((floor, height) => ({
  name: `${floor.join(', ')} imports only from its own floor or below`,
  severity: 'error',
  from: { path: folder(floor) },
  to: { path: folder(FLOORS.slice(height + 1).flat()) },
}));

async function look(types: boolean): Promise<ICruiseResult> {
  const { output } = await cruise(
    ['src'],
    {
      baseDir: root,
      validate: true,
      tsPreCompilationDeps: types,
      ruleSet: { forbidden },
      doNotFollow: { path: 'node_modules' },
    },
    { extensions: ['.ts', '.tsx', '.js', '.json'], conditionNames: ['import', 'node'], exportsFields: ['exports'] },
  );
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text');
  return output;
}

/** Once for both that ask. */
let withTypes: Promise<ICruiseResult> | undefined;
const whole = (): Promise<ICruiseResult> => (withTypes ??= look(true));

const floors = suite('floors');

floors('every source file lies on a floor', () => {
  const strange = readdirSync(join(root, 'src')).filter((name) => !FLOORS.flat().includes(name));
  assert.deepEqual(strange, []);
});

floors('a file imports only from its own floor or below, types included', async () => {
  const { summary, modules } = await whole();
  assert.ok(modules.length > 5, 'the sources were found');
  assert.deepEqual(
    summary.violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule.name}`),
    [],
  );
});

floors('every import leads somewhere', async () => {
  const { modules } = await whole();
  const lost = modules.flatMap(({ source, dependencies }) =>
    dependencies.filter((to) => to.couldNotResolve).map((to) => `${source} -> ${to.module}`),
  );
  assert.deepEqual(lost, []);
});

floors('belay-snap loads nothing heavy at its start', async () => {
  const { modules } = await look(false);
  const byName = new Map(modules.map((module): [string, IModule] => [module.source, module]));
  const seen = new Set<string>();
  const heavy: string[] = [];
  const walk = (source: string): void => {
    if (seen.has(source)) return;
    seen.add(source);
    for (const to of byName.get(source)?.dependencies ?? []) {
      if (to.dynamic) continue;
      if (HEAVY.test(to.resolved)) heavy.push(`${source} -> ${to.resolved}`);
      else walk(to.resolved);
    }
  };
  walk('src/snap/main.ts');
  assert.ok(seen.size > 3, 'the graph was walked');
  assert.deepEqual(heavy, []);
});

floors.run();
