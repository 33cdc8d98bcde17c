import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MESSAGES } from '../../src/cli/messages.ts';
import { AROUND } from '../../src/cli/messages-around.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (file: string): string => fs.readFileSync(join(root, file), 'utf8');
const within = (folder: string, ending: RegExp): string[] =>
  fs
    .readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => ending.test(file) && fs.statSync(join(root, file)).isFile());

/** What differs from case to case, of a text of a shell or of TypeScript, as `…`; the usage below a message is not of it. */
const general = (text: string): string =>
  text
    .replace(/\\n$|\\nusage: .*$|\\n\\?`?belay profile create.*$/, '')
    .replace(/\\([`"$])/g, '$1')
    .replace(/%\([^)]*\)T|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%s/g, '…')
    .replace(/…(?:…|\/[\w…-]+)*/g, '…')
    .trim();

/** The shell's own words in its place, what hands a text on, and what only frames one. */
const NOT_OURS = /^(?:[… ]*|belay: …|…: command not found|install\.sh: ….*|usage: .*)$/s;

const SHELL = /(?:\b(?:printf|echo|print -r --) +|\btext[ =])(?:'([^'\n]+)'|"((?:[^"\\\n]|\\.)+)")/g;
const WARNS =
  /echo (?:'|")([^\n]*(?:left alone|cannot be|still call|put right|nothing was changed|not in PATH)[^'"\n]*)/g;
const STOPS = /\b(?:die|wrong) (?:'([^'\n]*)'|"([^"\n]*)")/g;
const OURS = /(?:belay: |belay saved |belay could not|belay-snap:|nothing is saved)/.source;
const TYPESCRIPT = new RegExp(`'(${OURS}(?:[^'\\\\\n]|\\\\.)*)'|\`(${OURS}(?:[^\`\\\\]|\\\\.)*)\``, 'g');

function inSources(): Set<string> {
  const found = new Set<string>();
  const add = (text: string, pattern: RegExp): void => {
    for (const [, one, two] of text.matchAll(pattern)) {
      const said = general(one ?? two ?? '');
      if (!NOT_OURS.test(said)) found.add(said);
    }
  };
  const shells = [...within('shims', /(?:\/[a-z]+|\.(?:ba|z|fi)?sh)$/), ...within('bin', /./), 'install.sh'];
  for (const file of shells.filter((name) => !/demo|completion/.test(name))) {
    for (const line of read(file).split('\n')) {
      if (/>&2|logs\/?belay\.log/.test(line)) add(line, SHELL);
      else if (/\btext[ =]"belay: /.test(line)) add(line, SHELL);
    }
  }
  add(read('install.sh'), WARNS);
  add(read('install.sh'), STOPS);
  for (const file of [...within('src/snap', /\.ts$/), 'src/agents/hook.ts']) add(read(file), TYPESCRIPT);
  return found;
}

const rows = Object.values(AROUND).flatMap((of) => Object.entries(of));

test('every message of the shells, the launchers, belay-snap and install.sh is in the table, and no other', () => {
  const said = rows.flatMap(([, row]) => row.said.map((text) => text.trim()));
  assert.equal([...inSources()].sort(), [...new Set(said)].sort());
});

test('each of them has a code of its own, and says what was not changed and what to do next, in sentences', () => {
  const codes = [...Object.keys(MESSAGES), ...rows.map(([code]) => code)];
  assert.is(new Set(codes).size, codes.length);
  for (const [code, { unchanged, next }] of rows)
    for (const text of [unchanged, next]) assert.match(text, /^\S.{5,}\.$/s, code);
});

test.run();
