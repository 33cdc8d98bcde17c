import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import type { State } from '../state/state.ts';
import { plainValue } from '../state/variables.ts';
import type { Place, ShellName } from '../types.ts';
import { isKnown, type Text, UNKNOWN } from './text.ts';

/**
 * The tilde prefix that `text` begins with (bash(1), *Tilde Expansion*): its value and how many characters it takes; undefined where
 * it stays as it is. `whole`: nothing else of the word follows `text`. In zsh what nobody knows may be a named directory all the same
 * (zshexpn(1), *Filename Expansion*), and what an expansion yields may name one (`~$x`, `~[x]`).
 */
export function expandTilde(
  text: Bytes,
  state: State,
  whole: boolean,
  shell: ShellName,
): { readonly value: Text; readonly length: number } | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 && !whole) return shell === 'zsh' ? { value: UNKNOWN, length: text.length } : undefined;
  const name = text.slice(1, slash < 0 ? undefined : slash);
  if (/[\\*?[]/.test(name)) return undefined;
  const value = tildeValue(name, state) ?? (shell === 'zsh' ? named(name, state) : undefined);
  return value === undefined ? undefined : { value, length: name.length + 1 };
}

function tildeValue(name: Bytes, state: State): Text | undefined {
  if (name === '') return homeOf(state);
  if (name === '+') return pathOf(state.places[0]);
  if (name === '-') return variable('OLDPWD', state);
  const numbered = /^([+-]?)(\d+)$/.exec(name);
  if (numbered) return stackEntry(state, numbered[1] ?? '', Number(numbered[2]));
  return state.hashed.get(`~${name}`) ?? passwdHome(name);
}

/** A parameter whose value is a path. */
function named(name: Bytes, state: State): Text {
  const value = variable(name, state);
  return value !== undefined && isKnown(value) && value.startsWith('/') ? value : UNKNOWN;
}

function homeOf(state: State): Text {
  const home = state.variables.get('HOME');
  return (home && plainValue(home)) ?? UNKNOWN;
}

function variable(name: Bytes, state: State): Text | undefined {
  const found = state.variables.get(name);
  return found ? plainValue(found) : undefined;
}

const pathOf = (place: Place | undefined): Text => (place?.kind === 'known' ? (place.logical ?? place.path) : UNKNOWN);

function stackEntry(state: State, sign: Bytes, index: number): Text | undefined {
  const all = [...state.places.slice(0, 1), ...state.stack];
  const place = all[sign === '-' ? all.length - 1 - index : index];
  return place && pathOf(place);
}

let homes: Map<Bytes, Bytes> | undefined;

/** Home folders of passwd(5). */
function passwdHome(name: Bytes): Bytes | undefined {
  if (!homes) {
    const file = readBytesIfAny('/etc/passwd');
    const rows = file ? fromBuffer(file).split('\n') : [];
    homes = new Map(rows.map((row) => row.split(':')).map((row) => [row[0] ?? '', row[5] ?? '']));
  }
  return homes.get(name) || undefined;
}
