import type { Bytes } from '../../platform/bytes.ts';
import type { Deed } from './deed.ts';

const ADDRESS = /^(?:\s|[.$%,;+-]|\d|'[a-z]|\/(?:[^/\\\n]|\\.)*\/|\?(?:[^?\\\n]|\\.)*\?)*/;

/**
 * What an ed script writes and runs (ed(1)): `w`, `W`, `wq`, `!`, `r !`, `w !`. `file`: the operand, what a plain `w`
 * writes; `e` and `f` change it. Lines between `a`, `i`, `c` and a single dot are text.
 */
export function edDeeds(script: Bytes, file: Bytes | undefined): Deed[] {
  const deeds: Deed[] = [];
  const lines = script.split('\n');
  let name = file;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const bare = line.slice(ADDRESS.exec(line)?.[0].length ?? 0);
    const global = /^[gv]([^\w\s])(?:\\.|(?!\1)[^\\])*\1(.*)$/.exec(bare);
    const command = global?.[2] ?? bare;
    if (/^[aic]$/.test(command.trim())) {
      while (at + 1 < lines.length && lines[at + 1] !== '.') at += 1;
      at += 1;
      continue;
    }
    const [, verb = '', rest = ''] = /^(wq|[A-Za-z!])\s*(.*)$/.exec(command) ?? [];
    const argument = rest.trim();
    if (verb === '!') deeds.push({ kind: 'shell', text: argument });
    else if (/^(w|W|wq|r|e|E)$/.test(verb) && argument.startsWith('!'))
      deeds.push({ kind: 'shell', text: argument.slice(1) });
    else if (verb === 'w' || verb === 'wq' || verb === 'W') {
      const path = argument || name;
      name ??= path;
      if (path !== undefined)
        deeds.push({ kind: 'file', path, way: verb === 'W' ? 'append' : 'write-in-place', follows: true });
    } else if (/^[eEf]$/.test(verb) && argument !== '') name = argument;
    if (/^[qQ]$/.test(verb) || verb === 'wq') break;
  }
  return deeds;
}
