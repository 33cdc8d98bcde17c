import type { Bytes } from '../../platform/bytes.ts';
import { namesVisible } from '../../platform/files.ts';
import { basename, dirname } from '../../platform/paths.ts';

/**
 * Which folders count as reached by a line whose targets lie in them: `any` target's; those of a `hidden` one, which a pattern
 * like `.[!.]*` or a walk may have named; or those of which `all` hidden entries go, so that a pattern did.
 */
export type Reach = 'any' | 'hidden' | 'all';

/** The folders in which a name that is made now, `.belay-<uid>`, may be taken for one more target when the line runs. */
export function besideTargets(targets: readonly Bytes[], reach: Reach): Bytes[] {
  const names = new Map<Bytes, Set<Bytes>>();
  for (const target of targets) {
    const folder = dirname(target);
    const known = names.get(folder);
    if (known === undefined) names.set(folder, new Set([basename(target)]));
    else known.add(basename(target));
  }
  return [...names]
    .filter(([folder, gone]) => reach === 'any' || isReached(folder, gone, reach))
    .map(([folder]) => folder);
}

const isHidden = (name: Bytes): boolean => name.startsWith('.');

function isReached(folder: Bytes, gone: ReadonlySet<Bytes>, reach: Reach): boolean {
  const hidden = [...gone].filter(isHidden).length;
  const there = namesVisible(folder).filter((name) => !name.startsWith('.belay-'));
  const left = there.filter((name) => !gone.has(name));
  if (reach === 'hidden') return hidden > 0 || (left.length === 0 && gone.size > 1);
  return left.length === 0 ? hidden > 0 : hidden > 1 && !left.some(isHidden);
}
