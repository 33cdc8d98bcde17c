import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { test } from 'uvu';
import type { LeftOut } from '../../src/checkpoint/record.ts';
import { walkTargets } from '../../src/saving/hold/wanted.ts';
import { target } from './given.ts';

const PROC = 0x9fa0;

if (fs.existsSync('/proc/self') && fs.statfsSync('/proc').type === PROC)
  test('what the kernel makes up is left out as one entry, with the reason', () => {
    for (const path of ['/proc', '/proc/1']) {
      const leftOut: LeftOut[] = [];
      walkTargets([target(path)], { skip: [], never: [] }, leftOut, ({ path }) => assert.fail(`${path} is wanted`));
      assert.deepEqual(
        leftOut.map((one) => one.path),
        [path],
      );
      assert.match(leftOut[0]?.reason ?? '', /^proc: /);
    }
  });
else console.log('skipped: no /proc here');

test.run();
