import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskSecrets } from '../../src/platform/secrets.ts';
import { FORMS, HARMLESS } from './secret-forms.ts';
import { LINES } from './secret-lines.ts';

test('a stored line keeps no secret: whole shell words are masked, whatever quotes they are made of', () => {
  for (const [typed, kept] of LINES) assert.is(maskSecrets(typed), kept, typed);
});

test('of what people type no secret is left: variables, options, logins, what is piped or written into files of secrets', () => {
  assert.ok(FORMS.length >= 150);
  for (const typed of FORMS) {
    const kept = maskSecrets(typed);
    assert.not.match(kept, /zq9/i, typed);
    assert.is(maskSecrets(kept), kept, typed);
  }
});

test('lines that only look like it stay as they are', () => {
  assert.ok(HARMLESS.length >= 60);
  for (const typed of HARMLESS) assert.is(maskSecrets(typed), typed);
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
    'sudo -S <<a ',
    'echo a | sudo -S;',
    'echo a | ',
    'login -p ',
    's/token/',
    'config token ',
  ]) {
    time(part.repeat(1000));
    const small = Math.max(2000, time(part.repeat(4_000)));
    assert.ok(time(part.repeat(64_000)) < 80 * small, `${part} is not linear`);
  }
});

test.run();
