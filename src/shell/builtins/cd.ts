import type { Bytes } from '../../platform/bytes.ts';
import { dirname, isInside, normalize, resolve as resolvePath } from '../../platform/paths.ts';
import { lookUp, real } from '../disk.ts';
import { printed } from '../output/table.ts';
import type { Status } from '../run/context.ts';
import { raise } from '../run/traps.ts';
import { assign } from '../state/assign.ts';
import { type State, unionPlaces } from '../state/state.ts';
import { plainValue } from '../state/variables.ts';
import type { Place } from '../types.ts';
import { either, isKnown, type Text, toArg, UNKNOWN } from '../words/text.ts';
import { type Builtin, type BuiltinCall, splitOptions, textsOf } from './builtin.ts';

const NOWHERE: Place = { kind: 'unknown' };

/** `cd` (POSIX XCU cd): `-`, `CDPATH`, `cdable_vars`; a folder that is not there leaves the shell where it is. */
export const cd: Builtin = (call) => {
  const { flags, operands } = splitOptions(textsOf(call));
  const { state } = call;
  const [from, to] = operands;
  const here = state.places[0];
  if (call.context.shell === 'zsh' && operands.length === 2 && isKnown(from) && isKnown(to) && here?.kind === 'known')
    return go(
      (here.logical ?? here.path).replace(from, () => to),
      state,
      false,
    );
  if (operands.length > 1) return operands.some((text) => !isKnown(text)) ? moveTo(state, NOWHERE, 'maybe') : 'fail';
  const wanted = operands[0] ?? heldBy('HOME', state) ?? UNKNOWN;
  const status = go(wanted, state, flags.has('P'));
  if (status !== 'fail' && !flags.has('q')) entered(call);
  if (wanted === '-') call.context.out?.write(pathText(state.places[0]));
  return status;
};

/** What the shell calls by itself in its new folder: zsh's `chpwd` (zshmisc(1)), fish's handlers of the variable PWD. */
function entered(call: BuiltinCall): void {
  const { walker, state, context } = call;
  if (context.shell === 'fish') raise('ON-VARIABLE:PWD', ['VARIABLE', 'SET', 'PWD'], call);
  if (context.shell !== 'zsh' || context.barred.has('chpwd')) return;
  const around = { ...context, depth: context.depth + 1, barred: new Set([...context.barred, 'chpwd']) };
  const listed = [...(state.variables.get('chpwd_functions')?.items?.values() ?? [])];
  for (const name of ['chpwd', ...listed])
    if (isKnown(name) && state.functions.has(name)) walker.command([toArg(name)], state, around);
}

/** Changes the working directory as `cd WANTED` does. */
export function go(wanted: Text, state: State, physical: boolean): Status {
  if (!isKnown(wanted)) return moveTo(state, NOWHERE, 'maybe');
  if (wanted === '') return 'ok';
  if (wanted === '-') {
    const old = heldBy('OLDPWD', state);
    return old === undefined
      ? moveTo(state, NOWHERE, 'maybe')
      : isKnown(old)
        ? enter(old, state, physical)
        : moveTo(state, NOWHERE, 'maybe');
  }
  return enter(wanted, state, physical);
}

function heldBy(name: Bytes, state: State): Text | undefined {
  const variable = state.variables.get(name);
  return variable && plainValue(variable);
}

const pathText = (place: Place | undefined): Text =>
  place?.kind === 'known' ? `${place.logical ?? place.path}\n` : UNKNOWN;

function enter(wanted: Bytes, state: State, physical: boolean): Status {
  const place = state.places[0] ?? NOWHERE;
  const inPath = wanted.startsWith('/') || /^\.\.?(?:\/|$)/.test(wanted) ? undefined : fromCdPath(wanted, state);
  if (inPath === 'unknown') return moveTo(state, NOWHERE, 'maybe');
  const target = inPath ?? wanted;
  if (place.kind === 'unknown' && !target.startsWith('/')) return moveTo(state, NOWHERE, 'maybe');
  const found = folderAt(target, place, physical);
  const verdict = isThere(found.path, state);
  if (verdict === 'no') {
    const named = state.options.has('cdable_vars') ? heldBy(wanted, state) : undefined;
    if (isKnown(named) && named !== wanted) return enter(named, state, physical);
    // The shell may have a variable of that name that was not handed over.
    if (state.options.has('cdable_vars') && /^[A-Za-z_]\w*$/.test(wanted) && !isKnown(named))
      return moveTo(state, NOWHERE, 'maybe');
    return 'fail';
  }
  return moveTo(state, found, verdict === 'yes' ? 'surely' : 'maybe');
}

