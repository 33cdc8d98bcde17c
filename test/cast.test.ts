import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { readCast } from '../scripts/cast/asciicast.ts';
import { draw } from '../scripts/cast/draw.ts';
import { tourLines } from '../scripts/cast/record.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const text = fs.readFileSync(join(root, 'docs/tour.cast'), 'utf8');
const svg = fs.readFileSync(join(root, 'docs/tour.svg'), 'utf8');
const cast = suite('cast');

cast('docs/tour.cast is an asciicast of the lines of the README (npx tsx scripts/cast.ts records it anew)', () => {
  assert.equal((JSON.parse(text.split('\n')[0] ?? '') as { version: number }).version, 2);
  const { events } = readCast(text);
  assert.deepEqual(
    events.map(({ at }) => at),
    events.map(({ at }) => at).sort((a, b) => a - b),
  );
  const shown = events.map((event) => event.text).join('');
  let from = 0;
  for (const line of tourLines(root)) {
    const found = shown.indexOf(line, from);
    assert.ok(found >= 0, `not typed: ${line}`);
    from = found + line.length;
  }
  assert.doesNotMatch(shown, /\/tmp\/|belay-demo|belay-cast/);
});

cast(
  'docs/tour.svg is drawn from it (npx tsx scripts/cast.ts --draw), under 300 KB, with no script and nothing from outside',
  async () => {
    assert.equal(svg, await draw(readCast(text)));
    assert.ok(svg.length < 300_000, `${svg.length} bytes`);
    assert.doesNotMatch(svg, /<script|<foreignObject|<image|\son\w+=|url\(|@import|javascript:/i);
    for (const [, link] of svg.matchAll(/href="([^"]*)"/g)) assert.match(link ?? '', /^#r\d+$/);
    assert.deepEqual([...new Set(svg.match(/https?:\/\/[^"]+/g))], ['http://www.w3.org/2000/svg']);
  },
);

cast.run();
