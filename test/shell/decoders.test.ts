import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DECODERS } from '../../src/shell/output/decoders.ts';

const SAMPLE = 'rm  a.txt\nrm b.txt\nrm b.txt\n\nlast:one two';

const lines: readonly (readonly [program: string, input: string, ...args: string[]])[] = [
  ['base64', 'cm0gYS50eHQ=\n', '-d'],
  ['base64', 'cm0g\nYS50eHQ=\n', '--decode'],
  ['base64', SAMPLE.repeat(4)],
  ['base64', SAMPLE.repeat(4), '-w0'],
  ['openssl', 'cm0gYS50eHQ=\n', 'base64', '-d'],
  ['xxd', '726d20612e747874', '-r', '-p'],
  ['rev', SAMPLE],
  ['tac', `${SAMPLE}\n`],
  ['tr', SAMPLE, 'a-z', 'n-za-m'],
  ['tr', SAMPLE, '-d', 'x\n'],
  ['tr', SAMPLE, ' ', '\\n'],
  ['tr', SAMPLE, 'a-c', 'x'],
  ['head', SAMPLE, '-n1'],
  ['head', SAMPLE, '-n', '2'],
  ['head', SAMPLE, '-2'],
  ['head', SAMPLE],
  ['tail', SAMPLE, '-n', '1'],
  ['tail', SAMPLE, '-n0'],
  ['cut', SAMPLE, '-d', ' ', '-f2-'],
  ['cut', SAMPLE, '-d:', '-f1'],
  ['cut', SAMPLE, '-f1', '-d', ' '],
  ['cut', SAMPLE, '-c2-4'],
  ['uniq', `${SAMPLE}\n`],
];

test('what comes out of a filter is what the program itself says', () => {
  for (const [program, input, ...args] of lines) {
    const printer = DECODERS.find(([name]) => name === program)?.[1];
    const said = printer?.({ args, input, context: { stdin: { kind: 'terminal' } } } as never)?.text;
    let real: string;
    try {
      real = execFileSync(program, args, {
        input: Buffer.from(input, 'latin1'),
        stdio: ['pipe', 'pipe', 'ignore'],
      }).toString('latin1');
    } catch {
      continue; // the program is not on this machine
    }
    assert.is(said, real, [program, ...args].join(' '));
  }
});

test('an option or set that is not followed makes the output unknown', () => {
  for (const [program, ...args] of [
    ['tr', '[:lower:]', 'x'],
    ['head', '-c', '3'],
    ['rev', 'file'],
    ['tac', '-s', 'x'],
    ['base64', 'file'],
    ['cut', '-f1', 'file'],
    ['uniq', '-c'],
  ])
    assert.is(
      DECODERS.find(([name]) => name === program)?.[1]({
        args,
        input: SAMPLE,
        context: { stdin: { kind: 'terminal' } },
      } as never),
      undefined,
      args.join(' '),
    );
});

test.run();
