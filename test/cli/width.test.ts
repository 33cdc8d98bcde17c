import { strict as assert } from 'node:assert';
import stringWidth from 'string-width';
import { suite } from 'uvu';
import { widthOf } from '../../src/cli/style.ts';

const width = suite('widths on a terminal');

width('the short way to count cells gives what the long way does', () => {
  const texts = [
    '',
    'plain text ~',
    '✗ sed replaces a.txt',
    'a → b · c…',
    '✓',
    '漢字',
    'e\u0301',
    '👍🏽',
    'tab\t',
    '\u001b[1mbold\u001b[0m',
  ];
  for (const text of texts) assert.equal(widthOf(text), stringWidth(text), JSON.stringify(text));
});

width.run();
