import type { Bytes } from '../../platform/bytes.ts';
import type { Deed } from './deed.ts';

/**
 * What ex commands do to files: `ex -sc '…'`, `vim -es -c '…'`, `+cmd`, ex scripts (vim(1), `:help ex-cmd-index`).
 * `files`: the operands; a plain `:w` writes the first of them, `:wa`, `:bufdo`, `:argdo` all.
 */
export function exDeeds(script: Bytes, files: readonly Bytes[]): Deed[] {
  const deeds: Deed[] = [];
  const lines = script.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*:?\s*\d*\s*(a|append|i|insert|c|change)!?\s*$/.test(line)) {
      while (at + 1 < lines.length && lines[at + 1] !== '.') at += 1;
      at += 1;
      continue;
    }
    for (const command of commandsOf(line)) if (!one(command, files, deeds)) return deeds;
  }
  return deeds;
}

/** A bar parts commands, except behind those that take the rest of the line. */
function commandsOf(line: Bytes): Bytes[] {
  const out: Bytes[] = [];
  let rest = line;
  for (;;) {
    const bare = withoutRange(rest);
    if (/^(!|[gv](lobal)?!?[^\w\s]|norm|w\s+!|r\s*!|exe|argdo|bufdo|windo|tabdo)/.test(bare)) return [...out, rest];
    const bar = /(?<!\\)\|/.exec(rest)?.index;
    if (bar === undefined) return [...out, rest];
    out.push(rest.slice(0, bar));
    rest = rest.slice(bar + 1);
  }
}

const RANGE = /^(?:\s|:|[.$%,;*+-]|\d|'[a-zA-Z<>]|\/(?:[^/\\\n]|\\.)*\/|\?(?:[^?\\\n]|\\.)*\?)*/;

const withoutRange = (text: Bytes): Bytes => text.slice(RANGE.exec(text)?.[0].length ?? 0);

const HARMLESS =
  /^(s|substitute|d|delete|se|set|setlocal|setl|p|print|nu|number|y|yank|pu|put|j|join|m|move|t|co|copy|k|mark|undo|u|red|redo|ret|retab|sor|sort|syntax|syn|filetype|colorscheme|noh|nohlsearch|echo|ec|let|if|endif|else|e|edit|n|next|prev|first|last|b|buffer|bn|bp|a|i|c|>|<|=|&|z|sil|silent|ve|verbose|map|nmap|imap|abbreviate|ab|highlight|hi|packadd|TOhtml|normal|norm)$/;

/** One command; false where it ends the session. */
function one(text: Bytes, files: readonly Bytes[], deeds: Deed[]): boolean {
  const bare = withoutRange(text).replace(/^(sil(ent)?!?|keepj\w*|keepp\w*|noa\w*|lockm\w*)\s+/, '');
  if (bare.startsWith('!')) {
    deeds.push({ kind: 'shell', text: bare.slice(1).trim() });
    return true;
  }
  const [, word = '', bang = '', rest = ''] = /^([A-Za-z&<>=]+)(!?)\s*(.*)$/s.exec(bare) ?? [];
  const argument = rest.trim();
  const writes = (path: Bytes | undefined): void => {
    if (path !== undefined) deeds.push({ kind: 'file', path, way: 'write-in-place', follows: true });
  };
  if (/^(w|wr|wri|writ|write|wq|up|update|x|xit|exit|exi)$/.test(word)) {
    if (argument.startsWith('!')) deeds.push({ kind: 'shell', text: argument.slice(1) });
    else if (argument.startsWith('>>'))
      deeds.push({ kind: 'file', path: argument.slice(2).trim() || (files[0] ?? ''), way: 'append', follows: true });
    else writes((argument.replace(/^\+\+\S+\s*/, '') || files[0])?.replace(/^%$/, files[0] ?? '%'));
    return !/^(wq|x|xit|exit|exi)$/.test(word);
  }
  if (/^(wa|wall|wqa|wqall|xa|xall)$/.test(word)) {
    for (const file of files) writes(file);
    return !/^(wqa|wqall|xa|xall)$/.test(word);
  }
  if (/^(sav|saveas|wn|wnext|wp|wN)$/.test(word)) writes(word.startsWith('sav') ? argument : files[0]);
  else if (/^(q|quit|qa|qall|quita|quitall|cq|cquit)$/.test(word)) return false;
  else if (/^(r|read)$/.test(word)) {
    if (bang || argument.startsWith('!')) deeds.push({ kind: 'shell', text: argument.replace(/^!/, '') });
  } else if (/^(g|global|v|vglobal)$/.test(word)) {
    const inner = /^!?\s*([^\w\s])(?:\\.|(?!\1)[^\\])*\1(.*)$/s.exec(bare.slice(word.length));
    if (inner?.[2]) one(inner[2], files, deeds);
  } else if (/^(argdo|argd|bufdo|bufd|windo|tabdo)$/.test(word))
    for (const file of files) for (const part of argument.split('|')) one(part, [file], deeds);
  else if (/^norm(al)?$/.test(word)) {
    if (/ZZ/.test(argument)) writes(files[0]);
    else if (/:/.test(argument)) deeds.push({ kind: 'opaque' });
  } else if (/^(call|cal)$/.test(word)) called(argument, deeds);
  else if (word !== '' && !HARMLESS.test(word)) deeds.push({ kind: 'opaque' });
  return true;
}

/** `call delete('f')`, `call writefile([…], 'f')`, `call rename('a', 'b')`, `call system('…')` (`:help functions`). */
function called(text: Bytes, deeds: Deed[]): void {
  const name = /^(\w+)\(/.exec(text)?.[1] ?? '';
  const texts = [...text.matchAll(/'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    (hit) => hit[1]?.replace(/''/g, "'") ?? hit[2] ?? '',
  );
  const last = texts.at(-1);
  if (name === 'delete' && texts[0] !== undefined)
    deeds.push({ kind: 'file', path: texts[0], way: 'delete', recursive: texts[1] === 'rf' });
  else if (name === 'writefile' && last !== undefined)
    deeds.push({ kind: 'file', path: last, way: 'write-in-place', follows: true });
  else if (name === 'rename' && texts[0] !== undefined && texts[1] !== undefined) {
    deeds.push(
      { kind: 'file', path: texts[1], way: 'replace' },
      { kind: 'file', path: texts[0], way: 'move', to: texts[1] },
    );
  } else if ((name === 'system' || name === 'systemlist') && texts[0] !== undefined)
    deeds.push({ kind: 'shell', text: texts[0] });
  else if (!/^(cursor|append|setline|feedkeys)$/.test(name)) deeds.push({ kind: 'opaque' });
}
