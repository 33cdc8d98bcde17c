import type { ParameterExpansionPart, ParameterOperation } from 'unbash';
import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { matchesText } from '../glob/match.ts';
import { expandAgain } from '../run/again.ts';
import { expandPattern, expandText, ifs, rawWord, type Scene } from '../words/expand.ts';
import type { Fields } from '../words/fields.ts';
import { matching } from '../words/locale.ts';
import { type Found, lookUp, resolve } from '../words/lookup.ts';
import { operate } from '../words/operations.ts';
import { skipQuoted } from '../words/quotes.ts';
import { isKnown, type Text, UNKNOWN, UNKNOWN_WORDS } from '../words/text.ts';
import { applyFlags, type Flags, readFlags } from './flags.ts';
import { modify } from './modifiers.ts';

/** Operands of the translation's own `${belay@…}`: an expansion of zsh that bash's parser has no form for. */
const PLAIN = 'X';
const COMBINED = 'R';

/**
 * `${(flags)rest}` or a nested `${${…}…}` as one expansion that bash's parser accepts; `rest` is translated already.
 * `combines`: `${^x}`, each item stands between what is before and behind it in the word.
 */
export const carry = (flags: Bytes, rest: Bytes, combines: boolean): Bytes =>
  `\${belay@${combines ? COMBINED : PLAIN}${toBuffer(`${flags}\0${rest}`).toString('hex')}}`;

/** What a part of a word carries; undefined where it is an expansion as any other. */
export function carriedIn(
  part: ParameterExpansionPart,
): { readonly combines: boolean; readonly text: Bytes } | undefined {
  const operand = part.operation?.type === 'Transform' ? part.operation.operand.text : '';
  if (part.parameter !== 'belay' || !/^[XR][0-9a-f]+$/.test(operand)) return undefined;
  return { combines: operand.startsWith(COMBINED), text: fromBuffer(Buffer.from(operand.slice(1), 'hex')) };
}

/** Adds the words of a carried expansion (zshexpn(1), *Parameter Expansion*). */
export function emitCarried(text: Bytes, scene: Scene, fields: Fields, quoted: boolean): void {
  const { items, list } = wordsOf(text, scene, quoted);
  if (!list) {
    const [value = ''] = items;
    if (quoted || !fields.splits) fields.expansion(value, true);
    else fields.whole(value);
    return;
  }
  for (const [i, item] of items.entries()) {
    if (i > 0 && fields.splits) fields.end();
    else if (i > 0) fields.add(' ', true);
    if (quoted) fields.expansion(item, true);
    else fields.whole(item);
  }
}

interface Words {
  readonly items: readonly Text[];
  readonly list: boolean;
}

const NOBODY_KNOWS: Words = { items: [UNKNOWN_WORDS], list: true };

function wordsOf(text: Bytes, scene: Scene, quoted: boolean): Words {
  const cut = text.indexOf('\0');
  const flags = readFlags(text.slice(0, cut));
  const { found, ops } = subjectOf(text.slice(cut + 1), flags, scene);
  if (/^[A-Za-z@0]*e/.test(text.slice(0, cut))) for (const item of found.items) expandAgain(item, scene);
  if (flags === undefined) return NOBODY_KNOWS;
  const named = flags.letters.has('P') ? pointedAt(found, scene) : found;
  const joined = quoted && !flags.letters.has('@') ? joinedBy(named, flags.join ?? ' ') : named;
  const worked = withOperations(joined, ops, flags, scene);
  if (!worked.items.every(isKnown)) return worked.list ? { items: worked.items, list: true } : unknown(worked, flags);
  // What a shell would take for one word is only followed where words are plain.
  if (flags.letters.has('z') && worked.items.some((item) => isKnown(item) && !/^[\w\s./:=@%,+-]*$/.test(item)))
    return NOBODY_KNOWS;
  const all = applyFlags(flags, worked.items, worked.list !== undefined);
  // Splitting leaves empty words only where `@` asks for them.
  const items = flags.split === undefined || flags.letters.has('@') ? all : all.filter((item) => item !== '');
  return {
    items,
    list:
      flags.split !== undefined || flags.letters.has('z') || (worked.list !== undefined && flags.join === undefined),
  };
}

const unknown = ({ items }: Found, flags: Flags): Words =>
  flags.split === undefined && items.length === 1 ? { items: [UNKNOWN], list: false } : NOBODY_KNOWS;

function pointedAt(found: Found, scene: Scene): Found {
  const [name] = found.items;
  return isKnown(name) && /^\w+$/.test(name) ? lookUp(name, undefined, scene) : NOTHING;
}

function joinedBy(found: Found, separator: Bytes): Found {
  if (found.list === undefined) return found;
  if (!found.items.every(isKnown)) return NOTHING;
  return { items: [found.items.join(separator)], set: found.set };
}

const NOTHING: Found = { items: [UNKNOWN], set: undefined };

