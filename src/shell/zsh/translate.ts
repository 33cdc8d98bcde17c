import type { Bytes } from '../../platform/bytes.ts';
import { lex, type Token } from './lex.ts';
import { wordToBash } from './words.ts';

/** How the zsh that runs the line is set. */
export interface Setting {
  /** `extendedglob`: `^`, `~` and `#` are pattern characters. */
  readonly extended: boolean;
  /** `#` begins a comment: always in scripts, at a prompt with `interactivecomments`. */
  readonly comments: boolean;
}

/**
 * A zsh text as bash text that runs the same commands (zshmisc(1)): short loops, `repeat`, anonymous functions, braces in place
 * of `then … fi`, and zsh's own redirections. What is the same in both stays as it is; what is not understood is left for the
 * parser to stumble over, and then for the scan.
 */
export function toBash(text: Bytes, setting: Setting): Bytes {
  if (!OWN.test(text)) return text;
  const reader = new Reader(lex(text, setting.comments), setting);
  return reader.all();
}

/** Where none of this is, the text means the same in both shells. */
const OWN =
  /[(^<]|\S~|\*\*\*|[^\s]#|#[^\n]*['"`]|&[!|]|>[!]|\$[=~#+^]|\$\w+[[:]|\$\{[=~^(]|(?:^|[\s;|&])(?:for|foreach|select|while|until|if|case|repeat|always|nocorrect|function|-)(?=\s)/;

const CLOSERS = new Set(['}', 'done', 'fi', 'esac', 'then', 'else', 'elif', 'do', 'end']);

class Reader {
  readonly #tokens: readonly Token[];
  readonly #setting: Setting;
  #at = 0;

  constructor(tokens: readonly Token[], setting: Setting) {
    this.#tokens = tokens;
    this.#setting = setting;
  }

  all(): Bytes {
    let out = '';
    while (this.#now().kind !== 'end') {
      const before = this.#at;
      out += this.#list();
      // A closer without an opener: as it is.
      if (this.#at === before) out += ` ${this.#take().text}`;
    }
    return out;
  }

  #now(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', glued: false };
  }

  #peek(ahead: number): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '', glued: false };
  }

  #take(): Token {
    const token = this.#now();
    this.#at++;
    return token;
  }

  #is(...texts: readonly Bytes[]): boolean {
    return this.#now().kind !== 'newline' && texts.includes(this.#now().text);
  }

  #word(text: Bytes): Bytes {
    return wordToBash(text, this.#setting.extended, (inner) => toBash(inner, this.#setting));
  }

  /** Commands with what separates them, up to a closing word. */
  #list(brace = false): Bytes {
    let out = '';
    let commands = 0;
    for (;;) {
      const token = this.#now();
      if (token.kind === 'end' || this.#is(')')) return out;
      if (token.kind === 'word' && CLOSERS.has(token.text)) return out;
      if (brace && commands > 0 && this.#is('{')) return out;
      if (token.kind === 'newline') out += this.#take().text;
      else if (this.#is('&!', '&|')) {
        this.#take();
        out += ' &';
      } else if (this.#is(';', '&', '&&', '||', '|', '|&')) out += ` ${this.#take().text} `;
      else if (this.#is(';;', ';&', ';|')) return out;
      else {
        out += this.#command();
        commands++;
      }
    }
  }

  #command(): Bytes {
    if (this.#now().kind === 'word') {
      switch (this.#now().text) {
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
          return ` ${this.#take().text} ${this.#list(true)}; ${this.#body()}`;
        case 'case':
          return this.#case();
        case 'function':
          return this.#function();
        case '{':
          return this.#group();
        case '[[':
          return this.#test();
        case 'time':
        case '!':
        case 'coproc':
          return ` ${this.#take().text}`;
        case '-':
        case 'nocorrect':
          this.#take();
          return '';
        default:
      }
    }
    if (this.#is('(')) return this.#parentheses();
    return this.#simple();
  }

  /** `for x in a b; do …`, `for x (a b) …`, `foreach x (a b) … end`, `for ((…)) …`. */
  #loop(): Bytes {
    const keyword = this.#take().text === 'select' ? 'select' : 'for';
    if (this.#is('(')) return ` for ${this.#arithmetic()}; ${this.#body()}`;
    const name = this.#take().text;
    while (this.#now().kind === 'word' && !this.#is('in', 'do', '{')) this.#take();
    let words = '';
    if (this.#is('(')) {
      this.#take();
      while (!this.#is(')') && this.#now().kind !== 'end') words += ` ${this.#word(this.#take().text)}`;
      this.#take();
      words = ` in${words}`;
    } else if (this.#is('in')) {
      this.#take();
      words = ' in';
      while (this.#now().kind === 'word') words += ` ${this.#word(this.#take().text)}`;
    }
    return ` ${keyword} ${name}${words}; ${this.#body()}`;
  }

  #repeat(): Bytes {
    this.#take();
    const count = this.#word(this.#take().text);
    return ` for belay in $(seq ${count}); ${this.#body()}`;
  }

  /** `do … done`, `{ … }`, `… end`, or one command, as `do … done`. */
  #body(): Bytes {
    while (this.#now().kind === 'newline' || this.#is(';')) this.#take();
    let inside: Bytes;
    if (this.#is('do')) {
      this.#take();
      inside = this.#list();
      if (this.#is('done')) this.#take();
    } else if (this.#is('{')) {
      this.#take();
      inside = this.#list();
      if (this.#is('}')) this.#take();
    } else if (this.#tokens.slice(this.#at).some((token) => token.kind === 'word' && token.text === 'end')) {
      inside = this.#list();
      if (this.#is('end')) this.#take();
    } else inside = this.#sublist();
    return `do :;${inside}\ndone`;
  }

  /** One pipeline with what `&&` and `||` add to it. */
  #sublist(): Bytes {
    let out = this.#command();
    while (this.#is('&&', '||', '|', '|&')) {
      out += ` ${this.#take().text} `;
      while (this.#now().kind === 'newline') this.#take();
      out += this.#command();
    }
    return out;
  }

  #condition(): Bytes {
    this.#take();
    let out = ` if ${this.#list(true)}`;
    for (;;) {
      if (this.#is('{')) {
        this.#take();
        out += `; then :;${this.#list()}`;
        if (this.#is('}')) this.#take();
        if (!this.#is('elif', 'else')) return `${out}\nfi`;
      } else if (this.#is('then')) {
        this.#take();
        out += `; then :;${this.#list()}`;
      } else if (this.#is('elif')) {
        this.#take();
        out += `\nelif ${this.#list(true)}`;
      } else if (this.#is('else')) {
        this.#take();
        out += '\nelse :;';
        if (!this.#is('{')) out += this.#list();
        else {
          this.#take();
          out += this.#list();
          if (this.#is('}')) this.#take();
          return `${out}\nfi`;
        }
      } else {
        if (this.#is('fi')) this.#take();
        return `${out}\nfi`;
      }
    }
  }

  /** `case x in a) … ;; esac`, `case x { a) … }`. */
  #case(): Bytes {
    this.#take();
    let out = ` case ${this.#word(this.#take().text)} in\n`;
    while (this.#now().kind === 'newline') this.#take();
    if (this.#is('in', '{')) this.#take();
    while (this.#now().kind !== 'end' && !this.#is('esac', '}')) {
      if (this.#now().kind === 'newline') {
        this.#take();
        continue;
      }
      while (this.#now().kind !== 'end' && !this.#is(')')) {
        const token = this.#take();
        out += token.kind === 'word' ? this.#word(token.text).replace(/^@\(([^()]*)\)$/, '$1)') : token.text;
        if (token.kind === 'word' && /^\(.*\)$/.test(token.text)) break;
      }
      if (this.#is(')')) out += this.#take().text;
      out += ` :;${this.#list()}\n`;
      const end = this.#is(';;', ';&', ';|') ? this.#take().text : ';;';
      out += end === ';|' ? ';;&\n' : `${end}\n`;
    }
    this.#take();
    return `${out}esac`;
  }

  /** `function a b { … }`; without a name it runs at once. */
  #function(): Bytes {
    this.#take();
    const names: Bytes[] = [];
    while (this.#now().kind === 'word' && !this.#is('{')) names.push(this.#take().text.replace(/\(\)$/, ''));
    if (this.#is('(') && this.#peek(1).text === ')') {
      this.#take();
      this.#take();
    }
    while (this.#now().kind === 'newline') this.#take();
    const body = this.#command();
    return names.length === 0 ? this.#anonymous(body) : names.map((name) => ` ${name}()${group(body)}`).join(';');
  }

  #anonymous(body: Bytes): Bytes {
    let args = '';
    while (this.#now().kind === 'word') args += ` ${this.#word(this.#take().text)}`;
    return ` belay_anonymous()${group(body)}; belay_anonymous${args}`;
  }

  #group(): Bytes {
    this.#take();
    let out = ` { :;${this.#list()}`;
    if (this.#is('}')) this.#take();
    out += '\n}';
    if (!this.#is('always')) return out + this.#redirections();
    this.#take();
    return `${out}; ${this.#group()}`;
  }

  /** `( … )`, `(( … ))`, `() { … }`. */
  #parentheses(): Bytes {
    if (this.#peek(1).text === ')' && this.#peek(1).glued) {
      this.#take();
      this.#take();
      return this.#anonymous(this.#command());
    }
    if (this.#peek(1).text.startsWith('(') && this.#peek(1).glued)
      return ` ${this.#arithmetic()}${this.#redirections()}`;
    this.#take();
    const out = ` (${this.#list()}`;
    if (this.#is(')')) this.#take();
    return `${out}\n)${this.#redirections()}`;
  }

  /** Raw text up to the parentheses that close those here. */
  #arithmetic(): Bytes {
    let depth = 0;
    let out = '';
    do {
      const token = this.#take();
      for (const char of token.text) depth += char === '(' ? 1 : char === ')' ? -1 : 0;
      out += (token.glued ? '' : ' ') + token.text;
    } while (depth > 0 && this.#now().kind !== 'end');
    return out;
  }

  #test(): Bytes {
    let out = '';
    while (this.#now().kind !== 'end' && !this.#is(']]')) out += ` ${this.#take().text}`;
    this.#take();
    return `${out} ]]`;
  }

  #redirections(): Bytes {
    let out = '';
    while (this.#now().kind === 'redirection') out += this.#redirection();
    return out;
  }

  #redirection(): Bytes {
    const operator = this.#take()
      .text.replace(/^(&?>>)[|!]$/, '$1')
      .replace(/^(\S*>)[|!]$/, (whole, start: Bytes) => (/^&/.test(whole) ? start : `${start}|`))
      .replace(/^>&[|!]$/, '>&')
      .replace(/^>>&[|!]?$/, '&>>');
    const next = this.#now();
    if (next.kind !== 'word') return ` ${operator}`;
    this.#take();
    return ` ${operator}${/<<-?$/.test(operator) ? '' : ' '}${/<<-?$/.test(operator) ? next.text : this.#word(next.text)}`;
  }

  #simple(): Bytes {
    let out = '';
    let words = 0;
    for (;;) {
      const token = this.#now();
      if (token.kind === 'redirection') out += this.#redirection();
      else if (token.kind === 'word' && !(words > 0 && token.text === '}')) {
        this.#take();
        if (words++ === 0 && this.#isDefinition(token)) return this.#definition(token);
        out += ` ${this.#argument(token)}`;
      } else break;
    }
    if (out === '' && this.#now().kind !== 'end' && !this.#is(')')) out = ` ${this.#take().text}`;
    return out;
  }

  /** `a=(…)` is an array, not a pattern. */
  #argument(token: Token): Bytes {
    const array = /^([A-Za-z_]\w*\+?=)\(([\s\S]*)\)$/.exec(token.text);
    if (!array) return this.#word(token.text);
    const items = lex(array[2] ?? '', true).filter((item) => item.kind === 'word');
    return `${array[1]}(${items.map((item) => this.#word(item.text)).join(' ')})`;
  }

  #isDefinition(token: Token): boolean {
    return (
      /^[^\s$'"`(=]+\(\)$/.test(token.text) ||
      (this.#is('(') && this.#peek(1).text === ')' && this.#peek(2).text === '{')
    );
  }

  #definition(token: Token): Bytes {
    if (this.#is('(')) {
      this.#take();
      this.#take();
    }
    while (this.#now().kind === 'newline') this.#take();
    return ` ${token.text.replace(/\(\)$/, '')}()${group(this.#command())}`;
  }
}

/** A function's body in bash is a compound command. */
const group = (body: Bytes): Bytes => (/^ ?[{(]/.test(body) ? body : ` {${body}\n}`);
