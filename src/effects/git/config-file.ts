import type { Bytes } from '../../platform/bytes.ts';

export interface Setting {
  /** Section and name lower-case, subsection as written: `alias.co`, `remote.Origin.url`. */
  readonly name: Bytes;
  /** True where the line has no `=`. */
  readonly value: Bytes | true;
}

/** git's configuration syntax (git-config(1), "Syntax"), read as data; what does not parse is passed over. */
export function parseConfig(text: Bytes): Setting[] {
  const out: Setting[] = [];
  let section = '';
  let at = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const skipLine = (): void => {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    if (/\s/.test(char)) {
      at++;
      continue;
    }
    if (char === '#' || char === ';') {
      skipLine();
      continue;
    }
    if (char === '[') {
      const head = /\[\s*([-.A-Za-z0-9]+)\s*(?:"((?:[^"\\\n]|\\.)*)")?\s*\]/y;
      head.lastIndex = at;
      const hit = head.exec(text);
      if (!hit) {
        skipLine();
        continue;
      }
      section = (hit[1] ?? '').toLowerCase();
      if (hit[2] !== undefined) section += `.${hit[2].replace(/\\(.)/g, '$1')}`;
      at = head.lastIndex;
      continue;
    }
    const key = /[A-Za-z][-A-Za-z0-9]*/y;
    key.lastIndex = at;
    const hit = key.exec(text);
    if (!hit) {
      skipLine();
      continue;
    }
    at = key.lastIndex;
    const name = `${section}.${hit[0].toLowerCase()}`;
    while (text[at] === ' ' || text[at] === '\t') at++;
    if (text[at] !== '=') {
      out.push({ name, value: true });
      skipLine();
      continue;
    }
    at++;
    const read = value(text, at);
    at = read.end;
    out.push({ name, value: read.value });
  }
  return out;
}

/** A value from just behind `=` to the end of its (possibly continued) line. */
function value(text: Bytes, start: number): { readonly value: Bytes; readonly end: number } {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at++;
  let out = '';
  let kept = 0;
  let quoted = false;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n') {
      at++;
      break;
    }
    if (char === '\r' && text[at + 1] === '\n') continue;
    if (!quoted && (char === '#' || char === ';')) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end + 1;
      break;
    }
    if (char === '"') {
      quoted = !quoted;
      kept = out.length;
      continue;
    }
    if (char === '\\') {
      const next = text[++at] ?? '';
      if (next === '\r' && text[at + 1] === '\n') at++;
      else if (next !== '\n') out += next === 'n' ? '\n' : next === 't' ? '\t' : next === 'b' ? '\b' : next;
      kept = out.length;
      continue;
    }
    out += char;
    if (quoted || (char !== ' ' && char !== '\t')) kept = out.length;
  }
  return { value: out.slice(0, kept), end: at };
}
