import type { Bytes } from './bytes.ts';
import { type ShellWord, shellWords } from './shell-words.ts';

/**
 * What a stored command line must not keep. Whole shell words are masked, whatever quotes they are made of; then what is a secret by
 * its shape, wherever it stands. Tables of what people type, not a promise. Takes a time that grows with the line.
 */
export function maskSecrets(line: Bytes): Bytes {
  return SHAPES.reduce((text, [shape, stays]) => text.replace(shape, stays), maskWords(line, 0));
}

const MASK = '***';

/** Names that say so themselves: of variables, options, keys. */
const SECRET =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|PASS(?:$|[_-])|_PASS|^PASS|PWD_?KEY|API[_-]?KEY|ACCESS[_-]?KEY|PRIVATE[_-]?KEY|CREDENTIAL|AUTH(?:$|[_-])|^PW$|^PWD$/i;

/** Not secret although their names look like it. */
const HARMLESS =
  /^PWD$|^(?:.*_)?AUTH_?(?:SOCK|TYPE|METHOD|MODE)$|^SSH_AUTH_SOCK$|PASSWORD-?STDIN|TOKENS?_?(?:LIMIT|COUNT)|^MAX_TOKENS$/i;

const isSecretName = (name: Bytes): boolean => SECRET.test(name) && !HARMLESS.test(name);

/** Options of single programs whose value is a secret: as the next word, or grown onto the option itself. */
const OPTIONS: Readonly<Record<string, { readonly next?: readonly string[]; readonly grown?: readonly string[] }>> = {
  sshpass: { next: ['-p'], grown: ['-p'] },
  mysql: { grown: ['-p'] },
  mysqldump: { grown: ['-p'] },
  mysqladmin: { grown: ['-p'] },
  mariadb: { grown: ['-p'] },
  'redis-cli': { next: ['-a'] },
  zip: { next: ['-P'], grown: ['-P'] },
  unzip: { next: ['-P'], grown: ['-P'] },
  '7z': { grown: ['-p'] },
  '7za': { grown: ['-p'] },
  'ssh-keygen': { next: ['-N', '-P'] },
  openssl: { next: ['-k', '-K'] },
  az: { next: ['-p'] },
  curl: { next: ['--oauth2-bearer'] },
  ldapsearch: { next: ['-w'] },
  ldapmodify: { next: ['-w'] },
  ldapadd: { next: ['-w'] },
};

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
  /** Rows of `OPTIONS` whose program was named in it. */
  readonly options: (typeof OPTIONS)[string][];
  /** The letters of its options, and how many words after the verb were none. */
  letters: Bytes;
  operands: number;
}

function maskWords(line: Bytes, depth: number): Bytes {
  let out = '';
  let at = 0;
  let command = newCommand();
  const words = shellWords(line);
  for (const word of words) {
    if (word.first) command = newCommand();
    const masked = word.from < at ? undefined : maskWord(word, command, line, depth);
    note(command, plain(word.text));
    if (masked === undefined) continue;
    out += line.slice(at, word.from) + masked.text;
    at = masked.to ?? word.to;
  }
  return out + line.slice(at);
}

const newCommand = (): Command => ({ verb: '', named: '', last: '', options: [], letters: '', operands: 0 });

function note(command: Command, word: Bytes): void {
  if (word.startsWith('-')) command.letters = (command.letters + word).slice(0, 64);
  else if (command.verb !== '') command.operands++;
  if (command.verb === '') command.verb = word;
  else if (command.named === '' && !word.startsWith('-')) command.named = word;
  command.last = word;
  const name = word.slice(word.lastIndexOf('/') + 1);
  const row = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (row !== undefined && !command.options.includes(row)) command.options.push(row);
}

interface Masked {
  readonly text: Bytes;
  /** Where the line goes on, if that is not the word's end. */
  readonly to?: number;
}

