import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskSecrets } from '../../src/platform/secrets.ts';
import { LINES } from './secret-lines.ts';

test('a stored line keeps no secret: whole shell words are masked, whatever quotes they are made of', () => {
  for (const [typed, kept] of LINES) assert.is(maskSecrets(typed), kept, typed);
});

test('masking twice changes nothing', () => {
  for (const [, kept] of LINES) assert.is(maskSecrets(kept), kept);
});

test('a long line of the worst shape takes a time that grows with its length', () => {
  const time = (line: string): number => {
    const start = process.cpuUsage();
    maskSecrets(line);
    const used = process.cpuUsage(start);
    return used.user + used.system;
  };
  for (const part of [
    'a.',
    'TOKEN',
    '-----BEGIN ',
    'a=',
    '"',
    "'",
    'x-',
    '://',
    'pass:',
    '"token"',
    '\\"token',
    'a:b@',
    '$(',
    'token=$(echo ',
    'login a password',
    'secret: ',
  ]) {
    time(part.repeat(1000));
    const small = Math.max(2000, time(part.repeat(4_000)));
    assert.ok(time(part.repeat(64_000)) < 80 * small, `${part} is not linear`);
  }
});

test.run();
