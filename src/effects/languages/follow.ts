import type { Bytes } from '../../platform/bytes.ts';
import { bind, blockParameter } from './bindings.ts';
import type { Deed } from './deed.ts';
import type { Argument, Dialect } from './dialect.ts';
import { LEXICONS } from './lexicons.ts';
import { primary } from './literals.ts';
import { type Token, tokens } from './tokens.ts';
import { concat, joinPaths, listValue, UNKNOWN, type Value } from './values.ts';

/** No function of the tables has a longer name. */
const MAX_PATH = 200;

/** A longer program is opaque: following it would take longer than a line may wait. */
const MAX_SOURCE = 24 * 1024;

/**
 * What a program would do, as far as literals, simple variables, lists and loops over them tell it. Every call that is in
 * neither of the dialect's tables makes it opaque as well. `initial`: names known beforehand (`@ARGV`, `sys.argv`).
 */
export function follow(source: Bytes, dialect: Dialect, initial: ReadonlyMap<Bytes, Value> = new Map()): Deed[] {
  if (source.length > MAX_SOURCE) return [{ kind: 'opaque' }];
  const reader = new Follower(tokens(source, LEXICONS[dialect.language]), dialect, new Map(initial));
  bind(reader);
  reader.deeds.length = 0;
  reader.opaque = reader.foreign;
  reader.run();
  return reader.opaque ? [...reader.deeds, { kind: 'opaque' }] : reader.deeds;
}

/** A tolerant reader of expressions: what it does not understand it steps over. */
export class Follower {
  at = 0;
  opaque = false;
  /** Code from elsewhere is loaded (`import setup`). */
  foreign = false;
  depth = 0;
  readonly deeds: Deed[] = [];
  readonly defined = new Set<Bytes>();
  readonly list: readonly Token[];
  readonly dialect: Dialect;
  readonly names: Map<Bytes, Value>;

  constructor(list: readonly Token[], dialect: Dialect, names: Map<Bytes, Value>) {
    this.list = list;
    this.dialect = dialect;
    this.names = names;
  }

  run(): void {
    this.at = 0;
    while (this.at < this.list.length) {
      const before = this.at;
      this.expression();
      if (this.at === before) this.at += 1;
    }
  }

  peek(offset = 0): Token | undefined {
    return this.list[this.at + offset];
  }

  isSign(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === 'sign' && token.text === text;
  }

  /** The value of the expression from `at` on, quietly: no deeds come of it. */
  valueAt(at: number): Value {
    const [was, deeds, opaque] = [this.at, this.deeds.length, this.opaque];
    this.at = at;
    const value = this.expression();
    this.deeds.length = deeds;
    this.opaque = opaque;
    this.at = was;
    return value;
  }

  expression(): Value {
    if (this.depth > 100) {
      this.opaque = true;
      return UNKNOWN;
    }
    this.depth += 1;
    let left = this.operand();
    for (;;) {
      const token = this.peek();
      if (token?.kind !== 'sign') break;
      if (this.dialect.concat.includes(token.text)) {
        this.at += 1;
        left = concat(left, this.operand());
      } else if (token.text === '/' && this.dialect.language === 'python') {
        this.at += 1;
        left = joinPaths(left, this.operand());
      } else if (token.text === '%' && this.dialect.language === 'python' && left.kind === 'text') {
        this.at += 1;
        this.operand();
        left = { kind: 'unknown', prefix: left.text.split('%')[0] ?? '', suffix: '' };
      } else break;
    }
    this.depth -= 1;
    return left;
  }

  private operand(): Value {
    const first = this.peek();
    if (first?.kind === 'name' && this.dialect.keywords.has(first.text)) {
      this.at += 1;
      return UNKNOWN;
    }
    let value = primary(this);
    for (;;) {
      const token = this.peek();
      if (token?.kind !== 'sign') return value;
      const next = this.peek(1);
      if (
        /^(\.|\?\.|->|::)$/.test(token.text) &&
        next?.kind === 'name' &&
        !(token.text === '.' && this.dialect.concat.includes('.'))
      ) {
        this.at += 2;
        value = this.member(value, next.text);
      } else if (token.text === '[') {
        this.at += 1;
        const from = this.isSign(':', 1) && this.isSign(']', 2) ? Number(this.peek()?.text) : Number.NaN;
        const index = this.argumentsUntil(']');
        if (value.kind === 'list' && !Number.isNaN(from)) {
          value = listValue(value.items.slice(from), value.rest);
          continue;
        }
        const first = index[0]?.value;
        value =
          value.kind === 'list' && first?.kind === 'text' ? (value.items[Number(first.text)] ?? UNKNOWN) : UNKNOWN;
      } else if (token.text === '(' && value.kind !== 'text' && (value.kind === 'name' || !this.dialect.bare)) {
        value = this.invoke(value.kind === 'name' ? value.path : '()', value);
      } else return value;
    }
  }