function maskWord(word: ShellWord, command: Command, line: Bytes, depth: number): Masked | undefined {
  const { text } = word;
  const list = arrayAfter(word, line);
  if (list !== undefined) return { text: `${text}(${MASK})`, to: list };
  if (isValue(command) || isOperand(command, text)) return { text: MASK };
  if (LOGINS.test(command.last)) return login(text, '') ?? maskInside(text, depth);
  const grownLogin = /^(-u|-U|--(?:proxy-)?user=)(?=.)/.exec(text)?.[1];
  const masked = grownLogin === undefined ? undefined : login(text.slice(grownLogin.length), grownLogin);
  if (masked !== undefined) return masked;
  for (const { grown = [] } of command.options) {
    const option = grown.find((name) => text.startsWith(name) && text.length > name.length);
    if (option !== undefined) return { text: `${option}${MASK}` };
  }
  return maskAssigned(text) ?? maskUrl(text) ?? maskInside(text, depth);
}

/** `TOKEN=(a b)`: the end of its list. */
function arrayAfter({ text, to }: ShellWord, line: Bytes): number | undefined {
  if (!text.endsWith('=') || line[to] !== '(' || !isSecretName(text.slice(0, -1))) return undefined;
  const end = line.indexOf(')', to);
  return end < 0 ? line.length : end + 1;
}

/** Whether the next word is a secret: `--password x`, `set -gx TOKEN x`, `redis-cli -a x`. */
function isValue({ verb, named, last, options }: Command): boolean {
  if (/^-{1,2}[A-Za-z][A-Za-z0-9_-]*$/.test(last) && !/^--?(?:no|with|ask)-/.test(last))
    if (isSecretName(last.replace(/^-+/, ''))) return true;
  if (options.some(({ next = [] }) => next.includes(last))) return true;
  return (verb === 'set' || verb === 'setenv') && named !== '' && isSecretName(named);
}

/** `vault login x`, `htpasswd -b file user x`: `-n` takes no file. */
function isOperand({ verb, named, letters, operands }: Command, text: Bytes): boolean {
  if (text.startsWith('-')) return false;
  if (/(?:^|\/)vault$/.test(verb)) return named === 'login' && operands === 1 && !text.includes('=');
  return /(?:^|\/)htpasswd$/.test(verb) && letters.includes('b') && operands === (letters.includes('n') ? 1 : 2);
}

function login(text: Bytes, option: Bytes): Masked | undefined {
  const colon = text.search(/[:%]/);
  if (colon < 0 || /^["']?\d+:\d+["']?$/.test(text)) return undefined;
  return { text: `${option}${text.slice(0, colon + 1)}${MASK}${closing(text)}` };
}

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
    if (value === '' || REFERENCE.test(value)) continue;
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

/** Secrets that are known wherever they stand, each with the part that stays. */
const SHAPES: readonly (readonly [shape: RegExp, stays: string])[] = [
  // -----BEGIN … PRIVATE KEY----- blocks
  [/(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, '$1***$2'],
  // Authorization: Bearer x, X-Api-Key: x, Cookie: x
  [
    /\b((?:proxy-)?authorization|x-[a-z-]{0,40}(?:token|key|secret)|private-token|cookie)(\s{0,8}:\s{0,8})[^'"\r\n]+/gi,
    '$1$2***',
  ],
  // {"password": "x"}, os.environ["TOKEN"] = "x", also with \" for "
  [
    /((?:\\?["'])[A-Za-z0-9_-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)[A-Za-z0-9_-]{0,64}(?:\\?["'])\]?\s{0,8}[:=]\s{0,8})(?:\\?["'])[^"'\\]*(\\?["'])/gi,
    '$1"***$2',
  ],
  // Lines of a here-document: secret: x
  [
    /^([ \t]{0,40}(?:- )?["']?[A-Za-z0-9_.-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)["']?:[ \t]{1,8})[^\s][^\r\n]*/gim,
    '$1***',
  ],
  // TOKEN=$(echo x)
  [
    /\b([A-Za-z0-9_]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)[A-Za-z0-9_]{0,64}=["']?\$\(\s{0,8}(?:echo|printf)\s{1,8})[^)]+/gi,
    '$1***',
  ],
  // machine h login u password x
  [/\b(login\s{1,4}[^\s]{1,80}\s{1,4}password\s{1,4})[^\s\\'"]+/gi, '$1***'],
  // openssl -passin pass:x
  [/\b(pass:)[^\s'";|&]+/g, '$1***'],
  // Tokens known by their shape
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '***'],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g, '***'],
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g, '***'],
  [/\bxox[abpors]-[A-Za-z0-9-]{10,}/g, '***'],
  [/\bnpm_[A-Za-z0-9]{30,}/g, '***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, '***'],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, '***'],
];
