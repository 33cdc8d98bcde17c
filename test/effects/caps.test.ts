import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Plan } from '../../src/effects/types.ts';
import { tree } from './world.ts';

/** Every limit overflows to more saving: what the line really destroys is a target or lies below a captured folder. */

const many = (count: number, name: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => name(at));
const filled = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'x']));

const inside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const isSaved = (plan: Plan, path: string): boolean =>
  plan.targets.some((target) => target.path === path || (target.recursive && inside(path, target.path))) ||
  plan.captures.some((capture) => inside(path, capture.folder));

function saves(at: ReturnType<typeof tree>, line: string, names: readonly string[]): void {
  const plan = at.plan(line);
  const shown = line.length > 90 ? `${line.slice(0, 90)}…` : line;
  assert.ok(plan.destructive, shown);
  const open = names.filter((name) => !isSaved(plan, `${at.root}/${name}`));
  assert.equal(open.slice(0, 3), [], shown);
}

const few = many(200, (at) => `d/f${at}`);
const small = tree(filled([...few, 'keep/k', ...many(200, (at) => `onto/f${at}`)]));

test('more runs than are followed one by one', () => {
  for (const line of [
    "find d -type f -exec mv {} {}.bak ';'",
    "find d -type f -exec sh -c 'rm \"$1\"' _ {} ';'",
    "find d -type f -execdir sh -c 'rm \"$1\"' _ {} ';'",
    "find d -type f | xargs -I{} sh -c 'rm {}'",
    'find d -type f | xargs -n1 sh -c \'rm "$0"\'',
    `parallel rm ::: ${few.join(' ')}`,
    `parallel -- ${few.map((name) => `'rm ${name}'`).join(' ')}`,
    `parallel rm -- ${few.join(' ')}`,
    'for f in d/*; do rm "$f"; done',
    'for f in d/*; do bash -c "rm $f"; done',
    'while read -r f; do rm "$f"; done < <(find d -type f)',
  ])
    saves(small, line, few);
});

test('more rounds than are walked', () => {
  saves(small, 'for i in {0..20000}; do rm -f d/f$i; done', few);
  saves(small, 'for ((i=0;i<100000;i++)); do rm -f d/f$i; done', few);
  saves(small, 'i=0; while [ $i -lt 99999 ]; do rm -f d/f$i; i=$((i+1)); done', few);
  saves(
    small,
    'for a in {0..9}; do for b in {0..9}; do for c in {0..9}; do for e in {0..9}; do rm -f d/f$a$b$c$e d/f$c$e; done; done; done; done',
    few.slice(10, 100),
  );
});

test('deeper than is followed', () => {
  let line = 'rm d/f0';
  for (let depth = 0; depth < 60; depth++) line = `eval '${line.replaceAll("'", "'\\''")}'`.slice(0, 60_000);
  saves(small, 'f() { rm "d/f$1"; f $(($1 + 1)); }; f 0', few);
  saves(small, `${'$('.repeat(150)}rm d/f0${')'.repeat(150)}`, ['d/f0']);
  saves(small, `${'('.repeat(150)}rm d/f0${')'.repeat(150)}`, ['d/f0']);
  saves(small, `${'{ '.repeat(300)}rm d/f0; ${'}; '.repeat(300)}`, ['d/f0']);
  saves(small, `${'bash -c "'.repeat(3)}rm d/f0`, ['d/f0']);
});

test('longer than is parsed', () => {
  saves(small, `rm ${'d/f0 '.repeat(20_000)}`, ['d/f0']);
  saves(small, `: ${'x'.repeat(70_000)}; rm d/f0`, ['d/f0']);
  saves(small, `${'true; '.repeat(12_000)} rm d/f0`, ['d/f0']);
  saves(small, `${'echo x | '.repeat(5_000)} xargs rm d/f0`, ['d/f0']);
  saves(small, `x=${'a'.repeat(60_000)}; y=$x$x$x$x; z=$y$y$y$y; rm d/f0 "$z"`, ['d/f0']);
});

test('more pieces than are named', () => {
  const pieces = many(
    700,
    (at) => `p/x${String.fromCharCode(97 + Math.floor(at / 26))}${String.fromCharCode(97 + (at % 26))}`,
  ).filter((name) => /x[a-z]{2}$/.test(name));
  const at = tree(filled([...pieces, 'big']));
  saves(at, 'cd p && split -b 1 /dev/stdin < ../nothing-known', pieces);
});

test('more files than are listed', () => {
  const names = many(5_200, (at) => `src/${at % 20}/f${at}`);
  const large = tree(filled([...names, ...names.map((name) => name.replace('src', 'dst'))]));
  const theirs = names.map((name) => name.replace('src', 'dst'));
  saves(large, 'cp -r src/. dst/', theirs);
  saves(large, 'cp -rT src dst', theirs);
  saves(large, 'rsync -a src/ dst/', theirs);
  saves(large, 'find src -type f | xargs rm', names);
  saves(large, 'find src -type f -delete', names);
  saves(large, 'rm src/*/*', names);
  saves(large, 'gzip -r src', names);
});

test('more entries than find comes to', () => {
  const names = many(20_100, (at) => `src/${at % 100}/f${at}`);
  const large = tree(filled(names));
  saves(large, "find src -name 'f*' -delete", names);
  saves(large, "find src -name 'f*' -exec rm {} +", names);
  saves(large, "find src -name 'f*' -print0 | xargs -0 rm", names);
  saves(large, 'rm src/*/*', names);
  saves(large, 'shopt -s globstar; rm src/**/f*', names);
});

test.run();
