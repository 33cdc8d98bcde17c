/** What is asked, as FTS5 takes it, or what is wrong with it. */
export type Question =
  | { readonly is: 'question'; readonly words: string; readonly atoms: readonly string[] }
  | { readonly is: 'wrong'; readonly why: string };

type Token =
  | { readonly is: 'text'; readonly text: string; readonly prefix: boolean }
  | { readonly is: 'AND' | 'OR' | 'NOT' | '(' | ')' };

/**
 * Reads `a b` (both), `a OR b`, `a NOT b`, `"a phrase"`, `pre*`, and brackets, and writes it as FTS5 wants it: every word is quoted, so
 * that no character of a path or an option is taken for syntax.
 */
export function readQuestion(asked: string): Question {
  try {
    const reader = new Reader(tokensOf(asked));
    const words = reader.whole();
    return { is: 'question', words, atoms: reader.atoms };
  } catch (error) {
    if (error instanceof Wrong) return { is: 'wrong', why: error.message };
    throw error;
  }
}

class Wrong extends Error {}

function tokensOf(asked: string): Token[] {
  const out: Token[] = [];
  for (let rest = asked.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const [first = ''] = rest;
    if (first === '(' || first === ')') {
      out.push({ is: first });
      rest = rest.slice(1);
    } else if (first === '"') {
      const end = rest.indexOf('"', 1);
      if (end < 0) throw new Wrong('a quotation mark is not closed');
      const prefix = rest[end + 1] === '*';
      out.push({ is: 'text', text: rest.slice(1, end), prefix });
      rest = rest.slice(end + (prefix ? 2 : 1));
    } else {
      const [word = ''] = /^[^\s()"]+/.exec(rest) ?? [];
      rest = rest.slice(word.length);
      if (word === 'AND' || word === 'OR' || word === 'NOT') out.push({ is: word });
      else out.push({ is: 'text', text: word.replace(/\*+$/, ''), prefix: word.endsWith('*') });
    }
  }
  return out;
}

class Reader {
  readonly atoms: string[] = [];
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): string {
    if (this.#tokens.length === 0) throw new Wrong('there is nothing to search for');
    const words = this.#either();
    if (this.#next() !== undefined) throw new Wrong('a closing bracket has no opening one');
    return words;
  }

  #next(): Token['is'] | undefined {
    return this.#tokens[this.#at]?.is;
  }

  #either(): string {
    let left = this.#all();
    while (this.#next() === 'OR') {
      this.#at++;
      left = `(${left} OR ${this.#all()})`;
    }
    return left;
  }

  #all(): string {
    let left = this.#but();
    for (;;) {
      const next = this.#next();
      if (next === 'AND') this.#at++;
      else if (next !== 'text' && next !== '(') return left;
      left = `(${left} AND ${this.#but()})`;
    }
  }

  #but(): string {
    let left = this.#one();
    while (this.#next() === 'NOT') {
      this.#at++;
      left = `(${left} NOT ${this.#one()})`;
    }
    return left;
  }

  #one(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Wrong('it ends where a word has to come');
    switch (token.is) {
      case 'text': {
        if (!/[\p{L}\p{N}]/u.test(token.text))
          throw new Wrong(`'${token.text}' has no letter and no digit to search for`);
        this.atoms.push(token.text);
        return `"${token.text.replaceAll('"', '""')}"${token.prefix ? ' *' : ''}`;
      }
      case '(': {
        const inner = this.#either();
        if (this.#next() !== ')') throw new Wrong('a bracket is not closed');
        this.#at++;
        return inner;
      }
      case 'NOT':
        throw new Wrong('NOT needs something before it: a NOT b');
      default:
        throw new Wrong(`a word has to stand before '${token.is}'`);
    }
  }
}
