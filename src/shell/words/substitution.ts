import type { ParsedScript, ProcessSubstitutionPart } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { MOST_DEPTH } from '../run/budget.ts';
import type { Scene } from './expand.ts';
import { isKnown, type Text, UNKNOWN } from './text.ts';

/** `$(…)`: its commands are walked; its text is what they print, as far as that is known, without the newlines at its end. */
export function substitute(
  part: { readonly script: ParsedScript | undefined; readonly text: Bytes },
  scene: Scene,
): Text {
  const { walker, state, context } = scene;
  if (context.depth >= MOST_DEPTH || !part.script) {
    walker.gap(`a substitution that could not be followed: ${part.text.slice(0, 40)}`, state, true);
    return UNKNOWN;
  }
  walker.budget.step(3 + part.text.length / READ_A_STEP);
  if (part.script.commands.length === 0 && !part.script.errors?.length) return '';
  const { output } = walker.capture(part.script, state, inside(scene, part.script));
  return isKnown(output) ? output.replace(/\0/g, '').replace(/\n+$/, '') : output;
}

/** Characters of a substitution that are read in a step: each one inside another is read again. */
export const READ_A_STEP = 64;

/** Where a process substitution's pipe appears: names that the command line itself cannot mean. */
const PIPE = '/dev/fd/belay-';

/** `<(…)` and `>(…)`: the name of the pipe; what `<(…)` prints is kept as what the line wrote there. */
export function processSubstitution(part: ProcessSubstitutionPart, scene: Scene): Bytes {
  const { walker, state, context } = scene;
  const name = `${PIPE}${walker.pipes++}`;
  if (context.depth >= MOST_DEPTH || !part.script) {
    walker.gap(`a process substitution that could not be followed: ${part.text.slice(0, 40)}`, state, true);
    state.written.set(name, UNKNOWN);
    return name;
  }
  walker.budget.step(3 + part.text.length / READ_A_STEP);
  const around = inside(scene, part.script);
  if (part.operator === '<') {
    const { output } = walker.capture(part.script, state, around);
    state.written.set(name, output);
  } else {
    // Its commands read what the command writes there.
    walker.capture(part.script, state, { ...around, deferred: true, stdin: { kind: 'pipe', from: [] } });
    state.written.set(name, UNKNOWN);
  }
  return name;
}

/** A backquoted script with escapes has a text of its own: its positions are not the line's. */
const inside = (scene: Scene, script: ParsedScript): Scene['context'] => ({
  ...scene.context,
  depth: scene.context.depth + 1,
  inLine: scene.context.inLine && script.source === undefined,
});
