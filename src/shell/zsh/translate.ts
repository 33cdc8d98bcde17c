import type { Bytes } from '../../platform/bytes.ts';
import { Nesting, Rereading } from '../nesting.ts';
import { Cursor } from './cursor.ts';
import { lex, type Token } from './lex.ts';
import { isBash, type Setting } from './same.ts';
import { argument, arithmetic, redirection, redirections, test } from './simple.ts';
import { wordToBash } from './words.ts';

/**
 * A zsh text as bash text that runs the same commands (zshmisc(1)): short loops, `repeat`, anonymous functions, braces in place
 * of `then … fi`, and zsh's own redirections. What is the same in both stays as it is; what is not understood is left for the
 * parser to stumble over, and then for the scan.
 */
export function toBash(text: Bytes, setting: Setting, again = new Rereading()): Bytes {
  if (isBash(text, setting)) return text;
  const reader = new Reader(new Cursor(lex(text, setting.comments)), setting, again);
  return reader.all();
}

const CLOSERS = new Set(['}', 'done', 'fi', 'esac', 'then', 'else', 'elif', 'do', 'end']);

class Reader {
  readonly #next: Cursor;
  readonly #setting: Setting;
  readonly #again: Rereading;
  readonly #nesting = new Nesting();

  constructor(next: Cursor, setting: Setting, again: Rereading) {
    this.#next = next;
    this.#setting = setting;
    this.#again = again;
  }

  all(): Bytes {
    let out = '';
    while (this.#next.now().kind !== 'end') {
      const before = this.#next.at;
      out += this.#list();
      // A closer without an opener: as it is.
      if (this.#next.at === before) out += ` ${this.#next.take().text}`;
    }
    return out;
  }

  readonly #words = (text: Bytes): Bytes => {
    const word = wordToBash(text, this.#setting.extended, {
      script: (inner) => toBash(inner, this.#setting, this.#again),
      spend: (length) => this.#again.spend(length),
    });
    return word.startsWith('#') && !this.#setting.comments ? `\\${word}` : word;
  };

