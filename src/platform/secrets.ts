import type { Bytes } from './bytes.ts';
import { fedSecrets } from './secret-input.ts';
import { isCount, isSecretName } from './secret-names.ts';
import { type SecretWays, secretWays } from './secret-programs.ts';
import { maskShapes } from './secret-shapes.ts';
import { type ShellWord, shellWords } from './shell-words.ts';

/**
 * What a stored command line must not keep. Whole shell words are masked, whatever quotes they are made of; then what is a secret by
 * its shape, wherever it stands. Tables of what people type, not a promise. Takes a time that grows with the line.
 */
export function maskSecrets(line: Bytes): Bytes {
  return maskShapes(NAMES.test(line) ? line : maskWords(line, 0));
}

/** Commands that are told names and nothing else, and no word of theirs holds a login. The lines that name the most are such. */
const NAMES = /^ *(?:rm|rmdir|unlink|mv|cp|ln|mkdir|touch)(?: +(?:[\w./+,][\w./+,-]*|-[A-Za-z]{1,8}|--))* *$/;

const MASK = '***';

/** `user:password` follows, of which the user stays. */
const LOGINS = /^(?:-u|-U|--user|--proxy-user|--login)$/;

/** Deep enough for `ssh host "bash -c 'export TOKEN=…'"`. */
const DEPTH = 4;

/** What has been read of a command so far. */
interface Command {
  /** Without their quotes: the word that begins it, the first after that which is no option, the newest. */
  verb: Bytes;
  named: Bytes;
  last: Bytes;
  /** What programs named in it are told secretly, and how many operands stood before their names. */
  readonly ways: { readonly way: SecretWays; readonly behind: number }[];
  /** Words that a way may ask for, the letters of its options, and how many words after the verb were none. */
  readonly said: Set<Bytes>;
  letters: Bytes;
  operands: number;
}

function maskWords(line: Bytes, depth: number): Bytes {
  let out = '';
  let at = 0;
  let command = newCommand();
  const words = shellWords(line);
  const fed = fedSecrets(line, words);
  for (const [index, word] of words.entries()) {
    if (word.first) command = newCommand();
    const masked = word.from < at ? undefined : fed.has(index) ? { text: MASK } : maskWord(word, command, line, depth);
    note(command, plain(word.text));
    if (masked === undefined) continue;
    out += line.slice(at, word.from) + masked.text;
    at = masked.to ?? word.to;
  }
  return out + line.slice(at);
}

const newCommand = (): Command => ({
  verb: '',
  named: '',
  last: '',
  ways: [],
  said: new Set(),
  letters: '',
  operands: 0,
});

function note(command: Command, word: Bytes): void {
  if (word.startsWith('-')) command.letters = (command.letters + word).slice(0, 64);
  else if (command.verb !== '') command.operands++;
  if (command.verb === '') command.verb = word;
  else if (command.named === '' && !word.startsWith('-')) command.named = word;
  command.last = word;
  if (word.length > LONGEST_NAME) return;
  for (const way of secretWays(word.slice(word.lastIndexOf('/') + 1)))
    if (!command.ways.some((known) => known.way === way)) command.ways.push({ way, behind: command.operands });
  if (command.said.size < MOST_SAID) command.said.add(word.toLowerCase());
}

/** No name of a program, nor a word that a row of the table asks for, is longer; and none stands further behind. */
const LONGEST_NAME = 64;
const MOST_SAID = 32;

/** What the command is told secretly, as far as it is known by now. */
const waysOf = ({ ways, said }: Command): Command['ways'] =>
  ways.filter(({ way }) => way.said?.some((word) => said.has(word)) ?? true);

interface Masked {
  readonly text: Bytes;
  /** Where the line goes on, if that is not the word's end. */
  readonly to?: number;
}

