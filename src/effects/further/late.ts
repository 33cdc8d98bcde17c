import type { Bytes } from '../../platform/bytes.ts';
import type { Call, Foretold } from '../../shell/types.ts';
import type { Out, Rule } from '../types.ts';

let table: typeof import('../table.ts') | undefined;

/**
 * The rule of a program beyond the core utilities. Most lines that destroy something name none, and all those tables are half of what
 * belay-snap consists of: they are loaded when a line first needs one, in the middle of planning it (docs/decisions/0007).
 */
export function furtherRule(name: Bytes): Rule | undefined {
  table ??= require('../table.ts') as typeof import('../table.ts');
  return table.ruleFor(name);
}

/** What find(1) would print: as late, and for the same reason. */
export const printedByFind = (call: Call, out: Out): Foretold | undefined =>
  (require('../find/printed.ts') as typeof import('../find/printed.ts')).printedByFind(call, out);

/** And grep(1). */
export const printedByGrep = (call: Call, out: Out): Foretold | undefined =>
  (require('../matched-files.ts') as typeof import('../matched-files.ts')).printedByGrep(call, out);
