import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskSecrets } from '../../src/platform/secrets.ts';

/** The line as typed, and as it may be kept. */
const LINES: readonly (readonly [typed: string, kept: string])[] = [
  ["TOKEN=$'x y' make", 'TOKEN=*** make'],
  ['TOKEN=a"b c"d make', 'TOKEN=*** make'],
  ["export GITHUB_TOKEN='a b'c && rm x", 'export GITHUB_TOKEN=*** && rm x'],
  ['env DB_PASS=a\\ b rm x', 'env DB_PASS=*** rm x'],
  ['"TOKEN=x y" rm x', '"TOKEN=***" rm x'],
  ['TOKEN+=x rm x', 'TOKEN+=*** rm x'],
  ['SECRETS=(a b) rm x', 'SECRETS=(***) rm x'],
  ['curl -u user:"x y" https://h', 'curl -u user:*** https://h'],
  ['curl --user u:p https://h', 'curl --user u:*** https://h'],
  ['curl --user=u:p https://h', 'curl --user=u:*** https://h'],
  ['curl -uu:p https://h', 'curl -uu:*** https://h'],
  ["curl -u 'u:p q' h", "curl -u 'u:***' h"],
  ['docker run -u 1000:1000 x', 'docker run -u 1000:1000 x'],
  ['git clone https://TOKEN@host/r', 'git clone https://***@host/r'],
  ['git clone https://u:p@host/r', 'git clone https://u:***@host/r'],
  ['git clone https://u:"p q"@host/r', 'git clone https://u:***@host/r'],
  ['git clone ssh://git@host/r', 'git clone ssh://git@host/r'],
  ['psql postgres://u:p@h/db', 'psql postgres://u:***@h/db'],
  ['set -x TOKEN x', 'set -x TOKEN ***'],
  ['set -gx GITHUB_TOKEN a b; rm x', 'set -gx GITHUB_TOKEN *** ***; rm x'],
  ['setenv API_KEY x', 'setenv API_KEY ***'],
  ['set -e; rm x', 'set -e; rm x'],
  ['login --password "x y" z', 'login --password *** z'],
  ['login --api-key=x z', 'login --api-key=*** z'],
  ['docker login --password-stdin x', 'docker login --password-stdin x'],
  ['docker build --build-arg API_KEY=x .', 'docker build --build-arg API_KEY=*** .'],
  [
    'kubectl create secret generic s --from-literal=password=x',
    'kubectl create secret generic s --from-literal=password=***',
  ],
  ["curl 'https://h/?token=x&y=1'", "curl 'https://h/?token=***'"],
  ['sshpass -p x ssh h', 'sshpass -p *** ssh h'],
  ['mysql -u root -p"x y" db', 'mysql -u root -p*** db'],
  ['redis-cli -a x flushall', 'redis-cli -a *** flushall'],
  ["bash -c 'export TOKEN=x; rm y'", "bash -c 'export TOKEN=***; rm y'"],
  [`ssh h "bash -c 'TOKEN=x rm y'"`, `ssh h "bash -c 'TOKEN=***'"`],
  [`curl -d '{"password": "x"}' h`, `curl -d '{"password": "***"}' h`],
  ["curl -H 'Authorization: Bearer x' h", "curl -H 'Authorization: ***' h"],
  ['openssl rsa -passin pass:x', 'openssl rsa -passin ***'],
  ['openssl rsa -in pass:x', 'openssl rsa -in pass:***'],
  ['TOKEN=$(pass show x) rm y', 'TOKEN=$(pass show x) rm y'],
  ['TOKEN=$OTHER rm y', 'TOKEN=$OTHER rm y'],
  ['TOKEN=${X:-x} rm y', 'TOKEN=*** rm y'],
  ['rm -rf build dist # passing', 'rm -rf build dist # passing'],
  ['cp compass.txt bypass/ && rm author.md', 'cp compass.txt bypass/ && rm author.md'],
  ['rm passwords.txt', 'rm passwords.txt'],
  ['echo ghp_abcdefghijklmnopqrstuvwxyz > f', 'echo *** > f'],
];

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
  ]) {
    time(part.repeat(1000));
    const small = Math.max(2000, time(part.repeat(4_000)));
    assert.ok(time(part.repeat(64_000)) < 80 * small, `${part} is not linear`);
  }
});

test.run();
