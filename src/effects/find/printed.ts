import type { Call, Foretold } from '../../shell/types.ts';
import type { Out } from '../types.ts';
import { entriesOf, searchOf } from './entries.ts';

/** More paths than this are not told one by one. */
const MOST = 2_000;

/** The paths that find(1) will print, as far as they can be told from how things are now; their order is not find's. */
export function printedByFind(call: Call, out: Out): Foretold | undefined {
  const { roots, expression, follows } = searchOf(call.argv.slice(1), call, out);
  const prints = expression.actions.filter((action) => action.kind === 'print');
  const others = expression.actions.filter((action) => action.kind !== 'print' && action.kind !== 'prune');
  if (others.length > 0 || prints.some((action) => action.end === undefined)) return undefined;
  let text = '';
  let count = 0;
  for (const root of roots) {
    const real = root.kind === 'known' ? out.absolute(root) : undefined;
    if (real === undefined || root.kind !== 'known') return undefined;
    const found = entriesOf({ roots, expression, follows }, root.text, real);
    if (found === undefined) return undefined;
    const lists = prints.map((action) => ({ end: action.end, entries: found.taken.get(action) ?? [] }));
    if (prints.length === 0) lists.push({ end: '\n', entries: found.matched });
    for (const { end, entries } of lists)
      for (const entry of entries) {
        if (++count > MOST) return undefined;
        text += `${entry.named}${end}`;
      }
  }
  return { text, ordered: count < 2 };
}
