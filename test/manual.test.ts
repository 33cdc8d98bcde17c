import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { manualPages } from '../scripts/build/man.ts';
import { wirings } from '../src/agents/wiring/agents.ts';
import { commands } from '../src/cli/commands.ts';
import { settings } from '../src/cli/config/settings.ts';
import { helpOf, overview } from '../src/cli/help.ts';

const top = fs.mkdtempSync(join(tmpdir(), 'belay-manual-'));
const manual = suite('manual pages');
manual.after(() => fs.rmSync(top, { recursive: true, force: true }));
const root = dirname(dirname(fileURLToPath(import.meta.url)));
await manualPages(root, top);

const PAGES = ['man1/belay.1', 'man5/belay-config.5', 'man7/belay-hooks.7'];
const page = (file: string): string => fs.readFileSync(join(top, 'man', file), 'utf8');
/** As roff writes a word. */
const words = (text: string): string => text.replaceAll('\\-', '-').replaceAll('\\.', '.').replaceAll('\\_', '_');
const tooWide = (text: string): readonly string[] => text.split('\n').filter((line) => [...line].length > 80);

manual('belay(1) has every command, belay-config(5) every setting, belay-hooks(7) every agent and hook', async () => {
  const all = words(page('man1/belay.1'));
  for (const [name, { summary }] of Object.entries(commands)) {
    assert.ok(all.includes(`usage: belay ${name}`), name);
    assert.ok(all.replace(/\s+/g, ' ').includes(summary.replaceAll('…', '...')), summary);
  }
  const config = words(page('man5/belay-config.5'));
  for (const { name } of settings) assert.ok(config.includes(name), name);
  const hooks = words(page('man7/belay-hooks.7'));
  for (const { title } of wirings) assert.ok(hooks.includes(title), title);
  for (const name of fs.readdirSync(join(root, 'hooks'))) assert.ok(hooks.includes(name), name);
});

manual('help has no line wider than 80 columns', async () => {
  assert.equal(tooWide(overview()).join('\n'), '');
  for (const [name, { load }] of Object.entries(commands)) {
    const command = await load();
    assert.equal(tooWide(helpOf(name, command)).join('\n'), '', name);
    // Nothing is lost or torn by being folded.
    const bare = (text: string): string => text.replace(/\s+/g, ' ').trim();
    for (const form of command.usage) assert.ok(bare(helpOf(name, command)).includes(bare(form)), form);
    assert.ok(bare(helpOf(name, command)).includes(bare(command.help ?? '')), name);
  }
});

manual('the pages are what man(1) can show on 80 columns, without a warning, dated by the release', () => {
  if (spawnSync('groff', ['--version']).error !== undefined) return; // said by scripts/test-needs.sh
  for (const file of PAGES) {
    const plain = spawnSync('groff', ['-k', '-man', '-Tascii', '-rLL=80n', join(top, 'man', file)], {
      encoding: 'utf8',
    });
    assert.equal(plain.stderr, '', 'a terminal of ASCII');
    const args = ['-k', '-man', '-Tutf8', '-ww', '-rLL=80n', '-P-cbou', join(top, 'man', file)];
    const done = spawnSync('groff', args, { encoding: 'utf8' });
    assert.equal(done.status, 0);
    assert.equal(done.stderr, '');
    assert.match(done.stdout, /NAME/);
    assert.equal(tooWide(done.stdout).join('\n'), '', file);
    assert.match(done.stdout, / 20[2-9]\d-\d\d-\d\d /, `${file}: the date`);
    assert.doesNotMatch(page(file), /^\.TS$/m, `${file}: a table is too wide for a page`);
  }
});

manual('mandoc(1) has nothing to say of them either', () => {
  const said = spawnSync('mandoc', ['-Tlint', '-Wwarning', ...PAGES.map((file) => join(top, 'man', file))], {
    encoding: 'utf8',
  });
  if (said.error === undefined) assert.equal(said.stdout + said.stderr, '');
});

manual('two builds are the same bytes; SOURCE_DATE_EPOCH is the date where it is given', async () => {
  const before = PAGES.map(page);
  await manualPages(root, top);
  assert.deepEqual(PAGES.map(page), before);
  process.env['SOURCE_DATE_EPOCH'] = String(Date.UTC(2031, 4, 5) / 1000);
  try {
    await manualPages(root, top);
    assert.match(page('man1/belay.1'), /2031-05-05/);
  } finally {
    delete process.env['SOURCE_DATE_EPOCH'];
    await manualPages(root, top);
  }
});

manual.run();
