import type { Bytes } from '../../platform/bytes.ts';
import { basename } from '../../platform/paths.ts';
import { wild } from '../../platform/wild.ts';
import type { Arg } from '../../shell/types.ts';
import type { EntryType } from '../world.ts';
import { regexToRegExp } from './pattern.ts';
import { isEmpty, lookTest, type Moment } from './tests.ts';

/** Three-valued: `maybe` where the test cannot be judged before the line runs; being broader is safe. */
export type Answer = boolean | 'maybe';

export interface Entry {
  /** As find names it: the starting point as typed, then the rest. */
  readonly named: Bytes;
  readonly path: Bytes;
  readonly type: EntryType;
  readonly depth: number;
  /** Everything below it is come to (`-maxdepth` aside). */
  readonly isWhole: boolean;
}

export type Action =
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'exec';
      readonly argv: readonly Arg[];
      readonly inFolder: boolean;
      readonly many: boolean;
      readonly asks: boolean;
    }
  /** `-print`, `-print0`; `end`: undefined where it prints something else (`-ls`, `-printf`). */
  | { readonly kind: 'print'; readonly end: '\n' | '\0' | undefined }
  | { readonly kind: 'prune' }
  | { readonly kind: 'quit' };

/** A node of find's expression (find(1), EXPRESSION). */
export type Node =
  | { readonly kind: 'test'; readonly test: (entry: Entry) => Answer }
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'not'; readonly node: Node }
  | { readonly kind: 'and' | 'or' | 'comma'; readonly left: Node; readonly right: Node };

export interface Expression {
  readonly node: Node | undefined;
  readonly actions: readonly Action[];
  readonly maxDepth: number;
  readonly minDepth: number;
  /** Files that `-fprint` and its kin write. */
  readonly outputs: readonly Arg[];
}

const ONE_VALUE =
  /^-(amin|anewer|atime|cmin|cnewer|context|ctime|fstype|gid|group|ilname|inum|ipath|iregex|iwholename|links|lname|mmin|mtime|newer|perm|samefile|size|uid|used|user|xtype|newer..|files0-from|D)$/;
const TYPES: Record<string, EntryType> = {
  f: 'file',
  d: 'folder',
  l: 'link',
  p: 'fifo',
  s: 'socket',
  b: 'device',
  c: 'device',
};

