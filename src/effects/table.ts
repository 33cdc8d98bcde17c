import type { Bytes } from '../platform/bytes.ts';
import { copying } from './families/copy.ts';
import { coreutils } from './families/coreutils.ts';
import { type Row, ruleOf } from './row.ts';
import type { Rule } from './types.ts';
import { shellNames, shellRule } from './wrappers/shells.ts';

/** Every family of rows; the order is that of docs/effects.md. */
export const families: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Files', rows: coreutils },
  { title: 'Copying and moving', rows: copying },
];

/** Programs whose rule is a function. */
const functions: readonly (readonly [names: readonly string[], rule: Rule])[] = [[shellNames, shellRule]];

let index: Map<Bytes, Row | Rule> | undefined;

function indexed(): Map<Bytes, Row | Rule> {
  const map = new Map<Bytes, Row | Rule>();
  for (const family of families)
    for (const row of family.rows) for (const name of row.names.split(' ')) map.set(name, row);
  for (const [names, rule] of functions) for (const name of names) map.set(name, rule);
  return map;
}

/** The rule for a program's name; undefined where the tables do not have it. */
export function ruleFor(name: Bytes): Rule | undefined {
  index ??= indexed();
  const found = index.get(name);
  if (found === undefined || typeof found === 'function') return found;
  const rule = ruleOf(found);
  index.set(name, rule);
  return rule;
}
