import type { Bytes } from '../../platform/bytes.ts';

/** A rule with its recipe lines, unexpanded. */
interface MakeRule {
  readonly targets: readonly Bytes[];
  readonly needs: readonly Bytes[];
  readonly recipe: readonly Bytes[];
}

/** What a makefile says without running anything. */
export interface Makefile {
  readonly rules: readonly MakeRule[];
  readonly variables: ReadonlyMap<Bytes, Bytes>;
  /** The goal of a plain `make`. */
  readonly first: Bytes | undefined;
}

const ASSIGNMENT = /^(?:export\s+|override\s+)*([\w.-]+)\s*(::?:?=|\?=|\+=|!=|=)\s*(.*)$/;

/** Reads explicit rules and variables (GNU make manual 3.1, 4, 6); conditionals are read as if every branch held. */
export function readMakefile(text: Bytes, given: ReadonlyMap<Bytes, Bytes>): Makefile {
  const variables = new Map(given);
  const rules: MakeRule[] = [];
  let first: Bytes | undefined;
  let recipe: Bytes[] | undefined;
  for (const line of text.replace(/\\\r?\n(?!\t)\s*/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      recipe?.push(line.slice(1));
      continue;
    }
    const bare = line.replace(/(^|\s)#.*$/, '').trim();
    if (bare === '') continue;
    const set = ASSIGNMENT.exec(bare);
    if (set) {
      assign(variables, given, set[1] ?? '', set[2] ?? '', set[3] ?? '');
      continue;
    }
    const rule = /^([^:=]+?)\s*::?(?!=)\s*([^;|]*)(?:\|[^;]*)?(?:;(.*))?$/.exec(bare);
    if (!rule) continue;
    recipe = rule[3] === undefined ? [] : [rule[3]];
    const words = (part: Bytes): Bytes[] =>
      (expand(part, variables) ?? part).split(/\s+/).filter((word) => word !== '');
    const targets = words(rule[1] ?? '');
    rules.push({ targets, needs: words(rule[2] ?? ''), recipe });
    first ??= targets.find((target) => !target.startsWith('.') && !target.includes('%'));
  }
  return { rules, variables, first };
}

function assign(
  variables: Map<Bytes, Bytes>,
  given: ReadonlyMap<Bytes, Bytes>,
  name: Bytes,
  sign: Bytes,
  value: Bytes,
): void {
  if (given.has(name)) return;
  const before = variables.get(name);
  if (sign === '?=' && before !== undefined) return;
  if (sign === '!=') variables.delete(name);
  else variables.set(name, sign === '+=' && before !== undefined ? `${before} ${value}` : value);
}

/** `$(A)`, `${A}`, `$@`, `$$`; undefined where a function or a name that nobody set is in it. */
export function expand(text: Bytes, variables: ReadonlyMap<Bytes, Bytes>, depth = 0): Bytes | undefined {
  if (depth > 20) return undefined;
  let out = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '$') {
      out += text[at];
      continue;
    }
    const hit = /^\$(?:(\$)|\(([^()$]*)\)|\{([^{}$]*)\}|([^({]))/.exec(text.slice(at, at + 200));
    if (!hit) return undefined;
    at += hit[0].length - 1;
    const value = hit[1] === undefined ? variables.get(hit[2] ?? hit[3] ?? hit[4] ?? '') : '$';
    const full = value === undefined || hit[1] !== undefined ? value : expand(value, variables, depth + 1);
    if (full === undefined || out.length > 65_536) return undefined;
    out += full;
  }
  return out;
}

/**
 * The command lines that making `goals` may run, in order, as `sh -c` gets them; lines with parts that only make can
 * tell are left out. `program`: what `$(MAKE)` is.
 */
export function recipesFor(makefile: Makefile, goals: readonly Bytes[], program: Bytes): Bytes[] {
  const out: Bytes[] = [];
  const done = new Set<Bytes>();
  const make = (target: Bytes): void => {
    if (done.has(target) || done.size > 200) return;
    done.add(target);
    const rules = makefile.rules.filter((rule) => rule.targets.includes(target));
    for (const rule of rules) for (const need of rule.needs) make(need);
    for (const rule of rules) {
      const own = new Map([
        ...makefile.variables,
        ['@', target],
        ['<', rule.needs[0] ?? ''],
        ['^', rule.needs.join(' ')],
        ['MAKE', program],
        ['RM', makefile.variables.get('RM') ?? 'rm -f'],
      ]);
      for (const line of joined(rule.recipe)) {
        const text = expand(line.replace(/^[@+\-\s]+/, ''), own);
        if (text !== undefined && text.trim() !== '') out.push(text);
      }
    }
  };
  for (const goal of goals.length > 0 ? goals : makefile.first === undefined ? [] : [makefile.first]) make(goal);
  return out;
}

/** A backslash at the end joins the next recipe line. */
function joined(lines: readonly Bytes[]): Bytes[] {
  const out: Bytes[] = [];
  let open = false;
  for (const line of lines) {
    if (open) out[out.length - 1] += `\n${line}`;
    else out.push(line);
    open = /(^|[^\\])(\\\\)*\\$/.test(line);
  }
  return out;
}