/** Reads the expression; what it does not know is taken as a test that may hold. */
export function parseExpression(words: readonly Arg[], moment: Moment): Expression {
  let dialect: Bytes | undefined = 'emacs';
  const outputs: Arg[] = [];
  const actions: Action[] = [];
  let maxDepth = Number.POSITIVE_INFINITY;
  let minDepth = 0;
  let at = 0;
  const peek = (): Bytes | undefined => {
    const arg = words[at];
    return arg?.kind === 'known' ? arg.text : arg === undefined ? undefined : '?';
  };
  const value = (): Arg | undefined => words[at++];
  const textValue = (): Bytes | undefined => {
    const arg = value();
    return arg?.kind === 'known' ? arg.text : undefined;
  };
  const act = (action: Action): Node => {
    actions.push(action);
    return { kind: 'action', action };
  };
  const test = (judge: (entry: Entry) => Answer): Node => ({ kind: 'test', test: judge });

  function comma(): Node | undefined {
    let left = or();
    while (left && peek() === ',') {
      at++;
      const right = or();
      if (right) left = { kind: 'comma', left, right };
    }
    return left;
  }
  function or(): Node | undefined {
    let left = and();
    while (left && (peek() === '-o' || peek() === '-or')) {
      at++;
      const right = and();
      if (right) left = { kind: 'or', left, right };
    }
    return left;
  }
  function and(): Node | undefined {
    let left = not();
    for (;;) {
      const next = peek();
      if (!left || next === undefined || next === ')' || next === '-o' || next === '-or' || next === ',') return left;
      if (next === '-a' || next === '-and') at++;
      const right = not();
      if (right) left = { kind: 'and', left, right };
    }
  }
  function not(): Node | undefined {
    const next = peek();
    if (next === undefined) return undefined;
    at++;
    if (next === '!' || next === '-not') {
      const node = not();
      return node && { kind: 'not', node };
    }
    if (next === '(') {
      const node = comma();
      if (peek() === ')') at++;
      return node;
    }
    return primary(next);
  }
  function command(name: Bytes): Node {
    const argv: Arg[] = [];
    let many = false;
    for (;;) {
      const arg = words[at++];
      if (arg === undefined) break;
      if (arg.kind === 'known' && arg.text === ';') break;
      const last = argv.at(-1);
      if (arg.kind === 'known' && arg.text === '+' && last?.kind === 'known' && last.text === '{}') {
        many = true;
        break;
      }
      argv.push(arg);
    }
    return act({ kind: 'exec', argv, inFolder: name.endsWith('dir'), many, asks: name.startsWith('-ok') });
  }
  function primary(name: Bytes): Node {
    switch (name) {
      case '-maxdepth':
        maxDepth = numberOf(textValue(), Number.POSITIVE_INFINITY);
        return test(() => true);
      case '-mindepth':
        minDepth = numberOf(textValue(), 0);
        return test(() => true);
      case '-name':
      case '-iname': {
        const matches = matcher(textValue(), name === '-iname');
        return test((entry) => matches(basename(entry.named)));
      }
      case '-path':
      case '-ipath':
      case '-wholename':
      case '-iwholename': {
        const matches = matcher(textValue(), name.startsWith('-i'));
        return test((entry) => matches(entry.named));
      }
      case '-type': {
        const types = textValue()
          ?.split(',')
          .map((letter) => TYPES[letter]);
        return test((entry) => (types === undefined ? 'maybe' : types.includes(entry.type)));
      }
      case '-empty':
        return test((entry) =>
          moment.isNow ? isEmpty(entry) : entry.type === 'folder' || entry.type === 'file' ? 'maybe' : false,
        );
      case '-true':
        return test(() => true);
      case '-false':
        return test(() => false);
      case '-delete':
        return act({ kind: 'delete' });
      case '-prune':
        return act({ kind: 'prune' });
      case '-quit':
        return act({ kind: 'quit' });
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir':
        return command(name);
      case '-fprint':
      case '-fprint0':
      case '-fls': {
        const file = value();
        if (file) outputs.push(file);
        return test(() => true);
      }
      case '-fprintf': {
        const file = value();
        if (file) outputs.push(file);
        value();
        return test(() => true);
      }
      case '-regextype':
        dialect = textValue();
        return test(() => true);
      case '-regex':
      case '-iregex': {
        const pattern = textValue();
        const expression =
          pattern === undefined || dialect === undefined
            ? undefined
            : regexToRegExp(pattern, dialect, name === '-iregex');
        return test((entry) => (expression === undefined ? 'maybe' : expression.test(entry.named)));
      }
      case '-print':
        return act({ kind: 'print', end: '\n' });
      case '-print0':
        return act({ kind: 'print', end: '\0' });
      case '-ls':
        return act({ kind: 'print', end: undefined });
      case '-printf': {
        const format = textValue();
        return act({ kind: 'print', end: format === '%p\\n' ? '\n' : format === '%p\\0' ? '\0' : undefined });
      }
      default:
        if (
          /^-(depth|d|mount|xdev|noleaf|follow|daystart|warn|nowarn|ignore_readdir_race|noignore_readdir_race)$/.test(
            name,
          )
        )
          return test(() => true);
        return test((ONE_VALUE.test(name) ? lookTest(name, textValue(), moment) : undefined) ?? (() => 'maybe'));
    }
  }
  return { node: comma(), actions, maxDepth, minDepth, outputs };
}

const numberOf = (text: Bytes | undefined, otherwise: number): number =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : otherwise;

function matcher(pattern: Bytes | undefined, anyCase: boolean): (name: Bytes) => Answer {
  if (pattern === undefined) return () => 'maybe';
  const tester = wild(pattern, { ignoreCase: anyCase });
  return (name) => tester.test(name);
}

/** Runs the expression on one entry; `done` hears of every action that is or may be taken. */
export function evaluate(
  node: Node | undefined,
  entry: Entry,
  done: (action: Action, certain: boolean) => void,
): Answer {
  if (node === undefined) return true;
  return judged(node, entry, true, done);
}

function judged(node: Node, entry: Entry, certain: boolean, done: (action: Action, certain: boolean) => void): Answer {
  if (node.kind === 'test') return node.test(entry);
  if (node.kind === 'action') {
    done(node.action, certain);
    // A command's status cannot be known.
    return node.action.kind === 'exec' && !node.action.many ? 'maybe' : true;
  }
  if (node.kind === 'not') {
    const answer = judged(node.node, entry, certain, done);
    return answer === 'maybe' ? 'maybe' : !answer;
  }
  const left = judged(node.left, entry, certain, done);
  if (node.kind === 'comma') return judged(node.right, entry, certain, done);
  if (node.kind === 'and') {
    if (left === false) return false;
    const right = judged(node.right, entry, certain && left === true, done);
    return left === true ? right : right === false ? false : 'maybe';
  }
  if (left === true) return true;
  const right = judged(node.right, entry, certain && left === false, done);
  return left === false ? right : right === true ? true : 'maybe';
}
