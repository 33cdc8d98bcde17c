import { isOverSize, pruneWhenDue } from '../prune.ts';
import type { World } from '../world.ts';
import { type Settled, settleAll } from './settle.ts';

/**
 * Settles what is over, and keeps the store within its size meanwhile: after each record that takes it over, old checkpoints go before the next
 * one is written. So it is larger than it may be by one record at most, and by what a collection needs (an eighth of it together).
 */
export async function settleWithin(
  world: World,
  wait: number,
): Promise<{ readonly settled: readonly Settled[]; readonly isPruned: boolean }> {
  const isFull = (): boolean => isOverSize(world);
  const settled: Settled[] = [];
  let isPruned = false;
  for (let goesOn = true; goesOn; isPruned ||= goesOn) {
    const done = await settleAll(world, { wait, isFull });
    if (done.is === 'settled') settled.push(...done.settled);
    goesOn = isFull() && pruneWhenDue(world);
  }
  return { settled, isPruned };
}