/** The folder that a path names from a place: by the shell's own view of where it is, unless `physical`. */
export function folderAt(path: Bytes, place: Place, physical: boolean): Extract<Place, { kind: 'known' }> {
  const from = place.kind === 'known' ? (physical ? place.path : (place.logical ?? place.path)) : '/';
  if (physical) return { kind: 'known', path: real(path.startsWith('/') ? path : `${from}/${path}`) };
  const logical = resolvePath(from, path);
  const followed = real(logical);
  return followed === logical ? { kind: 'known', path: logical } : { kind: 'known', path: followed, logical };
}

function fromCdPath(wanted: Bytes, state: State): Bytes | 'unknown' | undefined {
  const path = heldBy('CDPATH', state);
  if (path === undefined || path === '') return undefined;
  if (!isKnown(path)) return 'unknown';
  const place = state.places[0] ?? NOWHERE;
  for (const folder of path.split(':')) {
    const candidate = folder === '' ? wanted : `${folder}/${wanted}`;
    if (place.kind === 'unknown' && !candidate.startsWith('/')) return 'unknown';
    if (isThere(folderAt(candidate, place, false).path, state) === 'yes') return candidate;
  }
  return undefined;
}

/** Whether `cd` will find a folder there when its turn comes. */
function isThere(path: Bytes, state: State): 'yes' | 'no' | 'maybe' {
  const plain = normalize(path);
  if ([...state.gone].some((gone) => isInside(plain, gone))) return 'maybe';
  if (state.made.has(plain)) return 'yes';
  const look = lookUp(path, true);
  if (look === 'unknown') return 'maybe';
  if (look !== 'absent') return look.type === 'folder' ? 'yes' : 'no';
  return state.changed || [...state.made].some((made) => isInside(made, plain)) || state.made.has(dirname(plain))
    ? 'maybe'
    : 'no';
}

/** `maybe`: the change may fail, and then the shell stays where it was. */
function moveTo(state: State, place: Place, how: 'surely' | 'maybe'): Status {
  const before = state.places;
  const old = before[0];
  const from = old?.kind === 'known' ? (old.logical ?? old.path) : UNKNOWN;
  assign(state, 'OLDPWD', how === 'surely' ? from : either(heldBy('OLDPWD', state) ?? UNKNOWN, from));
  if (how === 'surely') {
    state.places = [place];
    return 'ok';
  }
  state.mayStay = { before, after: [place] };
  state.places = unionPlaces(before, [place]);
  return 'unknown';
}

export const pushd: Builtin = (call) => {
  const { state } = call;
  const { operands, flags } = splitOptions(textsOf(call));
  const [wanted] = operands;
  // `-n`: only the stack changes.
  if (flags.has('n')) {
    state.stack = [NOWHERE];
    return 'unknown';
  }
  const here = state.places[0] ?? NOWHERE;
  if (wanted === undefined || (isKnown(wanted) && /^[+-]\d+$/.test(wanted))) {
    const index = wanted === undefined ? 1 : Number(isKnown(wanted) ? wanted.slice(1) : 0);
    const all = [here, ...state.stack];
    const at = isKnown(wanted) && wanted.startsWith('-') ? all.length - 1 - index : index;
    const top = all[at];
    if (!top) return moveTo(state, NOWHERE, 'maybe');
    state.stack = wanted === undefined ? [here, ...all.slice(2)] : [...all.slice(at + 1), ...all.slice(0, at)];
    return moveTo(state, top, 'surely');
  }
  const status = go(wanted, state, false);
  if (status !== 'fail') entered(call);
  if (status !== 'fail') state.stack = [here, ...state.stack];
  call.context.out?.write(undefined);
  return status;
};

export const popd: Builtin = (call) => {
  const { state } = call;
  const [wanted] = textsOf(call);
  if (wanted !== undefined && wanted !== '+0') {
    state.stack = [NOWHERE];
    return 'unknown';
  }
  const [top, ...rest] = state.stack;
  call.context.out?.write(undefined);
  if (!top) return 'fail';
  state.stack = rest;
  const status = moveTo(state, top, 'surely');
  entered(call);
  return status;
};

export const dirs: Builtin = (call) => {
  if (textsOf(call).includes('-c')) call.state.stack = [];
  call.context.out?.write(undefined);
  return 'ok';
};

export const pwd: Builtin = ({ argv, walker, state, context }) => {
  context.out?.write(printed({ argv, walker, state, context }).text);
  return 'ok';
};
