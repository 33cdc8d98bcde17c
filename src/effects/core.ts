import type { Bytes } from '../platform/bytes.ts';
import { copying } from './families/copy.ts';
import { coreutils } from './families/coreutils.ts';
import { type Row, ruleOf } from './row.ts';
import type { Rule } from './types.ts';

/** The families that belay-snap has from its start, in the order of docs/effects.md. */
export const coreFamilies: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Files', rows: coreutils },
  { title: 'Copying and moving', rows: copying },
];

let rules: Map<Bytes, Row | Rule> | undefined;

function indexed(): Map<Bytes, Row | Rule> {
  const map = new Map<Bytes, Row | Rule>();
  for (const { rows } of coreFamilies)
    for (const row of rows) for (const name of row.names.split(' ')) map.set(name, row);
  return map;
}

/** The rule for a program of the core utilities. */
export function coreRule(name: Bytes): Rule | undefined {
  rules ??= indexed();
  const found = rules.get(name);
  if (found === undefined || typeof found === 'function') return found;
  const rule = ruleOf(found);
  rules.set(name, rule);
  return rule;
}
