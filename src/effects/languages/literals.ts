import type { Bytes } from '../../platform/bytes.ts';
import type { Follower } from './follow.ts';
import type { Token } from './tokens.ts';
import { concat, listValue, textValue, UNKNOWN, type Value } from './values.ts';

/** What stands for itself: strings, lists, records, and what is bracketed; a name is the reader's own. */
export function primary(reader: Follower): Value {
  const token = reader.peek();
  if (!token) return UNKNOWN;
  switch (token.kind) {
    case 'string':
      reader.at += 1;
      return filled(reader, token);
    case 'words':
      reader.at += 1;
      return listValue(
        token.text
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(textValue),
      );
    case 'glob':
      reader.at += 1;
      return { kind: 'glob', pattern: token.text };
    case 'number':
      reader.at += 1;
      return textValue(token.text);
    case 'shell':
      reader.at += 1;
      reader.shell(filled(reader, token));
      return UNKNOWN;
    case 'sign':
      return bracketed(reader, token.text);
    case 'name':
      return reader.named(token.text);
    default:
      return UNKNOWN;
  }
}

/** An interpolated string with the names it contains filled in. */
function filled(reader: Follower, token: Token): Value {
  if (!token.parts) return textValue(token.text);
  return token.parts
    .map((part) => (typeof part === 'string' ? textValue(part) : reader.inner(part.source)))
    .reduce(concat, textValue(''));
}

function bracketed(reader: Follower, sign: string): Value {
  if (sign === '[' || sign === '(') {
    reader.at += 1;
    const args = reader.argumentsUntil(sign === '[' ? ']' : ')');
    const only = args.length === 1 && sign === '(' ? args[0]?.value : undefined;
    return only ?? listValue(args.map((arg) => arg.value));
  }
  if (sign === '{' && reader.dialect.language === 'javascript') {
    if (/^(const|let|var|import)$/.test(reader.peek(-1)?.text ?? '')) return pattern(reader);
    if (reader.isSign(':', 2)) return record(reader);
  }
  if (/^(\\|!|-|\+|\.\.\.|\*|\*\*|&)$/.test(sign)) {
    reader.at += 1;
    return primary(reader);
  }
  // A quote that opens no literal: what stands behind it was not understood.
  if (/^["'`]$/.test(sign)) reader.opaque = true;
  return UNKNOWN;
}

/** `const { a: b } =`: names, no values. */
function pattern(reader: Follower): Value {
  while (reader.at < reader.list.length && !reader.isSign('}')) reader.at += 1;
  reader.at += 1;
  return UNKNOWN;
}

function record(reader: Follower): Value {
  reader.at += 1;
  const entries = new Map<Bytes, Value>();
  while (reader.at < reader.list.length && !reader.isSign('}')) {
    const key = reader.peek()?.text ?? '';
    reader.at += 1;
    if (reader.isSign(':')) {
      reader.at += 1;
      entries.set(key, reader.expression());
    }
    while (reader.at < reader.list.length && !reader.isSign(',') && !reader.isSign('}')) {
      const before = reader.at;
      reader.expression();
      if (reader.at === before) reader.at += 1;
    }
    if (reader.isSign(',')) reader.at += 1;
  }
  reader.at += 1;
  return { kind: 'record', entries };
}
