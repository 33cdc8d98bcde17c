import type { DoubleQuotedChild, WordPart } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { findProgram } from '../output/looks.ts';
import { readAnsi } from './ansi.ts';
import { arithmeticText } from './arithmetic.ts';
import type { Scene } from './expand.ts';
import type { Fields } from './fields.ts';
import { emitParameter } from './parameter.ts';
import { processSubstitution, READ_A_STEP, substitute } from './substitution.ts';
import { expandTilde } from './tilde.ts';

export type Mode = 'word' | 'assignment' | 'document' | 'pattern' | 'operand';

/**
 * Adds a word's parts to its fields. `document`: everything is as in double quotes (here-documents, `$(( ))`); `assignment`: tildes
 * also after `=` and `:`; `operand`: the word after `${x:-`, whose bare text is split as the expansion is.
 */
export function emitParts(
  parts: readonly (WordPart | DoubleQuotedChild)[],
  scene: Scene,
  fields: Fields,
  mode: Mode,
): void {
  scene.walker.budget.step(parts.length / 8);
  for (const [i, part] of parts.entries()) {
    const alone = i === parts.length - 1;
    // zsh: `~[name]` is what a function of the user's says; the tilde stands for it.
    if (i === 1 && part.type === 'Glob' && parts[0]?.type === 'Literal' && parts[0].text === '~' && mode === 'word')
      if (scene.context.shell === 'zsh' && part.kind === 'bracket') continue;
    if (part.type === 'Literal' && mode !== 'document') emitLiteral(part.text, scene, fields, mode, i === 0, alone);
    else emitPart(part, scene, fields, mode === 'document');
  }
}

function emitPart(part: WordPart | DoubleQuotedChild, scene: Scene, fields: Fields, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
      fields.add(part.value, true);
      return;
    case 'Glob':
      if (part.kind !== 'bracket') fields.add(part.text, false);
      else {
        fields.add('[', false);
        emitParts(part.parts, scene, fields, 'pattern');
        fields.add(']', false);
      }
      return;
    case 'ExtendedGlob':
      fields.add(`${part.operator}(`, false);
      if (part.parts) emitParts(part.parts, scene, fields, 'pattern');
      else emitLiteral(part.pattern, scene, fields, 'pattern', false, true);
      fields.add(')', false);
      return;
    case 'BraceExpansion':
      // Expanded before; what is left over is ordinary text.
      if (part.parts) emitParts(part.parts, scene, fields, 'pattern');
      else emitLiteral(part.text, scene, fields, 'pattern', false, true);
      return;
    case 'SingleQuoted':
      fields.add(part.value, true);
      return;
    case 'AnsiCQuoted':
      fields.add(readAnsi(part.text), true);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      emitDoubleQuoted(part.parts, scene, fields);
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      emitParameter(part, scene, fields, quoted);
      return;
    case 'CommandExpansion':
      fields.expansion(substitute(part, scene), quoted);
      return;
    case 'ArithmeticExpansion':
      scene.walker.budget.step(part.text.length / READ_A_STEP);
      fields.expansion(arithmeticText(part.expression, scene), quoted);
      return;
    case 'ProcessSubstitution':
      fields.add(processSubstitution(part, scene), true);
      return;
  }
}

function emitDoubleQuoted(parts: readonly DoubleQuotedChild[], scene: Scene, fields: Fields): void {
  // "" makes a word, "$@" of nothing does not (bash(1), *Special Parameters*).
  if (!parts.some(isAllArguments)) fields.add('', true);
  for (const part of parts) emitPart(part, scene, fields, true);
}

function isAllArguments(part: DoubleQuotedChild): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  if (part.type !== 'ParameterExpansion') return false;
  return part.parameter === '@' || part.index?.text === '@';
}

/** Raw unquoted text: backslashes quote, tildes lead to homes. */
function emitLiteral(
  raw: Bytes,
  scene: Scene,
  fields: Fields,
  mode: Exclude<Mode, 'document'>,
  first: boolean,
  last: boolean,
): void {
  let text = raw;
  if (mode === 'assignment' && first) {
    const equals = /^[A-Za-z_]\w*\+?=/.exec(raw)?.[0] ?? '';
    fields.add(equals, false);
    text = raw.slice(equals.length);
    emitColons(text, scene, fields, last);
    return;
  }
  if (mode === 'assignment') {
    emitColons(text, scene, fields, last, false);
    return;
  }
  const program = mode === 'word' && first && scene.context.shell === 'zsh' ? equals(text, scene) : undefined;
  if (program !== undefined) {
    fields.add(program, true);
    return;
  }
  if ((mode === 'word' || mode === 'operand') && first && text.startsWith('~')) {
    const tilde = expandTilde(text, scene.state, last, scene.context.shell);
    if (tilde) {
      fields.expansion(tilde.value, true);
      text = text.slice(tilde.length);
    }
  }
  emitEscaped(text, fields, mode === 'operand');
}

/** `=rm` is the path of that program (zshexpn(1), *`=' expansion*). */
function equals(text: Bytes, scene: Scene): Bytes | undefined {
  const name = /^=([\w.+-]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : findProgram(name, scene.state);
}

/** `a=~/x:~/y`: a tilde after each colon too. */
function emitColons(text: Bytes, scene: Scene, fields: Fields, last: boolean, start = true): void {
  const pieces = text.split(':');
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) fields.add(':', false);
    const tilde =
      piece.startsWith('~') && (i > 0 || start)
        ? expandTilde(piece, scene.state, last || i < pieces.length - 1, scene.context.shell)
        : undefined;
    if (tilde) fields.expansion(tilde.value, true);
    emitEscaped(tilde ? piece.slice(tilde.length) : piece, fields);
  }
}

function emitEscaped(text: Bytes, fields: Fields, splits = false): void {
  const bare = (run: Bytes): void => (splits ? fields.expansion(run, false) : fields.add(run, false));
  let start = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', start)) {
    bare(text.slice(start, at));
    if (at + 1 >= text.length) fields.add('\\', true);
    else if (text[at + 1] !== '\n') fields.add(text.charAt(at + 1), true);
    start = at + 2;
  }
  bare(text.slice(start));
}
