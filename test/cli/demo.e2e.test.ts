import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { belay, clear, place } from '../bad-input/given.ts';

const demo = suite('belay demo');
demo.after(clear);

demo('destroys and brings back, byte for byte, and leaves nothing', () => {
  const given = place();
  const temporary = join(given.folder, 'tmp');
  fs.mkdirSync(temporary);
  const said = belay(given, ['demo', '--json'], { TMPDIR: temporary });
  assert.equal(said.status, 0, said.stdout + said.stderr);
  const document = JSON.parse(said.stdout) as { ok: boolean; files: number; steps: { what: string }[] };
  assert.ok(document.ok && document.files >= 7);
  assert.ok(document.steps.filter(({ what }) => what === 'expect').length >= 4);
  assert.deepEqual(fs.readdirSync(temporary), []);
});

demo('shows it as a person sees it', () => {
  const said = belay(place(), ['demo']);
  assert.equal(said.status, 0, said.stdout + said.stderr);
  assert.match(said.stdout, /\$ rm -rf src \.env\n/);
  assert.match(said.stdout, /every byte and every mode is back/);
  assert.match(said.stdout, /belay works here/);
});

demo('what is switched off around it does not switch it off', () => {
  const given = place();
  const said = belay(given, ['demo'], { BELAY_DISABLE: '1', GIT_DIR: '/nowhere', HISTCONTROL: 'ignoreboth' });
  assert.equal(said.status, 0, said.stdout + said.stderr);
});

demo('fails loudly when nothing is saved, and keeps the folder for a look', () => {
  const given = place();
  for (const name of ['belay-snap', 'belay-snap.cjs']) fs.rmSync(join(given.install, 'dist', name), { force: true });
  const said = belay(given, ['demo'], { TMPDIR: given.folder });
  assert.equal(said.status, 1);
  assert.match(said.stdout, /FAILED/);
  const kept = /the folder is kept: (\S+)/.exec(said.stdout)?.[1] ?? '';
  assert.ok(fs.existsSync(join(kept, 'shop')));
});

demo.run();
