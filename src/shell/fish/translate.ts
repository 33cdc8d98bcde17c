import type { Bytes } from '../../platform/bytes.ts';
import { Nesting, Rereading } from '../nesting.ts';
import { lex, type Token } from './lex.ts';
import { caseToBash, wordToBash } from './words.ts';

/**
 * A fish text as bash text that runs the same commands (fish language: syntax overview): blocks that end with `end`, `and`, `or`,
 * `not`, `(cmd)`. What is not understood comes out in a form that bash's parser refuses.
 */
export const toBash = (text: Bytes): Bytes => read(text, new Rereading());

const read = (text: Bytes, again: Rereading): Bytes => new Reader(lex(text), again).all();

const REDIRECTIONS: Readonly<Record<string, Bytes>> = { '>?': '>', '>>?': '>>', '<?': '<', '&>?': '&>', '&>>?': '&>>' };

class Reader {
  readonly #tokens: readonly Token[];
  readonly #nesting = new Nesting();
  readonly #again: Rereading;
  #at = 0;

  constructor(tokens: readonly Token[], again: Rereading) {
    this.#tokens = tokens;
    this.#again = again;
  }

  /** A script inside a word. */
  readonly #nested = (text: Bytes): Bytes => {
    this.#again.spend(text.length);
    return read(text, this.#again);
  };

  all(): Bytes {
    let out = this.#list();
    while (this.#now().kind !== 'end') {
      // `end` without a block, a stray parenthesis: fish runs nothing then; a parse error says so.
      out += `\n) ${this.#take().text}\n${this.#list()}`;
    }
    return out;
  }

