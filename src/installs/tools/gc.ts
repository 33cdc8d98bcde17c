import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { codeOf, lookAt, readBytesIfAny } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import type { Checkout } from '../checkout.ts';
import { batchesOf, deleteFolder, inLanes, sizesOnDisk } from '../disk.ts';
import { GONE, installKey } from '../layout.ts';
import { isThere, type Proof, proofOf } from '../proof.ts';
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
  readonly dataRoot: Bytes;
  readonly known: (key: string) => Checkout | undefined;
  readonly dryRun: boolean;
}

/** What other tools keep for deleted checkouts: the same proof as for install states, and no less. */
export async function collectTools(tools: readonly Tool[], wish: ToolWish): Promise<ToolState[]> {
  const found = tools.flatMap((tool) => tool.find(wish.where).map((kept) => ({ tool, kept })));
  const orphaned = found.filter(({ kept }) => proofFor(kept, wish).is === 'deleted');
  const out: ToolState[] = [];
  await inLanes(batchesOf(orphaned), 2, async (batch) => {
    const sizes = await sizesOnDisk(batch.map(({ kept }) => kept.path));
    for (const [i, { tool, kept }] of batch.entries()) {
      const one = { tool, ...kept, bytes: sizes[i] ?? 0 };
      const isWanted = wish.enabled.has(tool.name);
      out.push({ ...one, ...(isWanted && !wish.dryRun ? await removeOne(tool, kept, wish) : { removed: isWanted }) });
    }
  });
  return out.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As of a state that has the path alone, written when the tool's folder was last changed. */
function proofFor({ path, checkout }: Kept, { dataRoot, known }: ToolWish): Proof {
  const look = lookAt(path);
  const record = { path: checkout, written: look?.ctime ?? '0' };
  return proofOf({ root: join(dataRoot, 'installs'), key: '', folder: path, record }, known(installKey(checkout)));
}

/** Renamed away at the moment at which it is proved; then deleted. */
async function removeOne(tool: Tool, kept: Kept, wish: ToolWish): Promise<{ removed: boolean; why?: string }> {
  const pid = tool.pid === undefined ? undefined : runningIn(join(kept.path, tool.pid));
  if (pid !== undefined) return { removed: false, why: `in use by pid ${pid}` };
  try {
    if (proofFor(kept, wish).is !== 'deleted') return { removed: false, why: 'its checkout is there again' };
    const aside = join(dirname(kept.path), `${GONE}${randomHex(6)}`);
    fs.renameSync(toBuffer(kept.path), toBuffer(aside));
    if (isThere(kept.checkout)) {
      fs.renameSync(toBuffer(aside), toBuffer(kept.path));
      return { removed: false, why: 'its checkout is there again' };
    }
    return (await deleteFolder(aside)) ? { removed: true } : { removed: false, why: 'not all of it could be deleted' };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return { removed: false, why: `it cannot be renamed (${codeOf(error)})` };
  }
}

function runningIn(file: Bytes): string | undefined {
  const pid = fromBuffer(readBytesIfAny(file) ?? Buffer.alloc(0)).trim();
  return /^\d+$/.test(pid) && lookAt(`/proc/${pid}`) !== undefined ? pid : undefined;
}
