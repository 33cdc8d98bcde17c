import { openStore } from '../checkpoint/store.ts';
import { writeRecord } from '../checkpoint/write.ts';
import type { Bytes } from '../platform/bytes.ts';
import { newSessionId } from '../turns/ids.ts';
import { nextOrder } from '../turns/order.ts';
import { capture } from './capture/capture.ts';
import type { World } from './world.ts';

/** A person waits for it, so it may take its time. */
const BUDGET_MS = 600_000;

export type Manual =
  | { readonly is: 'written'; readonly n: number; readonly capture: number; readonly leftOut: number }
  /** `too large`: no capture of it is to be had; `failed`: one that should have been. */
  | { readonly is: 'not captured'; readonly because: 'too large' | 'failed'; readonly why: string };

/** A checkpoint that was asked for: the whole project as it is now, listed with its label. */
export async function checkpointNow(
  world: World & { readonly home: Bytes },
  root: Bytes,
  about: { readonly label: string; readonly cwd: Bytes; readonly session: string | undefined },
): Promise<Manual> {
  const store = openStore(world.home);
  const order = nextOrder(world.home);
  const done = await capture({ store, root, config: world.config, budget: BUDGET_MS });
  if (done.kind === 'failed') return { is: 'not captured', because: 'failed', why: done.why };
  if (done.kind === 'left out')
    return { is: 'not captured', because: done.because === 'busy' ? 'failed' : 'too large', why: done.why };
  const now = Date.now();
  const written = writeRecord(
    store,
    root,
    {
      kind: 'manual',
      scope: 'full',
      session: about.session ?? newSessionId(new Date()),
      turn: `manual-${order}`,
      order: nextOrder(world.home),
      started: now,
      ended: now,
      line: '',
      verbs: [],
      cwd: about.cwd,
      shell: '',
      source: 'cli',
      ...(about.label === '' ? {} : { label: about.label }),
      changes: [],
      leftOut: done.leftOut,
      nested: [],
      captureBefore: done.m,
      gitBefore: [],
      gitAfter: [],
    },
    new Map(),
  );
  return { is: 'written', n: written.n, capture: done.m, leftOut: done.leftOut.length };
}
