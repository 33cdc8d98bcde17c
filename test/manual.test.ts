import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { manualPages } from '../scripts/build/man.ts';
import { commands } from '../src/cli/commands.ts';
import { settings } from '../src/cli/config/settings.ts';

const top = fs.mkdtempSync(join(tmpdir(), 'belay-manual-'));
const manual = suite('manual pages');
manual.after(() => fs.rmSync(top, { recursive: true, force: true }));
await manualPages(dirname(dirname(fileURLToPath(import.meta.url))), top);

const page = (file: string): string => fs.readFileSync(join(top, 'man', file), 'utf8');
/** As roff writes a word. */
const words = (text: string): string => text.replaceAll('\\-', '-').replaceAll('\\.', '.').replaceAll('\\_', '_');

manual('belay(1) has every command, belay-config(5) every setting', () => {
  const all = words(page('man1/belay.1'));
  for (const name of Object.keys(commands)) assert.ok(all.includes(`usage: belay ${name}`), name);
  const config = words(page('man5/belay-config.5'));
  for (const { name } of settings) assert.ok(config.includes(name), name);
});

manual('the pages are what man(1) can show, without a warning', () => {
  if (spawnSync('groff', ['--version']).error !== undefined) return; // said by scripts/test-needs.sh
  for (const file of ['man1/belay.1', 'man5/belay-config.5', 'man7/belay-hooks.7']) {
    const done = spawnSync('groff', ['-k', '-man', '-Tutf8', '-ww', join(top, 'man', file)], { encoding: 'utf8' });
    assert.equal(done.status, 0);
    assert.equal(done.stderr, '');
    assert.match(done.stdout.replace(/.\x08/g, ''), /NAME/);
  }
});

manual.run();