/** What stands in front of the operations: a name, an expansion, a substitution, quoted or not. */
function subjectOf(
  text: Bytes,
  flags: Flags | undefined,
  scene: Scene,
): { readonly found: Found; readonly ops: Bytes } {
  const nested = /^["$`]/.test(text) ? text.slice(0, skipQuoted(text, 0)) : undefined;
  const name = nested ?? /^(?:[A-Za-z_]\w*|\d+|[@*])?/.exec(text)?.[0] ?? '';
  const index = /^\[[^\]]*\]/.exec(text.slice(name.length))?.[0] ?? '';
  const ops = text.slice(name.length + index.length);
  if (name === '') return { found: { items: [''], set: false }, ops };
  if (nested !== undefined) return { found: itemOf(nestedWords(nested, scene), index), ops };
  const keys = flags?.letters.has('k') ? resolve(name, scene.state) : undefined;
  if (keys?.items) {
    const both = flags?.letters.has('v') ?? false;
    const items = [...keys.items].flatMap(([key, value]) => (both ? [key, value] : [key]));
    return { found: { items: keys.open ? [UNKNOWN_WORDS] : items, list: '*', set: true }, ops };
  }
  return { found: lookUp(name, index === '' ? undefined : rawWord(index.slice(1, -1)), scene), ops };
}

function nestedWords(text: Bytes, scene: Scene): Found {
  const word = rawWord(text);
  const part = word.parts?.[0];
  if (part?.type === 'ParameterExpansion' && word.parts?.length === 1) {
    const carried = carriedIn(part);
    if (carried) {
      const { items, list } = wordsOf(carried.text, scene, false);
      return list ? { items, list: '*', set: true } : { items, set: true };
    }
    const found = lookUp(part.parameter, part.index, scene);
    if (!part.operation && !part.prefix) return found;
    if (part.operation && !part.prefix && part.operation.type !== 'Default')
      return operate(found, part.operation, scene);
  }
  const value = expandText(word, scene);
  if (!isKnown(value)) return { items: [UNKNOWN_WORDS], list: '*', set: true };
  if (part?.type !== 'CommandExpansion') return { items: [value], set: true };
  const separators = new Set(ifs(scene.state));
  const words = [...value].map((char) => (separators.has(char) ? '\0' : char)).join('');
  return { items: words.split('\0').filter((one) => one !== ''), list: '*', set: true };
}

/** `${${…}[2]}`. */
function itemOf(found: Found, index: Bytes): Found {
  if (index === '') return found;
  const at = /^\[(-?\d+)\]$/.exec(index)?.[1];
  if (at === undefined || found.list === undefined || !found.items.every(isKnown)) return NOTHING;
  const value = found.items.at(Number(at) > 0 ? Number(at) - 1 : Number(at));
  return value === undefined ? { items: [], set: false } : { items: [value], set: true };
}

/** `:t:r`, `:#PATTERN`, `%…`, `:-…` behind the subject. */
function withOperations(found: Found, ops: Bytes, flags: Flags, scene: Scene): Found {
  if (ops === '') return found;
  const modifiers = /^(?::[htreaAul])+$/.exec(ops)?.[0];
  if (modifiers !== undefined) return each(found, (text) => modify(text, modifiers, scene.state.places[0]) ?? UNKNOWN);
  const replaced = /^:(g?)s([^\w\s])((?:(?!\2).)+)\2((?:(?!\2).)*)\2?$/.exec(ops);
  if (replaced) {
    const [, all, , from = '', to = ''] = replaced;
    if (/[\\&$`]/.test(from + to)) return { ...found, items: found.items.map(() => UNKNOWN) };
    return each(found, (text) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)));
  }
  if (ops.startsWith(':#')) return chosen(found, ops.slice(2), flags, scene);
  const part = rawWord(`\${x${ops}}`).parts?.[0];
  const operation = part?.type === 'ParameterExpansion' ? part.operation : undefined;
  if (operation === undefined) return { ...found, items: [found.list ? UNKNOWN_WORDS : UNKNOWN] };
  return operation.type === 'Default' ? withDefault(found, operation, scene) : operate(found, operation, scene);
}

const each = (found: Found, change: (text: Bytes) => Text): Found => ({
  ...found,
  items: found.items.map((item) => (isKnown(item) ? change(item) : item)),
});

/** `${x:#PATTERN}`: the items that do not match, with `(M)` those that do. */
function chosen(found: Found, text: Bytes, flags: Flags, scene: Scene): Found {
  const pattern = /[(^~#<]/.test(text) ? undefined : expandPattern(rawWord(text), scene);
  if (pattern === undefined || !found.items.every(isKnown)) return { items: [UNKNOWN_WORDS], list: '*', set: true };
  const how = matching(scene.walker.utf8, false, true);
  const wanted = flags.letters.has('M');
  return { ...found, items: found.items.filter((item) => matchesText(pattern, item, how) === wanted) };
}

function withDefault(found: Found, operation: Extract<ParameterOperation, { type: 'Default' }>, scene: Scene): Found {
  const [value] = found.items;
  const empty = found.set === false || (operation.operator.startsWith(':') && found.items.length <= 1 && value === '');
  if (operation.operator.endsWith('-') && (empty || (isKnown(value) && found.set)))
    return empty ? { items: [expandText(operation.operand, scene)], set: true } : found;
  return NOTHING;
}