  #word(text: Bytes): Bytes {
    return this.#words(text);
  }

  /** Commands with what separates them, up to a closing word. */
  #list(brace = false): Bytes {
    let out = '';
    let commands = 0;
    let between = true;
    for (;;) {
      const token = this.#next.now();
      if (token.kind === 'end' || this.#next.is(')')) return out;
      if (token.kind === 'word' && CLOSERS.has(token.text)) return out;
      // `if [[ … ]] rm x`: a word right behind a condition begins what depends on it.
      if (brace && commands > 0 && (this.#next.is('{') || (token.kind === 'word' && !between))) return out;
      if (token.kind === 'newline') out += this.#next.take().text;
      else if (this.#next.is('&!', '&|')) {
        this.#next.take();
        out += ' &';
      } else if (this.#next.is(';', '&', '&&', '||', '|', '|&')) out += ` ${this.#next.take().text} `;
      else if (this.#next.is(';;', ';&', ';|')) return out;
      else {
        out += this.#command();
        commands++;
        between = false;
        continue;
      }
      between = true;
    }
  }

  #command(): Bytes {
    return this.#nesting.within(() => this.#compoundOrSimple());
  }

  #compoundOrSimple(): Bytes {
    if (this.#next.now().kind === 'word') {
      switch (this.#next.now().text) {
        case 'for':
        case 'foreach':
        case 'select':
          return this.#loop();
        case 'repeat':
          return this.#repeat();
        case 'if':
          return this.#condition();
        case 'while':
        case 'until':
          return ` ${this.#next.take().text} ${this.#list(true)}; ${this.#body()}`;
        case 'case':
          return this.#case();
        case 'function':
          return this.#function();
        case '{':
          return this.#group();
        case '[[':
          return test(this.#next);
        case 'time':
        case '!':
        case 'coproc':
          return ` ${this.#next.take().text}${this.#command()}`;
        case '-':
        case 'nocorrect':
          this.#next.take();
          return '';
        default:
      }
    }
    if (this.#next.is('(')) return this.#parentheses();
    return this.#simple();
  }

  /** `for x in a b; do …`, `for x (a b) …`, `foreach x (a b) … end`, `for ((…)) …`. */
  #loop(): Bytes {
    const keyword = this.#next.take().text === 'select' ? 'select' : 'for';
    if (this.#next.is('(')) return ` for ${arithmetic(this.#next)}; ${this.#body()}`;
    if (this.#next.now().text.startsWith('((')) return ` for ${this.#next.take().text}; ${this.#body()}`;
    const name = this.#next.take().text;
    while (this.#next.now().kind === 'word' && !this.#next.is('in', 'do', '{')) this.#next.take();
    let words = '';
    if (this.#next.is('(')) {
      this.#next.take();
      while (!this.#next.is(')') && this.#next.now().kind !== 'end') words += ` ${this.#word(this.#next.take().text)}`;
      this.#next.take();
      words = ` in${words}`;
    } else if (this.#next.skip('in')) {
      words = ' in';
      while (this.#next.now().kind === 'word') words += ` ${this.#word(this.#next.take().text)}`;
    }
    return ` ${keyword} ${name}${words}; ${this.#body()}`;
  }

  #repeat(): Bytes {
    this.#next.take();
    const count = this.#word(this.#next.take().text);
    return ` for belay in $(seq ${count}); ${this.#body()}`;
  }

  /** `do … done`, `{ … }`, `… end`, or one command, as `do … done`. */
  #body(): Bytes {
    while (this.#next.now().kind === 'newline' || this.#next.is(';')) this.#next.take();
    let inside: Bytes;
    if (this.#next.skip('do')) {
      inside = this.#list();
      this.#next.skip('done');
    } else if (this.#next.skip('{')) {
      inside = this.#list();
      this.#next.skip('}');
    } else if (this.#next.ahead('end')) {
      inside = this.#list();
      this.#next.skip('end');
    } else inside = this.#sublist();
    return `do :;${inside}\ndone`;
  }

  /** One pipeline with what `&&` and `||` add to it. */
  #sublist(): Bytes {
    let out = this.#command();
    while (this.#next.is('&&', '||', '|', '|&')) {
      out += ` ${this.#next.take().text} `;
      this.#next.skipNewlines();
      out += this.#command();
    }
    return out;
  }

  #condition(): Bytes {
    this.#next.take();
    let out = ` if ${this.#list(true)}`;
    for (;;) {
      if (this.#next.skip('{')) {
        out += `; then :;${this.#list()}`;
        this.#next.skip('}');
        if (!this.#next.is('elif', 'else')) return `${out}\nfi`;
      } else if (this.#next.skip('then')) {
        out += `; then :;${this.#list()}`;
      } else if (this.#next.skip('elif')) {
        out += `\nelif ${this.#list(true)}`;
      } else if (this.#next.skip('else')) {
        out += '\nelse :;';
        if (!this.#next.is('{')) out += this.#list();
        else {
          this.#next.take();
          out += this.#list();
          this.#next.skip('}');
          return `${out}\nfi`;
        }
      } else if (this.#next.skip('fi')) return `${out}\nfi`;
      else if (this.#next.now().kind === 'word') return `${out}; then :;${this.#sublist()}\nfi`;
      else return `${out}\nfi`;
    }
  }

  /** `case x in a) … ;; esac`, `case x { a) … }`. */
  #case(): Bytes {
    this.#next.take();
    let out = ` case ${this.#word(this.#next.take().text)} in\n`;
    this.#next.skipNewlines();
    this.#next.skip('in', '{');
    while (this.#next.now().kind !== 'end' && !this.#next.is('esac', '}')) {
      if (this.#next.now().kind === 'newline') {
        this.#next.take();
        continue;
      }
      while (this.#next.now().kind !== 'end' && !this.#next.is(')')) {
        const token = this.#next.take();
        out += token.kind === 'word' ? this.#word(token.text).replace(/^@\(([^()]*)\)$/, '$1)') : token.text;
        if (token.kind === 'word' && /^\(.*\)$/.test(token.text)) break;
      }
      if (this.#next.is(')')) out += this.#next.take().text;
      out += ` :;${this.#list()}\n`;
      const end = this.#next.is(';;', ';&', ';|') ? this.#next.take().text : ';;';
      out += end === ';|' ? ';;&\n' : `${end}\n`;
    }
    this.#next.take();
    return `${out}esac`;
  }

  /** `function a b { … }`; without a name it runs at once. */
  #function(): Bytes {
    this.#next.take();
    const names: Bytes[] = [];
    while (this.#next.now().kind === 'word' && !this.#next.is('{'))
      names.push(this.#next.take().text.replace(/\(\)$/, ''));
    if (this.#next.is('(') && this.#next.peek(1).text === ')') {
      this.#next.take();
      this.#next.take();
    }
    this.#next.skipNewlines();
    const body = this.#command();
    return names.length === 0 ? this.#anonymous(body) : names.map((name) => ` ${name}()${group(body)}`).join(';');
  }

  #anonymous(body: Bytes): Bytes {
    let args = '';
    while (this.#next.now().kind === 'word') args += ` ${this.#word(this.#next.take().text)}`;
    return ` belay_anonymous()${group(body)}; belay_anonymous${args}`;
  }

  #group(): Bytes {
    this.#next.take();
    let out = ` { :;${this.#list()}`;
    this.#next.skip('}');
    out += '\n}';
    if (!this.#next.is('always')) return out + redirections(this.#next, this.#words);
    this.#next.take();
    return `${out}; ${this.#group()}`;
  }

  /** `( … )`, `(( … ))`, `() { … }`. */
  #parentheses(): Bytes {
    if (this.#next.peek(1).text === ')' && this.#next.peek(1).glued) {
      this.#next.take();
      this.#next.take();
      return this.#anonymous(this.#command());
    }
    if (this.#next.peek(1).text.startsWith('(') && this.#next.peek(1).glued)
      return ` ${arithmetic(this.#next)}${redirections(this.#next, this.#words)}`;
    this.#next.take();
    const out = ` (${this.#list()}`;
    if (this.#next.is(')')) this.#next.take();
    return `${out}\n)${redirections(this.#next, this.#words)}`;
  }

  #simple(): Bytes {
    let out = '';
    let words = 0;
    for (;;) {
      const token = this.#next.now();
      if (token.kind === 'redirection') out += redirection(this.#next, this.#words);
      else if (token.kind === 'word' && !(words > 0 && token.text === '}')) {
        this.#next.take();
        if (words++ === 0 && this.#isDefinition(token)) return this.#definition(token);
        out += ` ${argument(token.text, this.#words, this.#setting.comments)}`;
      } else break;
    }
    if (out === '' && this.#next.now().kind !== 'end' && !this.#next.is(')')) out = ` ${this.#next.take().text}`;
    return out;
  }

  #isDefinition(token: Token): boolean {
    return (
      /^[^\s$'"`(=]+\(\)$/.test(token.text) ||
      (this.#next.is('(') && this.#next.peek(1).text === ')' && this.#next.peek(2).text === '{')
    );
  }

  #definition(token: Token): Bytes {
    if (this.#next.is('(')) {
      this.#next.take();
      this.#next.take();
    }
    this.#next.skipNewlines();
    return ` ${token.text.replace(/\(\)$/, '')}()${group(this.#command())}`;
  }
}

/** A function's body in bash is a compound command. */
const group = (body: Bytes): Bytes => (/^ ?[{(]/.test(body) ? body : ` {${body}\n}`);
