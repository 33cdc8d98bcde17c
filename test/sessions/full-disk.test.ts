import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readStory } from '../../src/sessions/find.ts';
import { appendEvents, journalFile } from '../../src/turns/journal.ts';
import { builtSnap } from '../built.ts';
import type { Terminal } from '../pty/terminal.ts';
import { at } from '../shims/given.ts';
import { shells } from '../shims/prefilters.ts';
import { type Room, root } from '../shims/recorder.ts';

builtSnap();
const test = suite('a full disk');

/** belay's folder on a small file system of its own, with something to make room by; false where nobody may mount. */
function small(folder: string): boolean {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=700', 'none', folder]).status !== 0) return false;
  fs.mkdirSync(join(folder, 'sessions'), { mode: 0o700 });
  fs.writeFileSync(join(folder, 'ballast'), Buffer.alloc(64 << 10));
  return true;
}

const linesOf = (home: string, session: string): string[] =>
  readStory(home, session).turns.flatMap(({ commands }) => commands.map(({ line }) => line));

/** Several shells and a program that write until nothing can be written, and what each was told had been written. */
const WRITER = `i=0; while printf '{"e":"command","t":1,"turn":"%s","line":"%s","cwd":"/"}\\n' "$1" "$1-$i" >>"$2"; do echo "$1-$i"; i=$((i+1)); done`;

async function fullAndBack(terminal: Terminal, place: Room, mounted: boolean): Promise<void> {
  if (!mounted) return console.log('may not mount here: skipped');
  const home = join(place.folder, 'belay');
  const { text } = await terminal.type('echo "$BELAY_SESSION"');
  const session = text.trim();
  const file = journalFile(home, session);
  const written = spawnSync('bash', ['-c', WRITER, 'bash', 'sh', file], { encoding: 'utf8' });
  assert.throws(() => appendEvents(home, session, [{ e: 'end', t: 1 }]), /ENOSPC/);
  const said = [];
  for (let i = 0; i < 3; i++) said.push((await terminal.type(`echo full ${i}`)).text);
  // belay-snap tries behind the prompt, and says so at a later one.
  for (const end = Date.now() + 20_000; !said.join('').includes('not recorded'); ) {
    assert.ok(Date.now() < end, said.join(''));
    said.push((await terminal.type('true')).text);
  }
  said.push((await terminal.type('true')).text, (await terminal.type('true')).text);
  assert.equal(
    said
      .slice(0, 3)
      .join('')
      .replace(/belay: .*\n/g, ''),
    'full 0\nfull 1\nfull 2\n',
  );
  assert.match(said.join(''), /belay: lines are not recorded for now \(ENOSPC\)/);
  assert.is(said.join('').match(/belay: /g)?.length, 1, said.join(''));
  // fish says so itself, whatever its output is redirected to.
  assert.ok((said.join('').match(/write: /g)?.length ?? 0) <= 1, said.join(''));
  fs.rmSync(join(home, 'ballast'));
  await terminal.type('echo "there is room"');
  const acknowledged = written.stdout.trim().split('\n');
  assert.ok(acknowledged.length > 100);
  const again = 'echo "there is room"';
  for (const end = Date.now() + 20_000; !linesOf(home, session).includes(again); ) {
    assert.ok(Date.now() < end, 'nobody recorded the line');
    await new Promise((done) => setTimeout(done, 20));
  }
  const lines = linesOf(home, session);
  assert.equal(
    acknowledged.filter((line) => !lines.includes(line)),
    [],
  );
  assert.is(lines.filter((line) => line === again).length, 1);
}

for (const shell of shells)
  test(`${shell}: what was recorded is never lost, a half line costs nobody anything, and the person is told once`, () => {
    let mounted = false;
    return at(
      shell,
      '{belay}',
      async (terminal, place) => {
        try {
          await fullAndBack(terminal, place, mounted);
        } finally {
          spawnSync('umount', ['-l', join(place.folder, 'belay')]);
        }
      },
      {
        prepare: (place: Room) => {
          mounted = small(join(place.folder, 'belay'));
        },
        env: { BELAY_SNAP: join(root, 'bin/belay-snap') },
      },
    );
  });

test.run();
