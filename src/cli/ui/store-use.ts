import { measure } from '../../checkpoint/measure.ts';
import { readHistories } from '../../checkpoint/read.ts';
import type { CheckpointRecord, Version } from '../../checkpoint/record.ts';
import { oidOf } from '../../checkpoint/version.ts';
import { join } from '../../platform/paths.ts';
import type { Context } from '../context.ts';
import { pathKeys } from '../paths.ts';
import type { StoreUse, UsePoint } from './documents.ts';

/** More than a chart has columns for. */
const MOST_POINTS = 600;

/**
 * What the store takes now, and how it came to that as far as anybody knows: nobody notes its size as it grows, so the past is told by the
 * checkpoints that are still there, each with the contents that no earlier one has.
 */
export function storeUse(context: Context): StoreUse {
  const { store, world, home } = context;
  const { max_total_size_mb: most, retention_days } = world.config.checkpoints;
  const base = join(home, 'checkpoints');
  const now = store === undefined ? { store: 0, holds: 0 } : measure(base);
  const records =
    store === undefined
      ? []
      : [...readHistories(store).values()].flatMap(({ checkpoints }) => checkpoints.map(({ record }) => record));
  return {
    points: thinned(pointsOf(records)),
    store_bytes: now.store,
    holds_bytes: now.holds,
    limit_bytes: most < 0 ? null : most * (1 << 20),
    limit_mb: most < 0 ? null : most,
    base: pathKeys(base).path,
    retention_days,
  };
}

function pointsOf(records: readonly CheckpointRecord[]): UsePoint[] {
  const seen = new Set<string>();
  let bytes = 0;
  return [...records]
    .sort((a, b) => a.started - b.started)
    .map((record, i) => {
      for (const { before, after, later = [] } of record.changes)
        for (const version of [before, after, ...later]) {
          const name = keptContent(version);
          if (name === undefined || (name !== '' && seen.has(name))) continue;
          seen.add(name);
          bytes += version.kind === 'file' ? version.size : 0;
        }
      return { t: record.started, bytes, checkpoints: i + 1 };
    });
}

/** What names the content that belay keeps of it; '' where it keeps one that it has no name for, undefined where it keeps none. */
function keptContent(version: Version): string | undefined {
  if (version.kind !== 'file' || version.content.at === 'hash' || version.content.at === 'nowhere') return undefined;
  return oidOf(version.content) ?? '';
}

/** The last of each stretch, and the very first. */
function thinned(points: readonly UsePoint[]): UsePoint[] {
  const step = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, i) => i === 0 || i === points.length - 1 || i % step === 0);
}
