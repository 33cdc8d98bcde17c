import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { blocksOf, linesOf } from '../scripts/blocks.ts';
import { retold, steady } from '../scripts/tour.ts';
import { commands } from '../src/cli/commands.ts';
import { helpOf } from '../src/cli/help.ts';
import { COMMON } from '../src/cli/read-call.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documents = suite('documents');

const read = (file: string): string => fs.readFileSync(join(root, file), 'utf8');
/** Without what is shown to be typed, or written into other files. */
const prose = (file: string): string => read(file).replace(/^```.*?^```$/gms, '');
const pages = ['README.md', ...fs.readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const typed = (file: string): boolean => blocksOf(read(file)).some((block) => block.is !== 'other' && !block.notRun);

/** Sessions are searched with SQLite, which is optional. */
const canSearch = fs.existsSync(join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'));

/** Two pages at a time: each is a shell of its own, in a home of its own. */
const told = new Map<string, Promise<string>>();
let lanes: readonly [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
for (const file of pages.filter(typed)) {
  if (file === 'docs/sessions.md' && !canSearch) {
    console.log(`${file} is skipped: better-sqlite3 is not installed, and it shows a search`);
    continue;
  }
  const telling = lanes[0].then(() => retold(read(file)));
  lanes = [lanes[1], telling.catch(() => undefined)];
  told.set(file, telling);
  telling.catch(() => undefined); // told by the test of this page

  documents(`${file}: every command runs, and does what the page says (npx tsx scripts/tour.ts ${file})`, async () => {
    assert.equal(steady((await told.get(file)) ?? ''), steady(read(file)));
  });
}

documents('a block is run, or says why not, or shows no command', () => {
  for (const file of [
    ...pages,
    ...fs.readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
  ])
    for (const block of blocksOf(read(file))) {
      const where = `${file}:${block.line}`;
      if (block.notRun !== undefined) {
        assert.ok(block.notRun.split(' ').length > 2, `${where} says too little of why it is not run`);
        for (const [test] of block.notRun.matchAll(/\btest\/[\w/.-]+/g)) {
          const there = fs.readdirSync(join(root, dirname(test))).some((name) => name.startsWith(basename(test)));
          assert.ok(there, `${where}: ${test}`);
        }
        continue;
      }
      if (block.is !== 'other') assert.ok(linesOf(block).length > 0, `${where} has nothing to type`);
      else {
        assert.ok(
          ['text', 'json'].includes(block.language),
          `${where}: what is \`\`\`${block.language}? (scripts/blocks.ts)`,
        );
        assert.doesNotMatch(block.text, /^\s*(\$ |belay |npm |git )/m, where);
      }
    }
});

documents('a script as it is shown stops where belay is missing, and removes nothing', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'belay-missing-'));
  const shows = (file: string, what: string): string =>
    blocksOf(read(file))
      .find(({ text }) => text.includes(what))
      ?.text.replace(/^belay undo$/m, '') ?? '';
  for (const text of [shows('docs/agents.md', 'rm -rf src'), shows('docs/shells.md', 'sh -c')]) {
    for (const file of ['src', 'notes.txt']) fs.writeFileSync(join(folder, file), '');
    const { stderr } = spawnSync('sh', ['-c', text], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    assert.match(stderr, /belay: (?:command )?not found/);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['notes.txt', 'src'], text);
  }
  fs.rmSync(folder, { recursive: true });
});

documents('a command that stands in a sentence is there, with its options', async () => {
  for (const file of pages)
    for (const [, said = ''] of read(file)
      .replaceAll('\\|', '|')
      .matchAll(/`((?:\.\/|~\/\.local\/bin\/)?belay [^`]+)`/g)) {
      const words = (said.split(/ -- | && |; /)[0] ?? '').split(/\s+/).slice(1);
      while (/^-[pC]$/.test(words[0] ?? '')) words.splice(0, 2);
      const [name = '', ...rest] = words.map((word) => word.replace(/[[\](),.…]|'.*/g, ''));
      // `belay saved 214 files` is said by belay, not typed.
      if (/^(-|[A-Z]+$|saved$|$)/.test(name)) continue;
      const entry = commands[name];
      assert.ok(entry, `${file}: \`${said}\``);
      const help = helpOf(name, await entry.load());
      for (const [option, long] of rest.flatMap((word) => [...word.matchAll(/^--([a-z-]+)/g)]))
        assert.ok(Object.hasOwn(COMMON, long ?? '') || help.includes(option), `${file}: \`${said}\`: ${option}`);
    }
});

documents('README.md begins with three lines, the install and the tests', () => {
  const [title, ...rest] = read('README.md').split('\n');
  assert.equal(title, '# belay');
  const first = rest.join('\n').trim().split('\n\n')[0] ?? '';
  assert.equal(first.split('\n').length, 3);
  const install = read('README.md').indexOf('./install.sh');
  assert.ok(install > 0 && read('README.md').indexOf('npm ci && npm test') > install);
});

documents('every file that a document links to is there, and every page is linked to', () => {
  const linked = new Set<string>();
  for (const file of pages)
    for (const [, link = ''] of prose(file).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const to = join(dirname(file), link);
      assert.ok(fs.existsSync(join(root, to)), `${file} → ${link}`);
      linked.add(to);
    }
  for (const file of pages.slice(1)) assert.ok(linked.has(file), `nothing leads to ${file}`);
});

documents('what a document says of a heading of another one is there', () => {
  const anchors = (text: string): readonly string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  for (const file of pages)
    for (const [, link = '', anchor = ''] of prose(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g))
      assert.ok(
        anchors(read(link === '' ? file : join(dirname(file), link))).includes(anchor),
        `${file} → ${link}#${anchor}`,
      );
});

documents.run();
