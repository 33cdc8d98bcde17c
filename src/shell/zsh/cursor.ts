import type { Bytes } from '../../platform/bytes.ts';
import type { Token } from './lex.ts';

const END: Token = { kind: 'end', text: '', glued: false };

/** Where a reader stands in a line's tokens. Past the end there is only the end. */
export class Cursor {
  readonly #tokens: readonly Token[];
  /** Where each word that was asked for stands last. */
  readonly #last = new Map<Bytes, number>();
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get at(): number {
    return this.#at;
  }

  now(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  peek(ahead: number): Token {
    return this.#tokens[this.#at + ahead] ?? END;
  }

  take(): Token {
    const token = this.now();
    this.#at++;
    return token;
  }

  /** The next token is one of these words or operators. */
  is(...texts: readonly Bytes[]): boolean {
    return this.now().kind !== 'newline' && texts.includes(this.now().text);
  }

  /** Takes it if it is next. */
  skip(...texts: readonly Bytes[]): boolean {
    const found = this.is(...texts);
    if (found) this.#at++;
    return found;
  }

  /** One of these words comes later. */
  ahead(text: Bytes): boolean {
    const known = this.#last.get(text);
    const last = known ?? this.#tokens.findLastIndex((token) => token.kind === 'word' && token.text === text);
    if (known === undefined) this.#last.set(text, last);
    return last >= this.#at;
  }

  skipNewlines(): void {
    while (this.now().kind === 'newline') this.#at++;
  }
}
