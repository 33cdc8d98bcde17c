import type { Word, WordPart } from 'unbash';
import { parse } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { isInside, resolve } from '../../platform/paths.ts';
import { exists } from '../disk.ts';
import { fishFields } from '../fish/fields.ts';
import { globFiles, hasGlob } from '../glob/files.ts';
import { type Context, spanOf } from '../run/context.ts';
import type { Walker } from '../run/walker.ts';
import type { State } from '../state/state.ts';
import type { Arg, Span } from '../types.ts';
import { combinedFields, combines } from '../zsh/combine.ts';
import { type Choice, QUALIFIERS, readQualifiers } from '../zsh/qualifiers.ts';
import { expandBraces } from './brace.ts';
import { type Field, Fields, patternOf, textOf } from './fields.ts';
import { matching } from './locale.ts';
import { emitParts, type Mode } from './parts.ts';
import { concat, type Text, toArg } from './text.ts';

/** What expansions look at and change. */
export interface Scene {
  readonly walker: Walker;
  readonly state: State;
  readonly context: Context;
}

/** A word of a command: every expansion of bash(1), *Expansion*, in its order. */
export function expandWord(word: Word, scene: Scene, options: { readonly assignmentTilde?: boolean } = {}): Arg[] {
  const span = spanOf(word, scene.context, scene.walker.line.text);
  if (STANDS_FOR_ITSELF.test(word.text)) {
    scene.walker.budget.step(0.1 + 1 / 8); // as for every word of one literal part
    return [toArg(word.text, span)];
  }
  scene.walker.budget.step(word.parts?.some(isDear) ? 0.5 : 0.1);
  const off = scene.state.options.has('nobraceexpand');
  if (off && hasBraces(word)) return finish(fieldsOf(unbraced(word), scene, 'word'), scene, span);
  const braces = hasBraces(word) ? expandBraces(word.text) : [word.text];
  if (!braces) {
    scene.walker.parsed = false;
    runNested(word, scene);
    return [{ kind: 'unknown', prefix: plainStart(word.text), suffix: '', many: true, ...(span ? { span } : {}) }];
  }
  const tilde =
    (options.assignmentTilde ?? (scene.context.shell !== 'zsh' && /^[A-Za-z_]\w*\+?=/.test(word.text)))
      ? 'assignment'
      : 'word';
  if (braces.length === 1 && braces[0] === word.text) return finish(fieldsOf(word, scene, tilde), scene, span);
  scene.walker.budget.step(braces.length);
  const literally = scene.context.shell === 'sh' ? finish(fieldsOf(unbraced(word), scene, tilde), scene, span) : [];
  const there = literally.filter((arg) => arg.kind === 'known' && isThere(arg.text, scene.state));
  return [...there, ...braces.flatMap((text) => finish(fieldsOf(rawWord(text), scene, tilde), scene, span))];
}

/** In no shell does anything happen to these characters. A line may name thousands of files: each would be taken apart only for that. */
const STANDS_FOR_ITSELF = /^[\w./@+-]+$/;

const isDear = ({ type }: WordPart): boolean => type !== 'Literal' && type !== 'SingleQuoted';

/** dash has no braces: the word may be the name of a file there. */
const unbraced = (word: Word): Word => ({
  ...word,
  parts: (word.parts ?? []).map((part) => (part.type === 'BraceExpansion' ? { ...part, parts: undefined } : part)),
});

function isThere(path: Bytes, state: State): boolean {
  const place = state.places[0];
  if (path.startsWith('/')) return exists(path);
  return place?.kind === 'known' && exists(`${place.path}/${path}`);
}

/** A word that is neither split nor matched against files: an assignment's value, a here-string, the subject of `case`. */
export function expandText(word: Word, scene: Scene, tilde: 'word' | 'assignment' = 'word'): Text {
  scene.walker.budget.step();
  const fields = new Fields(undefined);
  emitWord(word, scene, fields, tilde);
  fields.end();
  return joined(fields.done);
}

