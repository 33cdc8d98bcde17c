import type { Bytes } from '../../platform/bytes.ts';
import { lower, upper } from '../glob/bracket.ts';
import { concat, isKnown, type Text, UNKNOWN } from '../words/text.ts';
import type { State } from './state.ts';
import type { Variable } from './variables.ts';

/** Sets a variable, or one item of it; `unknown`: one item, nobody knows which. */
export function assign(
  state: State,
  name: Bytes,
  value: Text,
  how: { readonly key?: Bytes; readonly append?: boolean; readonly exported?: boolean } = {},
): void {
  const own = target(state, name);
  if (own === undefined) return;
  const old = state.variables.get(own);
  const fresh = changed(old, value);
  const exported = how.exported ?? old?.exported ?? state.options.has('allexport');
  if (how.key === undefined && old?.items && !old.associative && state.oneForAll && !state.options.has('ksharrays')) {
    if (how.append) assignArray(state, name, [{ key: undefined, value: fresh }], { append: true });
    else state.variables.set(own, { value: fresh, exported });
    return;
  }
  if (how.key !== undefined || old?.items) {
    state.variables.set(own, withItem(old, how.key ?? '0', fresh, how.append ?? false, exported));
    return;
  }
  const text = how.append ? (old?.integer ? UNKNOWN : concat(old ? (old.value ?? '') : UNKNOWN, fresh)) : fresh;
  state.variables.set(own, { ...(old ?? {}), value: text, exported });
}

/** Where an assignment goes: through name references; undefined where nobody knows. */
function target(state: State, name: Bytes, depth = 0): Bytes | undefined {
  const variable = state.variables.get(name);
  if (!variable?.reference || depth > 8) return name;
  return isKnown(variable.value) ? target(state, variable.value, depth + 1) : undefined;
}

function withItem(old: Variable | undefined, key: Bytes, value: Text, append: boolean, exported: boolean): Variable {
  const before = old?.items ?? (old?.value === undefined ? [] : [['0', old.value] as const]);
  const items = new Map(before);
  if (key === 'unknown' && !old?.associative)
    return { ...(old ?? {}), value: undefined, items: new Map(), open: true, exported };
  items.set(key, append ? concat(items.get(key) ?? '', value) : value);
  return { ...(old ?? {}), value: undefined, items, exported };
}

/** `declare -i`, `-u`, `-l` change what is assigned. */
function changed(variable: Variable | undefined, value: Text): Text {
  if (!variable || !isKnown(value)) return value;
  if (variable.integer) return /^-?\d+$/.test(value) ? value : UNKNOWN;
  if (variable.case) return variable.case === 'upper' ? upper(value) : lower(value);
  return value;
}

/** `a=(…)`: all items at once; `a+=(…)` after those that are there. */
export function assignArray(
  state: State,
  name: Bytes,
  entries: readonly { readonly key: Bytes | undefined; readonly value: Text }[],
  how: { readonly append?: boolean; readonly open?: boolean } = {},
): void {
  const own = target(state, name);
  if (own === undefined) return;
  const old = state.variables.get(own);
  const kept = how.append && old ? (old.items ?? (old.value === undefined ? [] : [['0', old.value] as const])) : [];
  const items = new Map<Bytes, Text>(kept);
  // Behind items that nobody knows, nobody knows the index of what is added.
  const after = how.append === true && (old === undefined || (old.open ?? false));
  let open = (how.open ?? false) || after;
  let next = Math.max(-1, ...[...items.keys()].map(Number).filter(Number.isFinite)) + 1;
  // `declare -A m=(k v …)`: keys and values by turns (bash(1), *Arrays*).
  if (old?.associative && entries.length > 0 && entries.every(({ key }) => key === undefined)) {
    for (let at = 0; at < entries.length; at += 2) {
      const name = entries[at]?.value;
      if (isKnown(name)) items.set(name, entries[at + 1]?.value ?? '');
      else open = true;
    }
    state.variables.set(own, { ...old, value: undefined, items, open });
    return;
  }
  for (const { key, value } of entries) {
    if ((!isKnown(value) && value.many) || (after && key === undefined)) {
      open = true;
      continue;
    }
    const at = key ?? String(next);
    items.set(at, value);
    if (!old?.associative) next = Number(at) + 1;
  }
  state.variables.set(own, { ...(old ?? { exported: false }), value: undefined, items, open });
}
