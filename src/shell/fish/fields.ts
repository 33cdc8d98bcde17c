import type { WordPart } from 'unbash';
import type { Scene } from '../words/expand.ts';
import { type Field, Fields } from '../words/fields.ts';
import { lookUp } from '../words/lookup.ts';
import { indirect } from '../words/parameter.ts';
import { emitParts } from '../words/parts.ts';
import { substitute } from '../words/substitution.ts';
import { isKnown, type Text } from '../words/text.ts';

/** Products larger than this are not enumerated. */
const MOST_FIELDS = 4096;

/**
 * The fields of a word by fish's rules (fish language: combining lists): a list in it makes one word an item, an empty list none;
 * output of a command is one item a line.
 */
export function fishFields(parts: readonly WordPart[], scene: Scene): readonly Field[] {
  let fields: readonly Field[] = [[]];
  for (const [i, part] of parts.entries()) {
    const choices = choicesOf(part, i === 0, i === parts.length - 1, scene);
    if (fields.length * choices.length > MOST_FIELDS)
      return [[{ hole: { prefix: '', suffix: '', many: true }, splits: true }]];
    fields = fields.flatMap((field) => choices.map((choice) => [...field, ...choice]));
  }
  return fields;
}

function choicesOf(part: WordPart, first: boolean, last: boolean, scene: Scene): readonly Field[] {
  if (part.type === 'CommandExpansion') return linesOf(substitute(part, scene));
  if (
    (part.type === 'ParameterExpansion' && !part.operation && part.prefix !== '#') ||
    part.type === 'SimpleExpansion'
  ) {
    const found =
      part.type === 'SimpleExpansion'
        ? lookUp(part.text.slice(1), undefined, scene)
        : part.prefix === '!'
          ? indirect(part, scene)
          : lookUp(part.parameter, part.index, scene);
    if (found.set === false && !found.list) return [];
    return found.items.map((item) => fieldOf(isKnown(item) || found.set ? item : { ...item, many: true }));
  }
  const fields = new Fields(undefined);
  // A literal that is not the first part must not be taken for a tilde.
  emitParts([part], scene, fields, first ? 'word' : 'pattern');
  fields.end();
  return last || fields.done.length > 0 ? [fields.done.flat()] : [[]];
}

const fieldOf = (text: Text): Field => [
  isKnown(text) ? { text, quoted: true } : { hole: text, splits: text.many ?? false },
];

function linesOf(output: Text): readonly Field[] {
  if (!isKnown(output)) return [[{ hole: { ...output, many: true }, splits: true }]];
  return output === '' ? [] : output.split('\n').map(fieldOf);
}
