import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { at } from './given.ts';
import type { Room } from './recorder.ts';

/** Whether belay-snap is asked for a sweep, waited for: it is started in the background, so nothing here may take its word away. */
async function sweeps(place: Room): Promise<boolean> {
  const record = place.env['BELAY_TEST_RECORD'] ?? '';
  for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((done) => setTimeout(done, 20)))
    if (fs.existsSync(record) && fs.readFileSync(record, 'latin1').includes('sweep')) return true;
  return false;
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  test(`${shell} starts a sweep of install states where its time has come`, () =>
    at(
      shell,
      '{belay}',
      async (_, place) => {
        assert.ok(await sweeps(place));
      },
      { prepare: (place) => fs.mkdirSync(join(place.folder, 'belay/installs'), { recursive: true }) },
    ));
}

test('no sweep is started where there are no install states, or before its time', async () => {
  const quiet = async (prepare: (place: Room) => void): Promise<void> =>
    at(
      'bash',
      '{belay}',
      async (terminal, place) => {
        await terminal.type('true');
        assert.equal(place.asked(), []);
      },
      { prepare },
    );
  await quiet(() => undefined);
  await quiet((place) => {
    for (const name of ['installs', 'worktrees']) fs.mkdirSync(join(place.folder, 'belay', name), { recursive: true });
    fs.writeFileSync(join(place.folder, 'belay/worktrees/next-sweep'), `${Math.floor(Date.now() / 1000) + 3600}\n`);
  });
});

test.run();
