import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planLine } from '../../src/effects/plan.ts';
import { describe, log } from '../../src/platform/log.ts';
import { captureDue, takeDueCaptures } from '../../src/saving/background.ts';
import { beginPlanned } from '../../src/saving/begin.ts';
import { pruneWhenDue } from '../../src/saving/prune.ts';
import { settleAll } from '../../src/saving/settle/settle.ts';
import { openWorld } from '../../src/saving/world.ts';
import { nextOrder } from '../../src/turns/order.ts';
import { scene } from './given.ts';

const tree = (top: string): string[] =>
  fs
    .readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${fs.lstatSync(join(top, name)).mtimeMs} ${fs.lstatSync(join(top, name)).uid}`);

if (process.getuid?.() !== 0) console.log('skipped: only root can be in another user’s home');
else {
  for (const made of [true, false])
    test(`a home of another user (sudo -E)${made ? '' : ' that is not there yet'}: nobody writes a thing`, async () => {
      const s = scene();
      const home = join(s.top, 'user/.local/share/belay');
      if (made) fs.mkdirSync(join(home, 'logs'), { recursive: true });
      for (const path of [
        join(s.top, 'user'),
        ...fs
          .readdirSync(join(s.top, 'user'), { recursive: true, encoding: 'utf8' })
          .map((name) => join(s.top, 'user', name)),
      ])
        fs.chownSync(path, 12_345, 12_345);
      const before = tree(join(s.top, 'user'));
      const env = new Map([...s.world.env, ['BELAY_HOME', home]] as [string, string][]);
      const world = await openWorld(env);
      assert.ok(world.off);
      assert.match(world.foreign ?? '', /belongs to user 12345/);
      fs.writeFileSync(join(s.root, 'a'), 'x');
      const line = {
        text: 'rm a',
        shell: 'bash' as const,
        cwd: s.root,
        variables: new Map(),
        aliases: new Map(),
        functions: new Map(),
        options: new Set<string>(),
      };
      assert.is((await beginPlanned(s.turn('1'), planLine(line), world)).kind, 'off');
      captureDue(world, s.root);
      await takeDueCaptures(world);
      await settleAll(world, { wait: 0 });
      pruneWhenDue(world);
      log(home, describe(new Error('x')));
      assert.throws(() => nextOrder(home), /belongs to user/);
      assert.equal(tree(join(s.top, 'user')), before);
    });
}

test('a broken configuration and a switched-off shell delete nothing', async () => {
  const s = scene();
  fs.mkdirSync(join(s.top, 'user/.config/belay'), { recursive: true });
  fs.writeFileSync(join(s.top, 'user/.config/belay/config.yaml'), 'checkpoints: [\n');
  const world = await openWorld(s.world.env);
  assert.ok(world.unsure);
  nextOrder(s.home);
  fs.mkdirSync(join(s.home, 'checkpoints/store'));
  fs.writeFileSync(join(s.home, 'checkpoints/store/HEAD'), '');
  fs.utimesSync(join(s.home, 'checkpoints/store/HEAD'), 0, 0);
  pruneWhenDue(world);
  assert.not.ok(fs.existsSync(join(s.home, 'checkpoints/.last_prune')));
  fs.writeFileSync(join(s.top, 'user/.config/belay/config.yaml'), 'checkpoints: { retention_days: 90 }\n');
  const off = await openWorld(new Map([...s.world.env, ['BELAY_DISABLE', '1']]));
  assert.equal([off.off, off.unsure, off.config.checkpoints.retention_days], [true, undefined, 90]);
});

test.run();
