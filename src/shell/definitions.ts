import type { Bytes } from '../platform/bytes.ts';
import { parse } from './parse.ts';

/**
 * The functions and aliases that a start-up file of bash defines, as text that defines them again: what else stands in it is the
 * person's standing choice, and not looked at.
 */
export function definitionsIn(text: Bytes): Bytes {
  const parsed = parse(text, { shell: 'bash', options: new Set() });
  if (parsed.kind === 'too much') return '';
  const found: Bytes[] = [];
  collect(parsed.script, (start, end) => found.push(`${parsed.source.slice(start, end)}\n`));
  return found.join('');
}

/** A file that runs itself into other files is read no deeper than its own blocks. */
function collect(node: unknown, take: (start: number, end: number) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, take);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const { type, pos, end } = node as { type: string; pos?: number; end?: number };
  const isAlias = type === 'Command' && (node as { name?: { value?: string } }).name?.value === 'alias';
  if ((type === 'Function' || isAlias) && pos !== undefined && end !== undefined) take(pos, end);
  else if (type !== 'Word') for (const value of Object.values(node)) collect(value, take);
}
