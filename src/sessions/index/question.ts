/** What is asked, as FTS5 takes it, or what is wrong with it. */
export type Question =
  | {
      readonly is: 'question';
      readonly words: string;
      readonly atoms: readonly string[];
      /** How long the shortest is of the beginnings of words that are asked for; infinite where none is. */
      readonly begun: number;
      /** Of parts of words, what every text has that matches; empty where nothing can be said. */
      readonly parts: string;
    }
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
    const said = reader.whole();
    return { is: 'question', ...said, atoms: reader.atoms, begun: reader.begun };
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

/** As the index of words takes it, and what of it the index of parts can say. */
interface Said {
  readonly words: string;
  readonly parts: string;
}

class Reader {
  readonly atoms: string[] = [];
  begun = Number.POSITIVE_INFINITY;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Said {
    if (this.#tokens.length === 0) throw new Wrong('there is nothing to search for');
    const said = this.#either();
    if (this.#next() !== undefined) throw new Wrong('a closing bracket has no opening one');
    return said;
  }

  #next(): Token['is'] | undefined {
    return this.#tokens[this.#at]?.is;
  }

  #either(): Said {
    let left = this.#all();
    while (this.#next() === 'OR') {
      this.#at++;
      const right = this.#all();
      const isSaid = left.parts !== '' && right.parts !== '';
      left = joined(left, 'OR', right, isSaid ? `(${left.parts} OR ${right.parts})` : '');
    }
    return left;
  }

  #all(): Said {
    let left = this.#but();
    for (;;) {
      const next = this.#next();
      if (next === 'AND') this.#at++;
      else if (next !== 'text' && next !== '(') return left;
      const right = this.#but();
      left = joined(left, 'AND', right, allOf([left.parts, right.parts]));
    }
  }

  #but(): Said {
    let left = this.#one();
    while (this.#next() === 'NOT') {
      this.#at++;
      left = joined(left, 'NOT', this.#one(), left.parts);
    }
    return left;
  }

  #one(): Said {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Wrong('it ends where a word has to come');
    switch (token.is) {
      case 'text': {
        if (!/[\p{L}\p{N}]/u.test(token.text))
          throw new Wrong(`'${token.text}' has no letter and no digit to search for`);
        this.atoms.push(token.text);
        const [last = ''] = /[\p{L}\p{N}]+$/u.exec(token.text) ?? [];
        if (token.prefix) this.begun = Math.min(this.begun, last.length);
        return {
          words: `"${token.text.replaceAll('"', '""')}"${token.prefix ? ' *' : ''}`,
          parts: partsOf(token.text),
        };
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

const joined = (left: Said, by: string, right: Said, parts: string): Said => ({
  words: `(${left.words} ${by} ${right.words})`,
  parts,
});

const allOf = (parts: readonly string[]): string => {
  const said = parts.filter((part) => part !== '');
  return said.length > 1 ? `(${said.join(' AND ')})` : said.join('');
};

/** A part has three characters at least. Letters with marks are the same as those without in the one index, not in the other. */
const partsOf = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? allOf([...text.matchAll(/[A-Za-z0-9]+/g)].flatMap(([part]) => (part.length < 3 ? [] : [`"${part}"`])))
    : '';
