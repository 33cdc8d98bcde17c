import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { differences, takePicture } from '../../src/cli/demo/picture.ts';
import { readStory } from '../../src/cli/demo/story.ts';
import { Terminal } from '../../src/cli/demo/terminal.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'belay-demo-test-')));

const demo = suite('belay demo, its parts');
demo.after(() => fs.rmSync(top, { recursive: true, force: true }));

demo('the story tells, types and expects', () => {
  assert.deepEqual(readStory('# for editors\n## look\n\nrm -rf a\n#= hurt\n'), [
    { what: 'tell', text: 'look' },
    { what: 'type', line: 'rm -rf a' },
    { what: 'expect', state: 'hurt' },
  ]);
  assert.throws(() => readStory('#= nice\n'), /whole or hurt/);
});

demo('the story that is shipped destroys, and brings back', () => {
  const story = readStory(fs.readFileSync(join(root, 'shims/demo-session.bash'), 'utf8'));
  const typed = story.flatMap((beat) => (beat.what === 'type' ? [beat.line] : []));
  for (const line of ['rm -rf src .env', 'git checkout -- .', '>notes.txt', 'belay list', 'belay undo'])
    assert.ok(typed.includes(line), line);
  const last = story.at(-1);
  assert.ok(last?.what === 'expect' && last.state === 'whole');
});

demo('one byte, one mode, one name more or less is seen', () => {
  const folder = join(top, 'picture');
  fs.mkdirSync(join(folder, 'a/.git'), { recursive: true });
  fs.writeFileSync(join(folder, 'a/f'), 'x\r\n', { mode: 0o600 });
  fs.symlinkSync('a', join(folder, 'l'));
  const before = takePicture(folder);
  assert.deepEqual(differences(before, takePicture(folder)), []);
  fs.writeFileSync(join(folder, 'a/f'), 'x\n');
  assert.match(differences(before, takePicture(folder)).join(), /^a\/f is file 600/);
  fs.writeFileSync(join(folder, 'a/f'), 'x\r\n');
  fs.chmodSync(join(folder, 'a/f'), 0o644);
  assert.match(differences(before, takePicture(folder)).join(), /^a\/f is file 644/);
  fs.chmodSync(join(folder, 'a/f'), 0o600);
  fs.rmSync(join(folder, 'l'));
  fs.writeFileSync(join(folder, 'new'), '');
  assert.deepEqual(differences(before, takePicture(folder)), ['l is missing', 'new should not be there']);
});

for (const script of [true, false]) {
  demo(
    `lines are typed at a real prompt ${script ? 'on a terminal' : 'on pipes, where there is no script(1)'}`,
    async () => {
      const rc = join(top, 'rc');
      const setup = fs.readFileSync(join(root, 'shims/demo-rc.bash'), 'utf8').replace(/^eval.*$/m, '');
      fs.writeFileSync(rc, `${setup}PS0='[PS0]'\n`);
      const path = script ? (process.env['PATH'] ?? '') : withoutScript();
      const terminal = new Terminal(['bash', '--rcfile', rc, '-i'], top, { PATH: path, HOME: top, TERM: 'dumb' });
      try {
        await terminal.prompt();
        assert.equal(await terminal.type('echo one; echo two >&2'), '[PS0]one\ntwo\n');
        assert.equal(await terminal.type("printf 'no end'"), '[PS0]no end');
        if (!script) assert.equal(terminal.on, 'pipe');
        await assert.rejects(terminal.type('exit 3'), /the shell ended/);
      } finally {
        terminal.close();
      }
    },
  );
}

function withoutScript(): string {
  const folder = join(top, 'bin');
  fs.mkdirSync(folder);
  for (const from of ['/bin', '/usr/bin'])
    for (const name of ['bash', 'sh', 'stty']) {
      if (fs.existsSync(join(from, name)) && !fs.existsSync(join(folder, name)))
        fs.symlinkSync(join(from, name), join(folder, name));
    }
  return folder;
}

demo.run();