/** A word as a pattern (`case`, `[[ == ]]`, `${x#…}`); undefined where part of it is not known. */
export function expandPattern(word: Word, scene: Scene): Bytes | undefined {
  const fields = new Fields(undefined);
  emitWord(word, scene, fields, 'word');
  fields.end();
  return patternOf(fields.done.flat());
}

/** Parts that stand for one text: a here-document's body, the inside of `$(( ))`. */
export function expandParts(parts: readonly WordPart[], scene: Scene, quoted: boolean): Text {
  const fields = new Fields(undefined);
  emitParts(parts, scene, fields, quoted ? 'document' : 'word');
  fields.end();
  return joined(fields.done);
}

const joined = (fields: readonly Field[]): Text =>
  fields.map(textOf).reduce<Text>((left, right) => (left === '' ? right : concat(concat(left, ' '), right)), '');

function fieldsOf(word: Word, scene: Scene, tilde: 'word' | 'assignment'): readonly Field[] {
  if (scene.context.shell === 'fish') return fishFields(word.parts ?? [literal(word.text)], scene);
  if (scene.context.shell === 'zsh' && combines(word, scene)) return combinedFields(word, scene, tilde);
  const fields = new Fields(ifs(scene.state));
  emitWord(word, scene, fields, tilde);
  fields.end();
  return fields.done;
}

export function emitWord(word: Word, scene: Scene, fields: Fields, mode: Mode): void {
  emitParts(word.parts ?? [literal(word.text)], scene, fields, mode);
}

const literal = (text: Bytes): WordPart => ({ type: 'Literal', pos: 0, end: text.length, value: text, text });

/** `IFS`; blank, tab and newline where it is unset or not known. */
export function ifs(state: State): Bytes {
  const value = state.variables.get('IFS')?.value;
  return typeof value === 'string' ? value : ' \t\n';
}

const hasBraces = (word: Word): boolean => word.parts?.some((part) => part.type === 'BraceExpansion') ?? false;

