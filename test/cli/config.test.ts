import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonSchema, MEANINGS, reference, settings } from '../../src/cli/config/settings.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { spawnBelay } from './drive.ts';
import { inOwnHome } from './home.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(at.top, 'person/.config/belay');
const file = join(folder, 'config.yaml');
const config = (...words: string[]) => spawnBelay('/', ['config', ...words], { XDG_CONFIG_HOME: '' });

function given(text: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, text);
}

test('every setting has a meaning, and docs/configuration.md is made from them', () => {
  assert.equal(
    settings.map(({ name }) => name),
    Object.keys(MEANINGS),
  );
  assert.is(fs.readFileSync(join(root, 'docs/configuration.md'), 'utf8'), reference());
});

test('the JSON Schema knows every setting, with its default', () => {
  const schema = JSON.parse(config('schema').stdout);
  assert.equal(schema, JSON.parse(JSON.stringify(jsonSchema())));
  const { hold, on_unsaved } = schema.properties.checkpoints.properties;
  assert.is(hold.properties.max_mb.default, DEFAULTS.checkpoints.hold.max_mb);
  assert.equal(on_unsaved.enum, ['warn', 'ask', 'refuse']);
});

test('check names what is wrong with its place, and what was meant', () => {
  assert.match(config('check').stdout, 'is not there: the defaults count');
  given('checkpoints:\n  max_files: many\n  hold:\n    max_bm: 3\nsesions: {}\n');
  const done = config('check');
  assert.is(done.status, 1);
  assert.equal(done.stdout.trim().split('\n'), [
    `${file}:2:3: checkpoints.max_files: expected a number, 0 or more`,
    `${file}:4:5: checkpoints.hold.max_bm: no such setting; did you mean 'checkpoints.hold.max_mb'?`,
    `${file}:5:1: sesions: no such setting; did you mean 'sessions'?`,
  ]);
  assert.is(JSON.parse(config('check', '--json').stdout).problems[0].line, 2);
  given('checkpoints:\n  max_files: 7\n');
  assert.equal([config('check').status, config('check').stdout], [0, `${file}: nothing is wrong\n`]);
});

test('get says what counts, path where it lies', () => {
  given('checkpoints:\n  max_files: 7\n');
  assert.is(config('get', 'checkpoints.max_files').stdout, '7\n');
  assert.match(config('get').stdout, 'checkpoints.max_snapshots: 500\n');
  assert.is(config('path').stdout, `${file}\n`);
  const wrong = config('get', 'checkpoints.max_fles');
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, "did you mean 'checkpoints.max_files'?");
});

test.run();
