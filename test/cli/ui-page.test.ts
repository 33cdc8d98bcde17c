import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hunksOf, underneath } from '../../src/cli/ui/page/difference.ts';
import { withDifference } from '../../src/cli/ui/page/pieces.ts';
import { place, seen } from '../../src/cli/ui/page/windowed.ts';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test('a patch becomes lines beside each other, with the stretch in which they differ', () => {
  const patch =
    '@@ -3,4 +3,4 @@ function f()\n a\n-let x = 1;\n+let x = 23;\n-gone\n+++come\n+more\n\\ No newline at end of file\n';
  const [hunk] = hunksOf(patch);
  assert.is(hunk?.head, 'function f()');
  assert.equal(
    hunk?.rows.map(({ old, now }) => [old?.no, old?.text, now?.no, now?.text]),
    [
      [3, 'a', 3, 'a'],
      [4, 'let x = 1;', 4, 'let x = 23;'],
      [5, 'gone', 5, '++come'],
      [undefined, undefined, 6, 'more'],
    ],
  );
  assert.equal(
    [hunk?.rows[1]?.old?.differs, hunk?.rows[1]?.now?.differs],
    [
      [8, 9],
      [8, 10],
    ],
  );
  assert.is(hunk?.rows[3]?.now?.open, true);
  assert.equal(
    underneath(hunk?.rows ?? []).map(({ is, text }) => `${is} ${text}`),
    ['same a', 'old let x = 1;', 'old gone', 'new let x = 23;', 'new ++come', 'new more'],
  );
});

test('what differs is pieces of its own, whatever their colours', () => {
  const pieces = [
    { text: 'let ', kind: 'keyword' },
    { text: 'x = 1', kind: '' },
  ];
  assert.equal(
    withDifference(pieces, [2, 6]).map(({ text, differs }) => [text, differs]),
    [
      ['le', undefined],
      ['t ', true],
      ['x ', true],
      ['= 1', undefined],
    ],
  );
});

test('of ten thousand rows those are there that are seen, and a few around them', () => {
  const { placed, height } = place(
    Array.from({ length: 10_000 }, (_, i) => i),
    () => 68,
  );
  assert.is(height, 680_000);
  assert.equal(
    seen(placed, 680, 1360, 100).map(({ item }) => item),
    Array.from({ length: 14 }, (_, i) => i + 8),
  );
  assert.equal(seen([], 0, 900, 100), []);
});

/** WCAG 2.2, 1.4.3. */
function contrast(a: string, b: string): number {
  const light = (colour: string): number => {
    const [r = 0, g = 0, blue = 0] = [1, 3, 5].map((i) => {
      const part = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [more = 0, less = 0] = [light(a), light(b)].sort((x, y) => y - x);
  return (more + 0.05) / (less + 0.05);
}

test('every text can be read on what it stands on, in light and in dark (WCAG AA)', () => {
  const css = fs.readFileSync(join(top, 'src/cli/ui/page/style/colours.css'), 'utf8');
  const [light = '', dark = ''] = [...css.matchAll(/:root \{(.*?)\}/gs)].map(([, rules = '']) => rules);
  const read = (rules: string): [string, string][] =>
    [...rules.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', colour = '']) => [name, colour]);
  const on: Readonly<Record<string, readonly string[]>> = {
    text: ['page', 'panel', 'raised', 'hover', 'chosen', 'old', 'old-mark', 'new', 'new-mark'],
    quiet: ['page', 'panel', 'raised', 'hover', 'chosen', 'old', 'new'],
    accent: ['page', 'panel', 'chosen'],
    'on-accent': ['accent'],
    good: ['panel', 'hover', 'chosen', 'good-back', 'new'],
    bad: ['panel', 'hover', 'chosen', 'bad-back', 'old'],
    warn: ['warn-back'],
    ...Object.fromEntries(
      ['comment', 'keyword', 'string', 'number', 'name'].map((name) => [
        `c-${name}`,
        ['panel', 'old', 'old-mark', 'new', 'new-mark'],
      ]),
    ),
  };
  for (const rules of [light, light + dark]) {
    const colours = new Map(read(rules));
    for (const [name, places] of Object.entries(on))
      for (const place of places) {
        const found = contrast(colours.get(name) ?? '', colours.get(place) ?? '');
        assert.ok(
          found >= 4.5,
          `${name} on ${place}: ${found.toFixed(2)} (${colours.get(name)} ${colours.get(place)})`,
        );
      }
  }
});

test.run();