  #now(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#now();
    this.#at++;
    return token;
  }

  #is(...words: readonly Bytes[]): boolean {
    const token = this.#now();
    return token.kind === 'word' && words.includes(token.text);
  }

  #word(text: Bytes): Bytes {
    return wordToBash(text, this.#nested);
  }

  /** Commands up to `end`, `else`, `case`. `and` and `or` join a command to the one before. */
  #list(): Bytes {
    const out: Bytes[] = [];
    let joined = false;
    for (;;) {
      const token = this.#now();
      if (token.kind === 'end' || this.#is('end', 'else', 'case') || token.text === ')') return out.join('');
      if (token.kind === 'separator') {
        this.#take();
        if (!joined) out.push(token.text === '&' ? ' &' : '\n');
        joined = false;
        continue;
      }
      if (token.kind === 'logical' || this.#is('and', 'or')) {
        this.#take();
        const operator = token.text === '&&' || token.text === 'and' ? '&&' : '||';
        const newlines = out.length - 1 - out.findLastIndex((piece) => piece !== '\n');
        const before = out.at(-1 - newlines) ?? '';
        if (before !== '' && !/[&;]$/.test(before)) out.splice(out.length - newlines, newlines, ` ${operator} `);
        joined = token.kind === 'logical';
        continue;
      }
      joined = false;
      out.push(this.#pipeline());
    }
  }

  #pipeline(): Bytes {
    let out = this.#command();
    while (this.#now().kind === 'pipe') {
      const { text } = this.#take();
      while (this.#now().text === '\n') this.#take();
      out += `${/^&|^2/.test(text) ? ' |& ' : ' | '}${this.#command()}`;
    }
    return out;
  }

  #command(): Bytes {
    return this.#nesting.within(() => this.#blockOrSimple());
  }

  #blockOrSimple(): Bytes {
    if (this.#now().kind === 'word') {
      switch (this.#now().text) {
        case 'not':
        case '!':
          this.#take();
          return `! ${this.#command()}`;
        case 'time':
          this.#take();
          return `time ${this.#command()}`;
        case 'begin':
          this.#take();
          return this.#ended(`{ :\n${this.#list()}`, '\n}');
        case 'if':
          return this.#if();
        case 'while':
          return this.#while();
        case 'for':
          return this.#for();
        case 'switch':
          return this.#switch();
        case 'function':
          return this.#function();
        default:
      }
    }
    return this.#simple();
  }

  /** Takes `end` and what stands after it. Without it the text stays open, which bash's parser refuses too. */
  #ended(inside: Bytes, close: Bytes): Bytes {
    if (!this.#is('end')) return `${inside}\n`;
    this.#take();
    let out = inside + close;
    while (this.#now().kind === 'redirection') out += this.#redirection();
    return out;
  }

  /** A condition: one command and those that `and` and `or` add on the lines after it. */
  #condition(): Bytes {
    let out = this.#pipeline();
    for (;;) {
      let ahead = this.#at;
      while (this.#tokens[ahead]?.kind === 'separator') ahead++;
      const token = this.#tokens[ahead];
      if (!token || !(token.kind === 'logical' || (token.kind === 'word' && /^(?:and|or)$/.test(token.text))))
        return out;
      this.#at = ahead + 1;
      while (this.#now().text === '\n') this.#take();
      out += ` ${token.text === '&&' || token.text === 'and' ? '&&' : '||'} ${this.#pipeline()}`;
    }
  }

  #if(): Bytes {
    this.#take();
    let out = `if ${this.#condition()}\nthen :\n${this.#list()}`;
    while (this.#is('else')) {
      this.#take();
      if (this.#is('if')) {
        this.#take();
        out += `\nelif ${this.#condition()}\nthen :\n${this.#list()}`;
      } else out += `\nelse :\n${this.#list()}`;
    }
    return this.#ended(out, '\nfi');
  }

  #while(): Bytes {
    this.#take();
    const condition = this.#condition();
    return this.#ended(`while ${condition}\ndo :\n${this.#list()}`, '\ndone');
  }

  #for(): Bytes {
    this.#take();
    const name = this.#take().text;
    if (this.#is('in')) this.#take();
    let words = '';
    while (this.#now().kind === 'word') words += ` ${this.#word(this.#take().text)}`;
    return this.#ended(`for ${name} in${words}\ndo :\n${this.#list()}`, '\ndone');
  }

  #switch(): Bytes {
    this.#take();
    let out = `case ${this.#word(this.#take().text)} in\n`;
    while (this.#now().kind === 'separator') this.#take();
    while (this.#is('case')) {
      this.#take();
      const patterns: Bytes[] = [];
      while (this.#now().kind === 'word') patterns.push(caseToBash(this.#take().text, this.#nested));
      out += `${patterns.join('|') || "''"}) :\n${this.#list()}\n;;\n`;
    }
    return this.#ended(out, 'esac');
  }

  /** `function NAME [-a NAMES…] …`: `-a` names stand for the arguments in their order. */
  #function(): Bytes {
    this.#take();
    const words: Bytes[] = [];
    while (this.#now().kind === 'word') words.push(this.#take().text);
    const name = words.find((word) => !word.startsWith('-')) ?? words[0] ?? 'belay';
    const at = words.findIndex((word) => /^(?:-a|--argument-names)$/.test(word));
    const rest = at < 0 ? [] : words.slice(at + 1);
    const stop = rest.findIndex((word) => word.startsWith('-'));
    const names = rest.slice(0, stop < 0 ? undefined : stop).filter((word) => /^\w+$/.test(word) && word !== name);
    const handles = words.flatMap((word, i) => handled(word, words[i + 1]));
    const set = names.map((one, i) => `set -l ${one} "\${argv[${i + 1}]}"\n`).join('');
    const body = this.#list();
    const plain = /^[\w.:@+-]+$/.test(name) ? name : 'belay';
    const definition = this.#ended(`${plain}() { :\n${set}${body}`, '\n}');
    return handles.length === 0
      ? definition
      : `${definition}\ntrap ${plain} ${handles.map((one) => this.#word(one)).join(' ')}`;
  }

  #redirection(): Bytes {
    const { text } = this.#take();
    const operator = text.replace(/[<>&]+\??$/, (sign) => REDIRECTIONS[sign] ?? sign);
    const target = this.#now().kind === 'word' ? this.#word(this.#take().text) : '';
    return ` ${operator}${operator.endsWith('&') ? '' : ' '}${target}`;
  }

  #simple(): Bytes {
    let out = '';
    while (this.#now().kind === 'word' || this.#now().kind === 'redirection') {
      if (this.#now().kind === 'redirection') out += this.#redirection();
      else {
        const { text } = this.#take();
        // A word that only bash takes for syntax is an ordinary one here.
        out += ` ${out === '' && KEYWORDS.has(text) ? `\\${text}` : this.#word(text)}`;
      }
    }
    if (out === '' && this.#now().kind !== 'end') out = `\n) ${this.#take().text}`;
    return out;
  }
}

/** What a function is called for (function(1) of fish), as a signal of `trap`: `ON-EVENT:NAME`, `ON-VARIABLE:NAME`, else `ON-OTHER`. */
function handled(word: Bytes, next: Bytes | undefined): readonly Bytes[] {
  const [option = '', value = next ?? ''] = word.split('=', 2);
  if (/^(?:-e|--on-event)$/.test(option)) return [`ON-EVENT:${value}`];
  if (/^(?:-v|--on-variable)$/.test(option)) return [`ON-VARIABLE:${value}`];
  return /^(?:-[spj]|--on-(?:signal|process-exit|job-exit|process))$/.test(option) ? ['ON-OTHER'] : [];
}

const KEYWORDS = new Set('then do done fi elif esac until select case in coproc { } [[ ]] function'.split(' '));
