import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { type Pruned, prune } from '../../src/checkpoint/prune.ts';
import type { TurnRecord, Version } from '../../src/checkpoint/record.ts';
import { NOTHING_RESTS, type Resting } from '../../src/checkpoint/resting.ts';
import type { RetentionRules } from '../../src/checkpoint/retention.ts';
import type { Store } from '../../src/checkpoint/store.ts';
import type { Draft } from '../../src/checkpoint/write.ts';

/** A temporary home and project root, gone when the process ends. */
export function scratch(): { readonly top: string; readonly home: string; readonly root: string } {
  const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-test-')));
  process.on('exit', () => fs.rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'project');
  fs.mkdirSync(root);
  return { top, home: join(top, 'home'), root };
}

export const absent: Version = { kind: 'absent' };

export const file = (content: Uint8Array, mode = 0o644): Version => ({
  kind: 'file',
  mode,
  size: content.byteLength,
  content: { at: 'git', oid: blobOid(content) },
});

let order = 0;

/** A turn's draft with everything that a test does not care about filled in. */
export function turn(given: Partial<TurnRecord>): Draft {
  order++;
  return {
    kind: 'turn',
    scope: 'targets',
    session: '20250101_000000_abcdef',
    turn: String(order),
    order,
    started: Date.now() - 3_600_000 + order * 1000,
    ended: Date.now() - 3_599_500 + order * 1000 + 0.102, // as a shell tells it
    line: 'rm x',
    verbs: ['rm'],
    cwd: '/',
    shell: 'bash',
    source: 'cli',
    changes: [],
    leftOut: [],
    nested: [],
    gitBefore: [],
    gitAfter: [],
    ...given,
  };
}

/** Prunes by these rules; nothing is pending where a test does not say so. */
export const pruneBy = (store: Store, rules: RetentionRules, now: number, resting: Resting = NOTHING_RESTS): Pruned =>
  prune(store, { rules, now, resting, farMark: 'test0000-' });
