import type { Bytes } from './bytes.ts';
import { isSecretFile, isSecretName } from './secret-names.ts';
import { secretWays } from './secret-programs.ts';
import type { ShellWord } from './shell-words.ts';

/** One command of a line: the indexes of its words, those that say where something goes or comes from apart. */
interface Fed {
  readonly words: { readonly index: number; readonly text: Bytes }[];
  /** Files that it writes; here-strings. */
  readonly into: Bytes[];
  readonly strings: number[];
  /** The first word of a here-document's body, and how that ends. */
  ends?: Bytes;
  /** What the command before it prints is its input. */
  piped: boolean;
}

/**
 * The words, by their index, that a program reads as a secret from its standard input or that are written into a file of secrets:
 * `echo x | sudo -S …`, `kinit u <<< x`, `echo x > ~/.token`. One pass.
 */
export function fedSecrets(line: Bytes, words: readonly ShellWord[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (!/[|<>]/.test(line)) return found;
  const commands = commandsOf(line, words);
  let seen = 0;
  for (const [at, command] of commands.entries()) {
    const toFile = command.into.some(isSecretFile);
    if (toFile) for (const index of said(command)) found.add(index);
    if (!toFile && !takes(command)) continue;
    for (const index of command.strings) add(found, words, index);
    if (command.ends !== undefined) hereDocument(found, words, commands, at);
    for (let before = at; before > seen && commands[before]?.piped; before--)
      for (const index of said(commands[before - 1])) found.add(index);
    seen = at;
  }
  return found;
}

function commandsOf(line: Bytes, words: readonly ShellWord[]): Fed[] {
  const out: Fed[] = [];
  for (const [index, word] of words.entries()) {
    const gap = line.slice(words[index - 1]?.to ?? 0, word.from).trimEnd();
    if (word.first || out.length === 0)
      out.push({ words: [], into: [], strings: [], piped: /(?:^|[^|])\|&?\s*[{(]?$/.test(gap) });
    const command = out[out.length - 1] as Fed;
    const text = plain(word.text);
    if (gap.endsWith('<<<')) command.strings.push(index);
    else if (/<<-?$/.test(gap) || (gap.endsWith('<<') && text.startsWith('-'))) command.ends = text.replace(/^-/, '');
    else if (/>[|>]?$/.test(gap)) command.into.push(text);
    else if (!/[<>]&?$/.test(gap)) command.words.push({ index, text });
  }
  return out;
}

/** What `echo`, `printf` or `cat <<<` print, as it is written. */
function said(command: Fed | undefined): number[] {
  const [verb, ...rest] = command?.words ?? [];
  if (verb === undefined || command === undefined) return [];
  if (verb.text === 'cat') return command.strings;
  if (!/^(?:echo|printf|print)$/.test(verb.text)) return [];
  return rest.filter(({ text }) => !(REFERENCE.test(text) || FORMAT.test(text))).map(({ index }) => index);
}

/** Variables tell nothing; nor do options, and formats of `printf`. */
const REFERENCE = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})?$/;
const FORMAT = /^(?:-[neErR]+|(?:%[sbq]|\\?[nr]|:)*)$/;

function add(found: Set<number>, words: readonly ShellWord[], index: number): void {
  if (!REFERENCE.test(plain(words[index]?.text ?? ''))) found.add(index);
}

/** Every word up to the one that ends the document. */
function hereDocument(found: Set<number>, words: readonly ShellWord[], commands: readonly Fed[], at: number): void {
  const from = commands[at + 1]?.words[0]?.index ?? words.length;
  const end = commands[at]?.ends;
  for (let index = from; index < words.length && plain(words[index]?.text ?? '') !== end; index++)
    add(found, words, index);
}

/** Whether a program of the command reads a secret. */
function takes({ words, strings, piped, ends }: Fed): boolean {
  if (strings.length === 0 && !piped && ends === undefined) return false;
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => ASKS.test(text))) return true;
  const heads = programs(texts);
  if (heads.some((head) => takesAs(head, texts))) return true;
  const [program = ''] = heads.slice(-1);
  if (program === 'read') return texts.some((text) => /^-[a-zA-Z]*s/.test(text) || isSecretName(text));
  if (program === 'tee') return texts.some(isSecretFile);
  if (SEARCHES.test(program)) return false;
  return texts.slice(1, 6).some((text) => TASKS.has(text) && takesAs(text, texts));
}

/** `--password-stdin`, `--with-token`, `--passphrase-fd`. */
const ASKS = /^--?(?:with-token|(?:[a-z]+-)*(?:password|passphrase|token|secret|key|cred)s?-(?:stdin|fd))(?:=|$)/;

/** What many programs are asked to do, and programs that only look for such a word. */
const TASKS = new Set(['login', 'secret', 'secrets']);
const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|sed|awk|cat|less|head|tail|wc|tr|cut|jq|xargs|tee|echo|printf)$/;

function takesAs(name: Bytes, texts: readonly Bytes[]): boolean {
  return secretWays(name).some(({ input, said }) => {
    if (input === undefined || !(said?.some((word) => texts.includes(word)) ?? true)) return false;
    return input === true || input.some((word) => texts.some((text) => isOption(text, word)));
  });
}

/** `-kS` has `-S`. */
const isOption = (text: Bytes, option: string): boolean =>
  text === option || (/^-[A-Za-z]$/.test(option) && /^-[A-Za-z]+$/.test(text) && text.includes(option.slice(1)));

/** The program of a command, behind those that only start it and what they are told. */
function programs(texts: readonly Bytes[]): Bytes[] {
  const out: Bytes[] = [];
  for (const text of texts.slice(0, 12)) {
    if (/^-|=|^\d|^[!{]$|^(?:then|do|else|if|while|root)$/.test(text)) continue;
    const name = text.slice(text.lastIndexOf('/') + 1);
    out.push(name);
    if (!/^(?:sudo|doas|env|command|exec|nice|nohup|time|timeout|stdbuf|setsid)$/.test(name)) break;
  }
  return out;
}

const plain = (text: Bytes): Bytes => text.replace(/["'\\]/g, '');
