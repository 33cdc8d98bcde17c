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

test('set writes one setting: comments, order, a link and its mode stay; unset brings the default back', () => {
  given('# mine\ncheckpoints:\n  max_files: 7 # few\nsessions:\n  record: off\n');
  const real = join(at.top, 'dotfiles.yaml');
  fs.renameSync(file, real);
  fs.chmodSync(real, 0o640);
  fs.symlinkSync(real, file);
  assert.is(config('set', 'checkpoints.max_files', '9').stdout, `checkpoints.max_files: 9, in ${file}\n`);
  assert.is(config('set', 'checkpoints.exclude', '*.log', '/tmp x').status, 0);
  assert.is(
    fs.readFileSync(real, 'utf8'),
    '# mine\ncheckpoints:\n  max_files: 9 # few\n  exclude:\n    - "*.log"\n    - /tmp x\nsessions:\n  record: off\n',
  );
  assert.ok(fs.lstatSync(file).isSymbolicLink());
  assert.is(fs.statSync(real).mode & 0o777, 0o640);
  assert.match(config('unset', 'checkpoints.max_files').stdout, 'checkpoints.max_files: 50000 (the default)');
  assert.is(config('get', 'checkpoints.max_files').stdout, '50000\n');
  fs.rmSync(file);
});

test('set refuses what a setting cannot have, and a file that is broken, and writes nothing', () => {
  const text = 'checkpoints:\n  max_files: 7\n';
  given(text);
  for (const [words, why] of [
    [['checkpoints.max_files', 'many'], 'expected a number, 0 or more'],
    [['checkpoints.max_snapshots', '0'], 'expected a number from 1 to 1000'],
    [['checkpoints.on_unsaved', 'shout'], 'expected one of warn, ask, refuse'],
    [['checkpoints.enabled', 'maybe'], 'expected a boolean'],
    [['checkpoints.enabled'], 'wants one value'],
    [['checkpoints.enabeld', 'true'], "did you mean 'checkpoints.enabled'"],
    [['max_files', '3'], "did you mean 'checkpoints.max_files'"],
    [['max_fils', '3'], "did you mean 'checkpoints.max_files'"],
    [['record', 'off'], "did you mean 'sessions.record'"],
  ] as const) {
    const done = config('set', ...words);
    assert.is(done.status, 2, words.join(' '));
    assert.match(done.stderr, why);
  }
  assert.is(fs.readFileSync(file, 'utf8'), text);
  given('checkpoints: [\n');
  assert.is(config('set', 'checkpoints.max_files', '3').status, 1);
  assert.is(fs.readFileSync(file, 'utf8'), 'checkpoints: [\n');
  fs.rmSync(file);
});

test('set makes the file where there is none; a negative size is no limit', () => {
  assert.is(config('set', 'checkpoints.max_total_size_mb', '--', '-1').status, 0);
  assert.is(fs.readFileSync(file, 'utf8'), 'checkpoints:\n  max_total_size_mb: -1\n');
  assert.is(config('check').status, 0);
  fs.renameSync(file, join(folder, 'config.json'));
  fs.writeFileSync(join(folder, 'config.json'), '{\n    "checkpoints": { "max_files": 7 }\n}\n');
  config('set', 'checkpoints.enabled', 'false');
  assert.equal(JSON.parse(fs.readFileSync(join(folder, 'config.json'), 'utf8')), {
    checkpoints: { max_files: 7, enabled: false },
  });
  fs.rmSync(join(folder, 'config.json'));
});

test('set takes a negative number as it is, and a list as get prints it', () => {
  assert.is(config('set', 'checkpoints.max_total_size_mb', '-1').status, 0);
  assert.is(config('get', 'checkpoints.max_total_size_mb').stdout, '-1\n');
  assert.match(config('set', 'checkpoints.max_files', '-1').stderr, 'expected a number, 0 or more');
  const printed = config('get', 'checkpoints.precious').stdout.trim();
  assert.is(config('set', 'checkpoints.precious', printed).status, 0);
  assert.is(config('get', 'checkpoints.precious').stdout.trim(), printed);
  config('set', 'checkpoints.exclude', '["a b","c"]');
  assert.is(config('get', 'checkpoints.exclude').stdout, '["a b","c"]\n');
  assert.match(config('set', 'checkpoints.exclude', '["a",1]').stderr, 'expected a list of strings');
  config('set', 'checkpoints.exclude', '[ab]*.[oa]');
  assert.is(config('get', 'checkpoints.exclude').stdout, '["[ab]*.[oa]"]\n');
  fs.rmSync(file);
});

test('worktrees.dir is a folder below the project, and nothing else', () => {
  for (const dir of ['/', '/tmp/x', '../x', 'a/../..', '.', '', '.git/x'])
    assert.match(config('set', 'worktrees.dir', dir).stderr, 'expected a relative path below the project', dir);
  assert.is(config('set', 'worktrees.dir', 'trees/all').status, 0);
  given('worktrees:\n  dir: ../x\n');
  assert.is(config('check').stdout, `${file}:2:3: worktrees.dir: expected a relative path below the project\n`);
  assert.is(config('get', 'worktrees.dir').stdout, '".worktrees"\n');
  fs.rmSync(file);
});

test('edit opens the editor, and says what is wrong afterwards', () => {
  assert.is(config('edit').status, 3);
});

test.run();
