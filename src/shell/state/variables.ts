import type { Bytes } from '../../platform/bytes.ts';
import { either, isKnown, type Text, UNKNOWN } from '../words/text.ts';

/** A shell variable; a changed one is a new object, so that states can share them. */
export interface Variable {
  /** Undefined: declared or unset, holds nothing. */
  readonly value: Text | undefined;
  /** An array's items by index or key. */
  readonly items?: ReadonlyMap<Bytes, Text>;
  /** The array may have items nobody knows. */
  readonly open?: boolean;
  readonly associative?: boolean;
  readonly exported: boolean;
  /** `declare -u -l -i -n`. */
  readonly case?: 'upper' | 'lower';
  readonly integer?: boolean;
  readonly reference?: boolean;
}

export type Variables = Map<Bytes, Variable>;

export const scalar = (value: Text | undefined, exported = false): Variable => ({ value, exported });

/** What `$name` is of an array: item 0. */
export function plainValue(variable: Variable): Text | undefined {
  if (!variable.items) return variable.value;
  return variable.items.get('0') ?? (variable.open ? UNKNOWN : undefined);
}

/** The variable after one of two histories. */
export function joinVariable(left: Variable | undefined, right: Variable | undefined): Variable {
  if (left === right && left) return left;
  const exported = (left?.exported ?? false) || (right?.exported ?? false);
  if (left?.items || right?.items) {
    const items = new Map<Bytes, Text>();
    const leftItems = left?.items ?? new Map<Bytes, Text>();
    const rightItems = right?.items ?? new Map<Bytes, Text>();
    let open = (left?.open ?? false) || (right?.open ?? false) || leftItems.size !== rightItems.size;
    for (const [key, value] of leftItems) {
      const other = rightItems.get(key);
      if (other === undefined) open = true;
      else items.set(key, either(value, other));
    }
    const associative = left?.associative ?? right?.associative ?? false;
    return { value: undefined, items, open, associative, exported };
  }
  const one = left?.value;
  const two = right?.value;
  if (isKnown(one) && one === two) return { ...(left as Variable), exported };
  return { value: one === undefined || two === undefined ? UNKNOWN : either(one, two), exported };
}

/** Nothing that can be known tells the two apart. */
export function sameVariable(left: Variable | undefined, right: Variable | undefined): boolean {
  if (left === right) return true;
  if (!left || !right || left.items || right.items || left.exported !== right.exported) return false;
  if (isKnown(left.value) || isKnown(right.value)) return left.value === right.value;
  return left.value?.prefix === right.value?.prefix && left.value?.suffix === right.value?.suffix;
}
