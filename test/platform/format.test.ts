import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newerHome, noteFormat } from '../../src/platform/format.ts';

const home = fs.mkdtempSync(join(tmpdir(), 'belay-format-'));
process.once('exit', () => fs.rmSync(home, { recursive: true, force: true }));

test('a home is touched only where its format is known: a higher one, and what is no number, keeps belay out', () => {
  assert.is(newerHome(home), undefined);
  noteFormat(home);
  assert.is(newerHome(home), undefined);
  const said = (text: string): string => {
    fs.writeFileSync(join(home, 'format'), text);
    return newerHome(home) ?? '';
  };
  assert.is(said('1'), '');
  for (const text of ['2\n', '10'])
    assert.match(said(text), /written by a newer belay \(format (2|10), this one knows 1\)/);
  for (const text of ['', '\n', '2 (beta)', 'v2', '0', '-1', '1.5', '1e0', '99999999999999999999'])
    assert.match(said(text), /written by a newer belay, or is damaged .*: not read, not written/, text);
});

test.run();