  private member(receiver: Value, name: Bytes): Value {
    if (receiver.kind === 'name' && receiver.path.length > MAX_PATH) return UNKNOWN;
    const path = receiver.kind === 'name' ? `${receiver.path}.${name}` : `.${name}`;
    if (receiver.kind === 'list' || receiver.kind === 'glob') {
      const item = blockParameter(this.list, this.at);
      if (item !== undefined) this.names.set(item, receiver);
    }
    if (this.isSign('(')) return this.invoke(path, receiver);
    if (this.dialect.bare && this.startsArgument()) return this.apply(path, receiver, this.bareArguments());
    if (receiver.kind === 'name') {
      const bound = this.names.get(path);
      if (bound) return bound;
      if (this.dialect.destroys(path)) this.handedOver(path);
      const answer = this.dialect.bare ? this.dialect.call({ name: path, receiver, args: [] }) : undefined;
      if (!answer) return { kind: 'name', path };
      this.deeds.push(...(answer.deeds ?? []));
      return answer.value ?? UNKNOWN;
    }
    if (this.dialect.bare) return this.apply(path, receiver, []);
    return this.dialect.call({ name: path, receiver, args: [] })?.value ?? UNKNOWN;
  }

  /** `map(os.remove, files)`: somebody else calls it. */
  private handedOver(path: Bytes): void {
    if (!this.isSign(',') && !this.isSign(')')) return;
    this.deeds.push({ kind: 'unknown', note: `${path} gets names that only the program knows` });
  }

  private invoke(name: Bytes, receiver: Value): Value {
    this.at += 1;
    return this.apply(name, receiver, this.argumentsUntil(')'));
  }

  private apply(name: Bytes, receiver: Value, args: readonly Argument[]): Value {
    const answer = this.dialect.call({ name, receiver, args });
    if (answer) {
      this.deeds.push(...(answer.deeds ?? []));
      return answer.value ?? UNKNOWN;
    }
    const last = name.slice(name.lastIndexOf('.'));
    if (!this.dialect.pure.has(name) && !this.dialect.pure.has(last) && !this.defined.has(name)) this.opaque = true;
    return UNKNOWN;
  }

  private startsArgument(): boolean {
    const token = this.peek();
    if (!token) return false;
    if (token.kind === 'sign') return token.text === '[' ? false : token.text === '<';
    return token.kind !== 'line' && !this.dialect.keywords.has(token.text);
  }

  private bareArguments(): Argument[] {
    return this.argumentsUntil('');
  }

  /** Arguments up to the closing sign, which is read too; without one, to the end of the statement. */
  argumentsUntil(close: string): Argument[] {
    const args: Argument[] = [];
    while (this.at < this.list.length) {
      if (close !== '' ? this.isSign(close) : this.endsStatement()) break;
      const token = this.peek();
      if (token?.kind === 'line' || this.isSign(',')) {
        this.at += 1;
        continue;
      }
      args.push(this.argument(close));
    }
    if (close !== '') this.at += 1;
    return args;
  }

  private endsStatement(): boolean {
    const token = this.peek();
    if (!token || token.kind === 'line') return true;
    if (token.kind === 'sign') return /^[;)}\]|]$|^(\|\||&&|=>|\{)$/.test(token.text);
    return token.kind === 'name' && /^(if|unless|for|foreach|while|until|or|and|do|then|end)$/.test(token.text);
  }

  private argument(close: string): Argument {
    const named =
      this.peek()?.kind === 'name' &&
      (this.isSign('=', 1) || (this.dialect.language === 'ruby' && this.isSign(':', 1)));
    const name = named ? this.peek()?.text : undefined;
    if (named) this.at += 2;
    let value = this.expression();
    let steps = 0;
    while (
      this.at < this.list.length &&
      !this.isSign(',') &&
      !(close !== '' ? this.isSign(close) : this.endsStatement())
    ) {
      const before = this.at;
      if (steps++ > 0 || !this.dialect.concat.includes(this.peek()?.text ?? ''))
        value = close === ']' || this.peek()?.kind === 'line' ? value : UNKNOWN;
      this.expression();
      if (this.at === before) this.at += 1;
    }
    return name === undefined ? { value } : { name, value };
  }

  shell(text: Value): void {
    this.deeds.push(
      text.kind === 'text'
        ? { kind: 'shell', text: text.text }
        : { kind: 'unknown', note: 'a command line is made up' },
    );
  }

  /** Code inside of a string. */
  inner(source: Bytes): Value {
    if (this.depth > 20) return UNKNOWN;
    const list = tokens(
      /^\w+$/.test(source) && this.dialect.language === 'perl' ? `$${source}` : source,
      LEXICONS[this.dialect.language],
    );
    const inner = new Follower(list, this.dialect, this.names);
    for (const name of this.defined) inner.defined.add(name);
    inner.depth = this.depth + 1;
    const value = inner.expression();
    const whole = inner.at >= list.length;
    while (inner.at < list.length) {
      const before = inner.at;
      inner.expression();
      if (inner.at === before) inner.at += 1;
    }
    this.deeds.push(...inner.deeds);
    this.opaque ||= inner.opaque;
    return whole ? value : UNKNOWN;
  }

  named(name: Bytes): Value {
    this.at += 1;
    const bound = this.names.get(name);
    if (bound) return bound.kind === 'name' ? this.free(bound.path) : bound;
    return this.free(name);
  }

  /** A function, module or variable that nothing binds. */
  private free(name: Bytes): Value {
    if (this.isSign('(')) return { kind: 'name', path: name };
    if (this.dialect.bare?.has(name)) return this.apply(name, UNKNOWN, this.isSign(',') ? [] : this.bareArguments());
    if (this.dialect.destroys(name)) this.handedOver(name);
    return { kind: 'name', path: name };
  }
}
