import type { HereDoc, Redirect, Redirection, Word } from 'unbash';
import type { Bytes } from '../../platform/bytes.ts';
import { resolve as resolvePath } from '../../platform/paths.ts';
import { assign } from '../state/assign.ts';
import type { State } from '../state/state.ts';
import type { Arg, RedirectKind } from '../types.ts';
import { expandParts, expandText, expandWord, type Scene } from '../words/expand.ts';
import { concat, isKnown, type Text, toText, UNKNOWN } from '../words/text.ts';
import { type Context, type Input, Sink, spanOf } from './context.ts';

/** A command's surroundings after its redirections, and the file that its output goes to. */
export interface Redirected {
  readonly context: Context;
  readonly output: { readonly path: Bytes; readonly sink: Sink; readonly append: boolean } | undefined;
}

/** Reports the output redirections of a command, in order, and gives what the command then reads and writes. */
export function redirect(redirections: readonly Redirection[], scene: Scene): Redirected {
  let { context } = scene;
  let output: Redirected['output'];
  for (const one of redirections) {
    const now = { ...scene, context: { ...context, out: scene.context.out } };
    scene.walker.budget.step();
    if (one.type === 'HereDoc') context = withInput(context, one.descriptor, text(hereDocument(one, now)));
    else if (one.type === 'HereString') {
      const value = one.target ? expandText(one.target, now) : '';
      context = withInput(context, one.descriptor, text(concat(value, '\n')));
    } else {
      const opened = open(one, now);
      if (opened.input) context = withInput(context, one.descriptor, opened.input);
      if (opened.output !== undefined) {
        output = opened.output;
        context = { ...context, out: opened.output.sink };
      }
      if (opened.closes) {
        output = undefined;
        context = { ...context, out: undefined };
      }
    }
  }
  return { context, output };
}

/** After the command: what it printed is in the file. */
export function settleOutput(redirected: Redirected, state: State): void {
  const { output } = redirected;
  if (!output) return;
  const before = output.append ? (state.written.get(output.path) ?? UNKNOWN) : '';
  state.written.set(output.path, concat(before, output.sink.text));
}

const text = (value: Text): Input => (isKnown(value) ? { kind: 'text', text: value } : { kind: 'pipe', from: [] });

function withInput(context: Context, descriptor: Redirect['descriptor'], input: Input): Context {
  const fd = descriptor?.type === 'FileDescriptor' ? descriptor.value : descriptor ? -1 : 0;
  return fd === 0 ? { ...context, stdin: input } : context;
}

/** A here-document's text: quoted delimiters keep it as it is; `<<-` strips leading tabs. */
function hereDocument(node: HereDoc, scene: Scene): Text {
  const { body } = node;
  const strip = (value: Bytes): Bytes => (node.operator === '<<-' ? value.replace(/^\t+/gm, '') : value);
  if (node.delimiter?.quoted) return strip(body.text);
  if (body.parts) {
    const value = expandParts(body.parts, scene, true);
    return isKnown(value) ? strip(value) : value;
  }
  return strip(body.text.replace(/\\([$`\\\n])/g, (_, char: Bytes) => (char === '\n' ? '' : char)));
}

interface Opened {
  readonly input?: Input;
  readonly output?: Redirected['output'];
  /** Standard output now goes somewhere that the line does not read. */
  readonly closes?: boolean;
}

const WRITES: Readonly<Record<string, RedirectKind>> = {
  '>': 'write',
  '>|': 'write',
  '&>': 'write',
  '>&': 'write',
  '>>': 'append',
  '&>>': 'append',
  '<>': 'read-write',
};

function open(node: Redirect, scene: Scene): Opened {
  const { walker, state, context } = scene;
  if (!node.target) return {};
  const targets = expandWord(node.target, scene);
  // "ambiguous redirect": nothing is opened.
  if (context.shell === 'bash' && targets.length > 1 && targets.every((target) => target.kind === 'known')) return {};
  const target = targets.length === 1 && targets[0] ? targets[0] : unknownTarget(node.target, scene);
  const fd = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
  const variable = node.descriptor?.type === 'FileDescriptorVariable' ? node.descriptor.name : undefined;
  if (variable !== undefined) assign(state, variable, UNKNOWN);
  if (node.operator === '<') return variable === undefined ? { input: inputOf(target, state) } : {};
  if (node.operator === '<&') return {};
  if (node.operator === '>&' && target.kind === 'known' && /^(?:\d+-?|-)$/.test(target.text)) {
    return fd === undefined || fd === 1 ? { closes: target.text !== '1' } : {};
  }
  const kind = WRITES[node.operator];
  if (kind === undefined) return {};
  // Pipes of process substitutions and bash's own network names are no files.
  if (target.kind === 'known' && /^\/dev\/(?:fd\/belay-|tcp\/|udp\/)/.test(target.text)) return { closes: true };
  const out = node.operator.startsWith('&') || node.operator === '>&' ? 1 : (fd ?? (node.operator === '<>' ? 0 : 1));
  const written = context.shell === 'zsh' && targets.length > 1 ? targets : [target];
  for (const [place, one] of state.places.flatMap((at) => written.map((to) => [at, to] as const))) {
    walker.visitor.redirect({
      // `1<>`: what is printed goes over what is there.
      kind: kind === 'read-write' && (out === 1 || out === 2) ? 'write' : kind,
      clobber: !/^(?:>|&>|>&)$/.test(node.operator) || !state.options.has('noclobber'),
      target: one,
      cwd: place,
      certainty: state.places.length > 1 ? 'maybe' : context.certainty,
      deferred: context.deferred,
      fd: variable === undefined ? out : 10,
    });
  }
  if (variable !== undefined || out !== 1) {
    // What goes to another descriptor is not followed.
    const file = target.kind === 'known' ? fileOf(target.text, state) : undefined;
    if (file !== undefined) state.written.set(file, UNKNOWN);
    return {};
  }
  const path = target.kind === 'known' ? fileOf(target.text, state) : undefined;
  if (path === undefined) {
    if (!isDevice(target)) state.written.clear();
    return { closes: true };
  }
  return { output: { path, sink: new Sink(), append: kind === 'append' } };
}

/** `/dev/null` and the like hold nothing afterwards. */
const isDevice = (target: Arg): boolean => target.kind === 'known' && target.text.startsWith('/dev/');

/** A redirection's word is split and matched too, but has to end as one word; zsh's MULTIOS writes to all. */
function unknownTarget(word: Word, scene: Scene): Arg {
  const span = spanOf(word, scene.context, scene.walker.line.text);
  return { kind: 'unknown', prefix: '', suffix: '', many: false, ...(span ? { span } : {}) };
}

/** The absolute path of a file as the shell names it; undefined for a device or where it cannot be known. */
export function fileOf(path: Bytes, state: State): Bytes | undefined {
  if (path.startsWith('/dev/')) return undefined;
  const place = state.places[0];
  if (path.startsWith('/')) return resolvePath('/', path);
  return place?.kind === 'known' ? resolvePath(place.path, path) : undefined;
}

function inputOf(target: Arg, state: State): Input {
  const path = toText(target);
  if (!isKnown(path)) return { kind: 'pipe', from: [] };
  const written = state.written.get(path) ?? state.written.get(fileOf(path, state) ?? '');
  if (written !== undefined) return text(written);
  if (path === '/dev/null') return { kind: 'text', text: '' };
  return { kind: 'file', path: fileOf(path, state) ?? path };
}
