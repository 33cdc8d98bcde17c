import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { acquire } from '../../src/platform/lock.ts';
import { takeSessionNotice, tellSession } from '../../src/turns/notice.ts';

const folder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'belay-notice-'));

test('what is left for a session is told once, in its order', () => {
  const home = folder();
  assert.is(takeSessionNotice(home, 'claude-1'), undefined);
  tellSession(home, 'claude-1', 'turn 3 was rolled back: a.txt');
  tellSession(home, 'claude-1', 'turn 2 was rolled back: b.txt\nand a line break');
  tellSession(home, 'other', 'for somebody else');
  assert.is(
    takeSessionNotice(home, 'claude-1'),
    'turn 3 was rolled back: a.txt\nturn 2 was rolled back: b.txt and a line break',
  );
  assert.is(takeSessionNotice(home, 'claude-1'), undefined);
  assert.is(takeSessionNotice(home, 'other'), 'for somebody else');
});

test('a line that comes never comes between the reading and the removing of others', () => {
  const home = folder();
  tellSession(home, 'claude-1', 'first');
  const lock = acquire(path.join(home, 'sessions/notices.lock'), 0);
  assert.ok(lock);
  assert.is(takeSessionNotice(home, 'claude-1'), undefined, 'not while somebody is at it');
  assert.throws(() => tellSession(home, 'claude-1', 'second'));
  lock?.release();
  tellSession(home, 'claude-1', 'second');
  assert.is(takeSessionNotice(home, 'claude-1'), 'first\nsecond');
});

test('a notice is readable by its owner only, and a hostile id leads nowhere', () => {
  const home = folder();
  tellSession(home, '../../evil', 'x');
  const [name, ...rest] = fs.readdirSync(path.join(home, 'sessions')).filter((one) => !one.startsWith('notices.lock'));
  assert.equal(rest, []);
  assert.match(name ?? '', /^=[0-9a-f]+\.notice$/);
  assert.is(fs.statSync(path.join(home, 'sessions', name ?? '')).mode & 0o777, 0o600);
  assert.is(takeSessionNotice(home, '../../evil'), 'x');
});

test.run();
