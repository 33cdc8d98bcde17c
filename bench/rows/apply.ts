import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { applySteps } from '../../src/checkpoint/apply/apply.ts';
import type { Step } from '../../src/checkpoint/plan/steps.ts';
import { projectKey } from '../../src/checkpoint/projects.ts';
import { captureTree, readHistory } from '../../src/checkpoint/read.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { fromText, toText } from '../../src/platform/bytes.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';
import { figure, type Row } from '../measure.ts';
import { run, top } from '../place.ts';

/**
 * The same files as in `restore` brought back without the start of a program, the look at the books and the safety checkpoint: modes,
 * owners and times of change as they were, in folders that had gone with them.
 */
export async function apply(root: string, size: string, count: number, rounds: number): Promise<Row> {
  const store = openStore(fromText(join(top, `restores of ${size}`)));
  const done = await capture({ store, root: fromText(root), config: DEFAULTS, budget: 600_000 });
  if (done.kind !== 'captured') throw new Error(`capture: ${done.kind}`);
  const key = projectKey(store, fromText(root));
  const [captured] = readHistory(store, key).captures;
  if (captured === undefined) throw new Error('no capture');
  const files = captureTree(store, captured.id)
    .filter(({ path }) => path.startsWith('d'))
    .slice(0, count);
  const names = files.map(({ path }) => toText(path));
  const folders = [...new Set(names.map(dirname))];
  const steps = [
    ...folders.map((path): Step => ({ ...stepAt(root, path, key), do: 'folder', mode: 0o755, becomes: FOLDER })),
    ...files.map(({ path, oid, size: bytes }): Step => {
      const look = fs.lstatSync(join(root, toText(path)), { bigint: true });
      const mtime = String(look.mtimeNs);
      const becomes = { kind: 'file', mode: 0o644, size: bytes, mtime, content: { at: 'git', oid } } as const;
      const source = { at: 'blob', oid } as const;
      return {
        ...stepAt(root, toText(path), key),
        do: 'file',
        mode: 0o644,
        size: bytes,
        mtime,
        source,
        inPlace: false,
        becomes,
      };
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const own: number[] = [];
  const git: number[] = [];
  const removed = (): void => {
    for (const folder of folders) fs.rmSync(join(root, folder), { recursive: true });
  };
  for (let i = 1; i <= rounds; i++) {
    removed();
    own.push(
      timed(() => {
        const { kept } = applySteps(store, steps, i, {
          minFreePercent: 0,
          roots: new Map([[key, fromText(root)]]),
          tick: () => {},
        });
        if (kept.length > 0) throw new Error(`not brought back: ${kept[0]?.reason}`);
      }),
    );
    removed();
    const input = names.map((name) => `${name}\0`).join('');
    git.push(timed(() => run('git', ['checkout-index', '-f', '-z', '--stdin'], { cwd: root, input })));
  }
  return {
    what: `${count.toLocaleString('en')} removed files brought back, tree of ${size}, without safety checkpoint`,
    figure: figure(own),
    beside: { what: 'git checkout-index', figure: figure(git) },
  };
}

const FOLDER = { kind: 'folder', mode: 0o755 } as const;

const stepAt = (root: string, path: string, key: string) => ({
  path: fromText(join(root, path)),
  key,
  seen: undefined,
});

function timed(action: () => void): number {
  const begin = process.hrtime.bigint();
  action();
  return Number(process.hrtime.bigint() - begin) / 1e6;
}