/** A word from raw text that stands alone: what brace expansion made, the subscript of an array's item. */
export function rawWord(text: Bytes): Word {
  const plain: Word = { type: 'Word', text, value: text, pos: 0, end: 0 };
  if (!/["'`$\\]/.test(text)) return plain;
  const command = parse(`_ ${text}`).commands[0]?.command;
  if (command?.type !== 'Command' || command.suffix.length !== 1) return plain;
  const word = command.suffix[0];
  return word?.type === 'Word' ? word : plain;
}

const plainStart = (text: Bytes): Bytes => /^[\w./@%:=-]*/.exec(text)?.[0].replace(/[^/]*$/, '') ?? '';

/** Substitutions run although the words that they make are not enumerated. */
function runNested(word: Word, scene: Scene): void {
  emitWord(
    { ...word, parts: (word.parts ?? []).filter((part) => part.type !== 'BraceExpansion') },
    scene,
    new Fields(undefined),
    'word',
  );
  for (const part of word.parts ?? []) {
    if (part.type === 'BraceExpansion' && /\$|`|[<>]\(/.test(part.text))
      scene.walker.gap('too many words in braces', scene.state, true);
  }
}

function finish(fields: readonly Field[], scene: Scene, span: Span | undefined): Arg[] {
  if (fields.length > 1) scene.walker.budget.step(fields.length / 8);
  return fields.flatMap((field) => pathnames(field, scene, span));
}

/** A field without the qualifiers that its word carried, and what those choose. */
function qualified(field: Field): { readonly field: Field; readonly choice: Choice | undefined } {
  const last = field.at(-1);
  if (!last || !('text' in last) || !last.quoted || !last.text.startsWith(QUALIFIERS))
    return { field, choice: undefined };
  return { field: field.slice(0, -1), choice: readQualifiers(last.text.slice(QUALIFIERS.length)) };
}

/** Pathname expansion of one field. */
function pathnames(whole: Field, scene: Scene, span: Span | undefined): Arg[] {
  const zsh = scene.context.shell === 'zsh';
  const fish = scene.context.shell === 'fish';
  const { field, choice } = zsh ? qualified(whole) : { field: whole, choice: undefined };
  const text = textOf(field);
  const where = span ? { span } : {};
  const wild = field.some((piece) => 'text' in piece && !piece.quoted && /[*?[(]/.test(piece.text));
  if (typeof text !== 'string') return [unknownField(field, wild, where)];
  if (!wild || scene.state.options.has('noglob')) return [toArg(text, span)];
  const source = patternOf(field) ?? '';
  // Without a slash zsh's `**` is `*`; with one it always descends.
  const pattern = zsh ? source.replace(/(^|\/)\*\*+$/, '$1*') : source;
  if (!hasGlob(pattern)) return [toArg(text, span)];
  const place = scene.state.places[0];
  const cwd = place?.kind === 'known' ? place.path : undefined;
  if (cwd === undefined && !pattern.startsWith('/'))
    return [{ kind: 'unknown', prefix: '', suffix: '', many: true, ...where }];
  const { options } = scene.state;
  const found = globFiles(
    pattern,
    cwd,
    {
      ...matching(scene.walker.utf8, options.has('nocaseglob'), options.has('dotglob') || choice?.dots === true),
      globstar: zsh || fish || options.has('globstar'),
      fish,
    },
    scene.walker.budget,
  );
  if (found === 'too many') scene.walker.parsed = false;
  if (found === 'too many')
    return [{ kind: 'unknown', prefix: literalFolder(text, pattern), suffix: '', many: true, ...where }];
  const kept = choice ? found.filter((path) => choice.keeps(path.startsWith('/') ? path : `${cwd}/${path}`)) : found;
  if (kept.length > 0) {
    const fresh = mayHoldMore(literalFolder(text, pattern), scene.state);
    return kept.map((path, i) => ({
      kind: 'known',
      text: path,
      glob: text,
      ...(fresh && i === kept.length - 1 ? { fresh } : {}),
      ...where,
    }));
  }
  // `[` alone is a command.
  if (scene.state.changed && /[*?(]|\[[^/]+\]/.test(text))
    return [{ kind: 'known', text, glob: text, fresh: true, ...where }];
  // failglob: bash runs no command then; the literal word names nothing that the command could find.
  // fish runs nothing then; its `for` and `set` see no word.
  return options.has('nullglob') || choice?.nullglob || fish ? [] : [{ kind: 'known', text, glob: text, ...where }];
}

/** Whether a program of the line was given the pattern's folder, or one around it, to write into. */
function mayHoldMore(below: Bytes, state: State): true | undefined {
  const place = state.places[0];
  if (!state.changed || place?.kind !== 'known') return undefined;
  const folder = resolve(place.path, below || '.');
  return [...state.written.keys()].some((path) => isInside(folder, path)) || undefined;
}

/** The folders of a pattern in front of its first wildcard, with their last slash. */
function literalFolder(text: Bytes, pattern: Bytes): Bytes {
  const plain = /^(?:\\[\s\S]|[^*?[(\\])*/.exec(pattern)?.[0].replace(/\\([\s\S])/g, '$1') ?? '';
  const folder = plain.slice(0, plain.lastIndexOf('/') + 1);
  return text.startsWith(folder) ? folder : '';
}

/** A field with a hole: what is certain at its two ends, up to the first and from the last wildcard. */
function unknownField(field: Field, wild: boolean, where: { span?: Span }): Arg {
  let prefix = '';
  let suffix = '';
  let split = false;
  let many = wild;
  let open = false;
  for (const piece of field) {
    if ('hole' in piece) {
      if (!open) prefix += piece.hole.prefix;
      open = true;
      suffix = piece.hole.suffix;
      split ||= piece.splits;
      many ||= piece.splits || (piece.hole.many ?? false);
    } else {
      const at = piece.quoted ? -1 : piece.text.search(/[*?[(]/);
      if (!open) prefix += at < 0 ? piece.text : piece.text.slice(0, at);
      if (at >= 0) {
        if (!open) prefix = prefix.slice(0, prefix.lastIndexOf('/') + 1);
        open = true;
        suffix = piece.text.slice(Math.max(...['*', '?', ']', ')'].map((char) => piece.text.lastIndexOf(char))) + 1);
      } else if (open) suffix += piece.text;
    }
  }
  return { kind: 'unknown', prefix, suffix, many, ...(split ? { split } : {}), ...where };
}