function maskWord(word: ShellWord, command: Command, line: Bytes, depth: number): Masked | undefined {
  const { text } = word;
  const list = arrayAfter(word, line);
  if (list !== undefined) return { text: `${text}(${MASK})`, to: list };
  const ways = waysOf(command);
  if (isValue(command, ways) || isOperand(command, ways, text))
    return REFERENCE.test(text) || isCount(command.last, text) ? undefined : { text: MASK };
  if (LOGINS.test(command.last)) return login(text, '', command) ?? maskInside(text, depth);
  const grownLogin = /^(-u|-U|--(?:proxy-)?user=)(?=.)/.exec(text)?.[1];
  const masked = grownLogin === undefined ? undefined : login(text.slice(grownLogin.length), grownLogin, command);
  if (masked !== undefined) return masked;
  for (const { way } of ways) {
    const opened = /^["']?/.exec(text)?.[0] ?? '';
    const option = way.grown?.find(
      (name) => text.startsWith(opened + name) && text.length > opened.length + name.length,
    );
    if (option !== undefined) return { text: `${opened}${option}${MASK}${closing(text)}` };
    const host = way.host ? HOST.exec(text) : null;
    if (host !== null) return { text: `${host[1]}${MASK}${text.slice(host[0].length)}` };
    if (way.assigned || way.pair?.includes(command.last)) {
      const pair = pairValue(text);
      if (pair !== undefined) return pair;
    }
  }
  return maskAssigned(text) ?? maskUrl(text) ?? maskInside(text, depth);
}

/** `session=x`, where every name is that of a secret. */
function pairValue(text: Bytes): Masked | undefined {
  const equals = text.startsWith('-') ? -1 : text.indexOf('=');
  if (equals < 0 || equals === text.length - 1 || REFERENCE.test(text.slice(equals + 1))) return undefined;
  return { text: `${text.slice(0, equals + 1)}${MASK}${closing(text)}` };
}

/** `TOKEN=(a b)`: the end of its list. */
function arrayAfter({ text, to }: ShellWord, line: Bytes): number | undefined {
  if (!text.endsWith('=') || line[to] !== '(' || !isSecretName(text.slice(0, -1))) return undefined;
  const end = line.indexOf(')', to);
  return end < 0 ? line.length : end + 1;
}

/** Whether the next word is a secret: `--password x`, `set -gx TOKEN x`, `redis-cli -a x`, `npm config set …:_authToken x`. */
function isValue({ verb, named, last, said }: Command, ways: Command['ways']): boolean {
  if (/^-{1,2}[A-Za-z][A-Za-z0-9_-]*$/.test(last) && !/^--?(?:no|with|ask)-/.test(last))
    if (isSecretName(last.replace(/^-+/, '')) && !/-(?:file|fd|stdin)$/.test(last)) return true;
  if (ways.some(({ way }) => way.next?.includes(last))) return true;
  if ((verb === 'set' || verb === 'setenv') && named !== '' && isSecretName(named)) return true;
  if (last.startsWith('-') || last.includes('=') || !SETS.some((word) => said.has(word))) return false;
  return last.length <= 256 && isSecretName(last.slice(last.search(/[^./:]*$/)));
}

/** What is said before a name and its value. */
const SETS = ['set', 'config', 'config:set', 'env:set'];

/** `vault login x`, `htpasswd -b file user x` (`-n` takes no file), `set-password x`. */
function isOperand({ verb, named, letters, operands }: Command, ways: Command['ways'], text: Bytes): boolean {
  if (text.startsWith('-') || text === MASK) return false;
  const program = verb.slice(verb.lastIndexOf('/') + 1);
  if (program === 'vault') return named === 'login' && operands === 1 && !text.includes('=');
  if (program === 'htpasswd') return letters.includes('b') && operands === (letters.includes('n') ? 1 : 2);
  if (/^(?:set|change|reset)[-_](?:password|passwd|passphrase|secret|token)$/i.test(program)) return true;
  return ways.some(({ way, behind }) => way.operands !== undefined && operands - behind + 1 >= way.operands);
}

/** A user and a password: behind a colon or `%`, for lftp behind a comma. */
function login(text: Bytes, option: Bytes, { verb }: Command): Masked | undefined {
  const colon = text.search(verb.endsWith('lftp') ? /[,:]/ : /[:%]/);
  if (colon < 0 || /^["']?\d+:\d+["']?$/.test(text)) return undefined;
  return { text: `${option}${text.slice(0, colon + 1)}${MASK}${closing(text)}` };
}

/** `user:password` before the last `@host`, also grown onto an option; `host:/path/x@y` and `host:x@2024` have none. */
const HOST = /^(["']?(?:--?[\w-]{1,64}=)?[\w.+-]{1,64}:)(?![/~])(?:[^\s'"]|"[^"]*"|'[^']*')+(?=@(?:[A-Za-z[]|\d+\.\d))/;

/** The quote that a word begins and ends with. */
const closing = (text: Bytes): Bytes => {
  const quote = /^["']/.exec(text)?.[0] ?? '';
  return quote !== '' && text.length > 1 && text.endsWith(quote) ? quote : '';
};

/** A value that is only another variable, or what a command will say, tells nothing. */
const REFERENCE = /^"?\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})?"?$/;

/** `TOKEN=x`, `--token=x`, `--from-literal=password=x`, `?token=x`: from the first such name to the end of the word. */
function maskAssigned(text: Bytes): Masked | undefined {
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    const head = text.slice(Math.max(0, equals - 128), equals).replace(/\+$/, '');
    const name = /[A-Za-z0-9_.-]*(?:\[[^\]]{0,64}\])?$/.exec(head)?.[0] ?? '';
    if (/\s/.test(head.slice(0, head.length - name.length))) return undefined; // a line within quotes: `maskInside`
    const key = /\[["']?([^\]"']*)/.exec(name)?.[1] ?? '';
    if (name === '' || !(isSecretName(name.replace(/^-+|\[.*$/g, '')) || isSecretName(key))) continue;
    const value = text.slice(equals + 1);
    if (value === '' || REFERENCE.test(value) || isCount(name, value)) continue;
    return { text: `${text.slice(0, equals + 1)}${MASK}${closing(text)}` };
  }
  return undefined;
}

/** `https://user:password@host`, `https://TOKEN@host`. */
function maskUrl(text: Bytes): Masked | undefined {
  const start = text.indexOf('://');
  if (start < 0) return undefined;
  const rest = text.slice(start + 3);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const at = authority.lastIndexOf('@');
  if (at < 0) return undefined;
  const user = authority.slice(0, at);
  const colon = user.indexOf(':');
  if (colon < 0 && !/https?$|ftps?$/i.test(text.slice(0, start))) return undefined;
  const kept = colon < 0 ? '' : user.slice(0, colon + 1);
  return { text: `${text.slice(0, start + 3)}${kept}${MASK}${rest.slice(at)}` };
}

/** A quoted text may be a line of its own: `bash -c 'export TOKEN=x'`. */
function maskInside(text: Bytes, depth: number): Masked | undefined {
  if (depth >= DEPTH || !/["']/.test(text) || !/[\s=]|:\/\//.test(text)) return undefined;
  const masked = text.replace(
    /(\$?)(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)")/g,
    (whole, dollar: Bytes, single: Bytes | undefined, double: Bytes | undefined) => {
      const inner = single ?? double ?? '';
      const within = maskWords(inner, depth + 1);
      const quote = single === undefined ? '"' : "'";
      return within === inner ? whole : `${dollar}${quote}${within}${quote}`;
    },
  );
  return masked === text ? undefined : { text: masked };
}

/** A word as the program gets it, near enough to recognise its name. */
const plain = (text: Bytes): Bytes => text.replace(/["'\\]/g, '');
