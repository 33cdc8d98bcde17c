/**
 * The other process of the races: does what it is told on standard input, one JSON a line, after so many microseconds, and answers on
 * standard output. It is not told what the first one does meanwhile.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { leaseCurrent, prepare } from '../../src/installs/prepare.ts';

export type Deed =
  | { readonly deed: 'recreate'; readonly home: string; readonly checkout: string; readonly after: number }
  | { readonly deed: 'lease'; readonly home: string; readonly checkout: string; readonly after: number }
  | { readonly deed: 'write'; readonly file: string; readonly text: string; readonly after: number };

const wait = (microseconds: number): void => {
  const until = process.hrtime.bigint() + BigInt(microseconds) * 1000n;
  while (process.hrtime.bigint() < until);
};

async function act(deed: Deed): Promise<unknown> {
  wait(deed.after);
  switch (deed.deed) {
    case 'recreate': {
      fs.mkdirSync(deed.checkout);
      const done = await prepare(deed.home, deed.checkout, async (environment) => {
        fs.writeFileSync(join(environment, 'mark'), 'new');
        return 0;
      });
      return done.is;
    }
    case 'lease': {
      const leased = leaseCurrent(deed.home, deed.checkout);
      return leased?.environment ?? null;
    }
    case 'write':
      try {
        fs.writeFileSync(deed.file, deed.text);
        return true;
      } catch {
        return false; // the folder has gone: the writer knows
      }
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify((await act(JSON.parse(line))) ?? null)}\n`);
