import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, readBytesIfAny } from '../../platform/files.ts';
import { acquire } from '../../platform/lock.ts';
import { join } from '../../platform/paths.ts';
import type { Checkout } from '../checkout.ts';
import { batchesOf, inLanes, sizesOnDisk } from '../disk.ts';
import { installKey, installsFolder } from '../layout.ts';
import { type Proof, proofOf } from '../proof.ts';
import { finishGoing, letGo, type Went } from './going.ts';
import type { Kept, Tool, ToolHome } from './types.ts';

/** What a tool keeps for a checkout that is proved to be deleted. */
export interface ToolState extends Kept {
  readonly tool: Tool;
  readonly bytes: number;
  readonly removed: boolean;
  /** Why it was not, although it may. */
  readonly why?: string;
}

export interface ToolWish {
  readonly where: ToolHome;
  /** Names of those whose things are removed; the others are listed. */
  readonly enabled: ReadonlySet<string>;
  /** belay's own. */
  readonly home: Bytes;
  readonly known: (key: string) => Checkout | undefined;
  readonly dryRun: boolean;
}

/** What other tools keep for deleted checkouts: the same proof as for install states, and no less. */
export async function collectTools(tools: readonly Tool[], wish: ToolWish): Promise<ToolState[]> {
  if (wish.dryRun || wish.enabled.size === 0) return judgeEach(tools, wish, () => ({ removed: true }));
  const lock = acquire(join(wish.home, 'worktrees/.tools.lock'), PATIENCE_MS);
  if (lock === undefined) return judgeEach(tools, wish, () => ({ removed: false, why: 'another belay is at it' }));
  try {
    await finishGoing(wish.home);
    return await judgeEach(tools, wish, (tool, kept) => removeOne(tool, kept, wish));
  } finally {
    lock.release();
  }
}

/** For another run, ms. */
const PATIENCE_MS = 10_000;

type Outcome = Pick<ToolState, 'removed' | 'why'>;

async function judgeEach(
  tools: readonly Tool[],
  wish: ToolWish,
  remove: (tool: Tool, kept: Kept) => Outcome | Promise<Outcome>,
): Promise<ToolState[]> {
  const found = tools.flatMap((tool) => tool.find(wish.where).map((kept) => ({ tool, kept })));
  const orphaned = found.filter(({ kept }) => proofFor(kept, wish).is === 'deleted');
  const out: ToolState[] = [];
  await inLanes(batchesOf(orphaned), 2, async (batch) => {
    const sizes = await sizesOnDisk(batch.map(({ kept }) => kept.path));
    for (const [i, { tool, kept }] of batch.entries()) {
      const one = { tool, ...kept, bytes: sizes[i] ?? 0 };
      out.push({ ...one, ...(wish.enabled.has(tool.name) ? await remove(tool, kept) : { removed: false }) });
    }
  });
  return out.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As of a state that has the path alone, written when the tool's folder was last changed. */
function proofFor({ path, checkout }: Kept, { home, known }: ToolWish): Proof {
  const look = lookAt(path);
  const record = { path: checkout, written: look?.ctime ?? '0' };
  return proofOf({ root: installsFolder(home), key: '', folder: path, record }, known(installKey(checkout)));
}

/** Renamed away at the moment at which it is proved; then deleted. */
async function removeOne(tool: Tool, kept: Kept, wish: ToolWish): Promise<Outcome> {
  const pid = tool.pid === undefined ? undefined : runningIn(join(kept.path, tool.pid));
  if (pid !== undefined) return { removed: false, why: `in use by pid ${pid}` };
  if (proofFor(kept, wish).is !== 'deleted') return { removed: false, why: THERE_AGAIN };
  try {
    const went = await letGo(wish.home, kept);
    if (went === 'deleted') return { removed: true };
    return { removed: false, why: WHY[went] };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return { removed: false, why: `it cannot be renamed (${codeOf(error)})` };
  }
}

const THERE_AGAIN = 'its checkout is there again';

const WHY: Readonly<Record<Exclude<Went, 'deleted'>, string>> = {
  'half deleted': 'not all of it could be deleted',
  'there again': THERE_AGAIN,
  aside: `${THERE_AGAIN}, and it cannot be renamed back: it waits beside its place for the next run`,
};

function runningIn(file: Bytes): string | undefined {
  const pid = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0)).trim();
  return /^\d+$/.test(pid) && lookAt(`/proc/${pid}`) !== undefined ? pid : undefined;
}
