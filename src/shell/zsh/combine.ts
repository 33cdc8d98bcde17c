import type { Word, WordPart } from 'unbash';
import { ifs, type Scene } from '../words/expand.ts';
import { type Field, Fields } from '../words/fields.ts';
import { lookUp } from '../words/lookup.ts';
import { emitParts, type Mode } from '../words/parts.ts';
import { UNKNOWN_WORDS } from '../words/text.ts';
import { carriedIn } from './carried.ts';

/** Products larger than this are not enumerated. */
const MOST_FIELDS = 4096;

/** Each item of an array stands between what is before and behind it: `a${^x}b`, or any array with RC_EXPAND_PARAM. */
export const combines = (word: Word, scene: Scene): boolean =>
  word.parts !== undefined && word.parts.length > 1 && word.parts.some((part) => isCombined(part, scene));

const isCombined = (part: WordPart, { state }: Scene): boolean =>
  part.type === 'ParameterExpansion'
    ? (carriedIn(part)?.combines ?? state.options.has('rcexpandparam'))
    : part.type === 'SimpleExpansion' && state.options.has('rcexpandparam');

/** The fields of such a word; without an item in an array it is no word at all (zshexpn(1), `${^spec}`). */
export function combinedFields(word: Word, scene: Scene, mode: Mode): readonly Field[] {
  let fields: readonly Field[] = [[]];
  for (const [i, part] of (word.parts ?? []).entries()) {
    const own = new Fields(ifs(scene.state));
    emitParts([part], scene, own, i === 0 ? mode : 'pattern');
    own.end();
    const combined = isCombined(part, scene);
    if (fields.length * own.done.length > MOST_FIELDS || (!combined && own.done.length > 1))
      return [[{ hole: UNKNOWN_WORDS, splits: true }]];
    const choices = own.done.length > 0 || (combined && isArray(part, scene)) ? own.done : [[]];
    fields = fields.flatMap((field) => choices.map((choice) => [...field, ...choice]));
  }
  return fields;
}

function isArray(part: WordPart, scene: Scene): boolean {
  if (part.type === 'SimpleExpansion') return lookUp(part.text.slice(1), undefined, scene).list !== undefined;
  if (part.type !== 'ParameterExpansion') return false;
  return carriedIn(part) !== undefined || lookUp(part.parameter, part.index, scene).list !== undefined;
}
