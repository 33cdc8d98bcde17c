import { strict as same } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Call, Failure } from '../../src/cli/command.ts';
import { browsers } from '../../src/cli/ui/browser.ts';
import type { Difference, RestoreAnswer, Timeline } from '../../src/cli/ui/documents.ts';
import { judge, newKeys } from '../../src/cli/ui/gate.ts';
import { serveUntilEnd } from '../../src/cli/ui/serve.ts';
import { listen } from '../../src/cli/ui/server.ts';
import { builtBelay } from '../built.ts';
import { belay, project, put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { turn } from './turns.ts';
import { type Served, served } from './ui-served.ts';

const at = inOwnHome(fileURLToPath(import.meta.url));
const root = project(at, { a: 'one\ntwo\n', b: 'b\n' });
const HOSTILE = '<img src=x onerror=alert(1)> \u202etxt.\x1b[31m';
turn(at.home, root, `rm a # ${HOSTILE}`, () => fs.rmSync(join(root, 'a')));
turn(at.home, root, 'echo x > b', () => put(root, { b: 'x\n' }), '20250101_000001_abcdef', {
  leftOut: [{ path: 'big.iso', reason: 'larger than hold.max_mb' }],
});

let page: Served;
test.before(async () => {
  page = await served(at.top, root);
});
test.after(() => page.server.close());

const timeline = async (): Promise<Timeline> => (await page.ask('/api/timeline')).json as unknown as Timeline;
const rowOf = async (n: number): Promise<Timeline['rows'][number]> => {
  const found = (await timeline()).rows.find((row) => row.n === n);
  if (found === undefined) throw new Error(`no checkpoint ${n}`);
  return found;
};
const wish = async (n: number, more: object = {}): Promise<object> => {
  const { key, id } = await rowOf(n);
  return { key, id, what: 'rollback', ...more };
};

test('the address works once, and gives a cookie that no script can read and no other site sends', async () => {
  const [, path] = /^http:\/\/127\.0\.0\.1:\d+(\/open\/[\w-]{32})$/.exec(page.server.url) ?? [];
  const ahead = await page.ask(path ?? '', { 'sec-purpose': 'prefetch;prerender' });
  assert.is(ahead.status, 503);
  assert.is((await page.ask(`${path}x`, {})).status, 403);
  const first = await page.ask(path ?? '', { 'sec-fetch-site': 'cross-site' });
  assert.is(first.status, 200);
  assert.match(String(first.headers['set-cookie']), /^belay-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
  assert.match(first.text, /url=\/#key=[\w-]{32}"/);
  const second = await page.ask(path ?? '', {});
  assert.is(second.status, 403);
  assert.is(second.headers['set-cookie'], undefined);
  assert.match(second.text, 'this address has been used');
});

test('nobody is told anything without the cookie and the key of the page; the page alone is told with the cookie', async () => {
  const { cookie = '', 'x-belay-key': key = '' } = page.own;
  for (const [headers, path, status] of [
    [{}, '/', 403],
    [{}, '/main.js', 403],
    [{ cookie }, '/', 200],
    [{ cookie: cookie.slice(0, -1) }, '/', 403],
    [{ cookie: `other=1; ${cookie}; more=2` }, '/main.js', 200],
    [{}, '/api/timeline', 403],
    [{ cookie }, '/api/timeline', 403],
    [{ 'x-belay-key': key }, '/api/timeline', 403],
    [{ cookie, 'x-belay-key': `${key}x` }, '/api/timeline', 403],
    [page.own, '/api/timeline', 200],
    [page.own, '/api/nothing', 404],
    [page.own, '/api/__proto__', 404],
  ] as const)
    assert.is((await page.ask(path, { ...headers })).status, status, `${path} ${JSON.stringify(headers)}`);
});

test('a foreign Host, Origin or site is refused: DNS rebinding and posts of other pages', async () => {
  const { port } = page.server;
  const origin = `http://127.0.0.1:${port}`;
  for (const [more, status] of [
    [{ host: `evil.example:${port}` }, 421],
    [{ host: '127.0.0.1' }, 421],
    [{ host: `127.0.0.1:${port + 1}` }, 421],
    [{ host: `localhost:${port}` }, 200],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: `http://localhost:${port}` }, 403],
    [{ origin }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
  ] as const)
    assert.is((await page.ask('/api/timeline', { ...page.own, ...more })).status, status, JSON.stringify(more));
  const json = 'application/json';
  for (const [more, status] of [
    [{ 'content-type': json }, 403],
    [{ origin: 'http://evil.example', 'content-type': json }, 403],
    [{ origin, 'content-type': 'text/plain' }, 415],
    [{ origin, 'content-type': json }, 400],
  ] as const) {
    const told = await page.ask('/api/restore', { ...page.own, ...more }, 'POST', '{}');
    assert.is(told.status, status, JSON.stringify(more));
  }
  assert.is((await page.ask('/api/restore', { ...page.own, origin }, 'PUT', '{}')).status, 405);
  assert.is((await page.ask('/', page.own, 'POST', '')).status, 405);
});

test('the gate decides by what came, before anything is read', () => {
  const keys = newKeys();
  const headers = { host: '127.0.0.1:7', cookie: `belay-7=${keys.cookie}`, 'x-belay-key': keys.page };
  same.deepEqual(judge({ method: 'GET', path: '/api/x', headers }, keys, 7), { is: 'question' });
  same.equal(judge({ method: 'GET', path: '/api/x', headers }, keys, 8).is, 'refused');
  same.equal(judge({ method: 'GET', path: '/open/', headers }, { ...keys, token: undefined }, 7).is, 'refused');
  same.equal(
    judge({ method: 'GET', path: '/open/undefined', headers }, { ...keys, token: undefined }, 7).is,
    'refused',
  );
});

test('only the files of the page are served, however an address is spelt', async () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '//etc/passwd',
    '/main.js/../../package.json',
    '/./main.js',
    '/etc/passwd',
    '/.built-from',
    '/main.js%00',
  ])
    assert.is((await page.ask(path)).status, 404, path);
  assert.is((await page.ask('/main.js')).headers['content-type'], 'text/javascript; charset=utf-8');
  assert.is((await page.ask('/main.js', page.own, 'HEAD')).text, '');
});

test('every answer forbids scripts, frames and requests that are not its own, and keeping it', async () => {
  for (const path of ['/', '/main.js', '/api/timeline', '/nothing', '/open/x']) {
    const { headers } = await page.ask(path);
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      assert.match(policy, rule, path);
    assert.not.match(policy, /unsafe|https?:|\*/);
    assert.is(headers['x-content-type-options'], 'nosniff');
    assert.is(headers['referrer-policy'], 'no-referrer');
    assert.is(headers['cache-control'], 'no-store');
    assert.is(headers['access-control-allow-origin'], undefined);
  }
});

test('the page asks nothing outside this machine, and is no larger than 400 KB', () => {
  const folder = join(at.top, 'install/dist/ui');
  const files = fs.readdirSync(folder).map((name) => fs.readFileSync(join(folder, name)));
  const all = files.reduce((sum, { length }) => sum + length, 0);
  assert.ok(all < 400 << 10, `${all} bytes`);
  for (const file of files)
    for (const [url] of file.toString().matchAll(/https?:\/\/[\w.-]+/g))
      assert.ok(['http://www.w3.org', 'https://github.com'].includes(url), url); // namespaces; a complaint of highlight.js
});

test('the timeline has what list has, of every project, newest first, with what was left out; a page at a time', async () => {
  const told = await timeline();
  assert.equal(
    told.rows.map(({ n, idle }) => [n, idle]),
    [
      [2, false],
      [1, false],
    ],
  );
  const [second, first] = told.rows;
  assert.equal([second?.left_out_count, second?.left_out[0]?.reason], [1, 'larger than hold.max_mb']);
  assert.match(first?.line ?? '', '<img src=x onerror=alert(1)>');
  assert.equal([told.total, told.here, told.projects[0]?.root], [2, first?.key, root]);
  const part = (await page.ask('/api/timeline?from=1&count=1')).json as unknown as Timeline;
  assert.equal([part.rows.map(({ n }) => n), part.total], [[1], 2]);
  const news = (await page.ask(`/api/timeline?since=${told.stamp}`)).json as unknown as Timeline;
  assert.equal([news.unchanged, news.rows], [true, []]);
  assert.is((await page.ask('/api/timeline?count=-1')).status, 400);
});

test('a difference comes with its lines', async () => {
  const { key, id } = await rowOf(1);
  const shown = (await page.ask(`/api/show?key=${key}&id=${id}`)).json as unknown as Difference;
  assert.equal(
    shown.files.map(({ path, status, patch, at_hand }) => [path, status, patch, at_hand]),
    [['a', 'deleted', '@@ -1,2 +0,0 @@\n-one\n-two\n', true]],
  );
  const path = Buffer.from('a').toString('base64');
  const one = (await page.ask(`/api/diff?key=${key}&id=${id}&path=${path}`)).json as unknown as Difference;
  assert.equal(
    one.files.map((file) => file.path),
    ['a'],
  );
  assert.is((await page.ask(`/api/show?key=${key}&id=7`)).status, 400);
  assert.is((await page.ask(`/api/show?key=../..&id=${id}`)).status, 404);
  assert.is((await page.ask(`/api/show?key=${key}&id=${'0'.repeat(40)}`)).json.error.code, 'no_checkpoint');
});

test('what the store takes over time is told by the checkpoints that are there', async () => {
  const { points, store_bytes } = (await page.ask('/api/store/use')).json as unknown as {
    points: { bytes: number; checkpoints: number }[];
    store_bytes: number;
  };
  assert.equal(points.at(-1)?.checkpoints, 2);
  assert.ok(store_bytes > 0 && (points.at(-1)?.bytes ?? 0) >= 8, JSON.stringify(points));
  assert.is((await page.ask('/api/store/status')).status, 200);
  const { key } = await rowOf(1);
  assert.equal((await page.ask(`/api/worktrees?key=${key}`)).json, { worktrees: [] });
});

test('nothing is restored without a preview that was agreed to and is still true', async () => {
  const preview = await page.order(await wish(1));
  const { outcome, agree, command } = preview.json as unknown as RestoreAnswer;
  assert.equal([preview.status, outcome.restored, outcome.dry_run], [200, ['a', 'b'], true]);
  assert.not(fs.existsSync(join(root, 'a')));
  assert.match(command, /^belay rollback [0-9a-f]{8} -C /);
  assert.is((await page.order(await wish(1, { agreed: 'yes' }))).json.error.code, 'changed_meanwhile');
  put(root, { b: 'by hand\n' });
  const late = await page.order(await wish(1, { agreed: agree }));
  assert.equal([late.status, late.json.error.code], [409, 'changed_meanwhile']);
  assert.not(fs.existsSync(join(root, 'a')));

  const again = (await page.order(await wish(1))).json as unknown as RestoreAnswer;
  assert.equal(
    again.outcome.kept.map(({ path, why }) => [path, why]),
    [['b', 'hand-edit']],
  );
  const done = (await page.order(await wish(1, { agreed: again.agree }))).json as unknown as RestoreAnswer;
  assert.equal([done.outcome.restored, done.outcome.safety], [['a'], 3]);
  assert.equal(
    done.back?.map((one) => [one.n, one.command]),
    [[3, `belay rollback 3 -C ${root}`]],
  );
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'one\ntwo\n');
  assert.is(fs.readFileSync(join(root, 'b'), 'utf8'), 'by hand\n');
  // The command that the page says takes it back.
  assert.equal((await belay(root, 'rollback', '3')).json.removed, ['a']);
});

test('what was edited between the preview and the agreement is not overwritten, although the same paths would be', async () => {
  const shop = project(at, { f: '1\n' });
  const git = (...words: string[]) =>
    spawnSync('git', ['-C', shop, '-c', 'user.name=u', '-c', 'user.email=u@x', ...words]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  await belay(shop, 'checkpoint', 'start');
  put(shop, { f: '2\n' });
  git('commit', '-qam', 'two');
  put(shop, { f: 'edit 1\n' });
  const row = (await timeline()).rows.find((one) => one.label === 'start');
  const all = { key: row?.key, id: row?.id, what: 'rollback', all: true };
  const { agree, outcome } = (await page.order(all)).json as unknown as RestoreAnswer;
  put(shop, { f: 'edit 2\n' });
  const late = await page.order({ ...all, agreed: agree });
  assert.equal([outcome.restored, late.status, late.json.error?.code], [['f'], 409, 'changed_meanwhile']);
  assert.is(fs.readFileSync(join(shop, 'f'), 'utf8'), 'edit 2\n');
  const again = (await page.order(all)).json as unknown as RestoreAnswer;
  assert.is((await page.order({ ...all, agreed: again.agree })).status, 200);
  assert.is(fs.readFileSync(join(shop, 'f'), 'utf8'), '1\n');
});

test('an open page hears that belay is off, and that a project is gone', async () => {
  const gone = project(at, { f: '1\n' });
  turn(at.home, gone, 'rm f', () => fs.rmSync(join(gone, 'f')), '20250101_000004_abcdef');
  const before = await timeline();
  const news = async (stamp: string): Promise<Timeline> =>
    (await page.ask(`/api/timeline?since=${stamp}`)).json as unknown as Timeline;
  assert.is((await news(before.stamp)).unchanged, true);
  fs.rmSync(gone, { recursive: true });
  const after = await news(before.stamp);
  assert.equal([after.unchanged, after.projects.find((one) => one.root === gone)?.state], [undefined, 'orphan']);
});

test('one path alone comes back, by its bytes, whatever it is called', async () => {
  const odd = project(at);
  const name = '*[a] \u202e<b>\n';
  put(odd, { [name]: 'odd\n', other: 'o\n' });
  turn(at.home, odd, 'rm -f *', () => {
    fs.rmSync(join(odd, name));
    fs.rmSync(join(odd, 'other'));
  });
  const { rows } = await timeline();
  const row = rows.find((one) => one.line === 'rm -f *');
  const given = { key: row?.key, id: row?.id, what: 'rollback', paths: [{ path: name }] };
  const { agree, outcome } = (await page.order(given)).json as unknown as RestoreAnswer;
  assert.equal(outcome.restored, [name]);
  assert.is((await page.order({ ...given, agreed: agree })).status, 200);
  assert.equal(fs.readdirSync(odd).sort(), [name, 'package.json'].sort());
  for (const paths of [[], [{ path: '' }], [{}], 'a']) assert.is((await page.order({ ...given, paths })).status, 400);
});

test('a restore is refused as the command refuses it, in its words, and nothing is touched', async () => {
  const far = project(at, { f: '1\n' });
  turn(at.home, far, 'rm f', () => fs.rmSync(join(far, 'f')), '20250101_000002_abcdef', { source: 'ssh:box' });
  const row = (await timeline()).rows.find((one) => one.source === 'ssh:box');
  const told = await page.order({ key: row?.key, id: row?.id, what: 'undo' });
  assert.equal([told.status, told.json.error.code], [409, 'remote_session']);
  assert.match(told.json.error.message, "its paths are that machine's, not this one's");
  assert.equal(await belay(far, 'undo', '1').then(({ code }) => code), 'remote_session');
  assert.not(fs.existsSync(join(far, 'f')));
  assert.is((await page.order({ key: row?.key, id: row?.id, what: 'delete' })).status, 400);
  assert.is((await page.order({ key: row?.key, id: row?.id, what: 'undo', paths: [{ path: 'f' }] })).status, 400);
});

test('a question that fails is answered, and the next one as well', async () => {
  const keys = newKeys();
  const server = await listen(0, keys, new Map(), {
    question: () => Promise.reject(new Error('the disk is on fire')),
    order: () => undefined,
  });
  const { port } = server;
  const headers = { host: `127.0.0.1:${port}`, cookie: `belay-${port}=${keys.cookie}`, 'x-belay-key': keys.page };
  for (let i = 0; i < 2; i++) {
    const told = await fetch(`http://127.0.0.1:${port}/api/x`, { headers });
    const { error } = (await told.json()) as { error: { code: string; message: string } };
    assert.equal([told.status, error.code, error.message], [500, 'failed', 'the disk is on fire']);
  }
  await server.close();
});

test('an answer that no text can be made of is a failure like others, and ends nothing', async () => {
  const keys = newKeys();
  const answers: (() => Promise<unknown>)[] = [
    async () => ({ n: 1n }),
    () => Promise.reject(new Failure(1, 'failed', 'x', undefined, { n: 1n })),
    async () => ({ n: 1 }),
  ];
  const server = await listen(0, keys, new Map(), { question: () => answers.shift()?.(), order: () => undefined });
  const { port } = server;
  const headers = { host: `127.0.0.1:${port}`, cookie: `belay-${port}=${keys.cookie}`, 'x-belay-key': keys.page };
  const ask = () => fetch(`http://127.0.0.1:${port}/api/x`, { headers });
  const first = await ask();
  assert.equal([first.status, ((await first.json()) as { error: { code: string } }).error.code], [500, 'failed']);
  await same.rejects(ask());
  assert.equal(await (await ask()).json(), { n: 1 });
  await server.close();
});

test('$BROWSER is a list of commands, with %s for the address', () => {
  assert.equal(browsers('a:b --new %s -x: %% : /no/prog', '/t/f'), [
    ['a', '/t/f'],
    ['b', '--new', '/t/f', '-x'],
    ['%', '/t/f'],
    ['/no/prog', '/t/f'],
  ]);
  const spaced = join(at.top, 'my browser');
  fs.writeFileSync(spaced, '');
  assert.equal(browsers(spaced, '/t/f'), [[spaced, '/t/f']]);
});

test('--open starts the first browser that there is with a file that leads to the page; a signal at any time leaves no file', async () => {
  const [folder, said] = [join(at.top, 'opened'), join(at.top, 'said')];
  fs.mkdirSync(folder);
  const browser = join(at.top, 'browser');
  fs.writeFileSync(browser, `#!/bin/sh\ncat "$2" >${said}.new && mv ${said}.new ${said}\n`, { mode: 0o755 });
  const was = { tmp: process.env['TMPDIR'], browser: process.env['BROWSER'] };
  const write = process.stdout.write;
  Object.assign(process.env, { TMPDIR: folder, BROWSER: `/no/such/browser:${browser} --new %s` });
  const call: Call = { words: [], values: {}, json: true, yes: false, cwd: root, install: join(at.top, 'install') };
  /** What is written first is the greeting: whoever reads it may end it. */
  const serve = (then: () => void): Promise<number> => {
    process.stdout.write = (() => {
      process.stdout.write = write;
      then();
      return true;
    }) as typeof write;
    return serveUntilEnd(call, { port: 0, minutes: 10, open: true });
  };
  try {
    let listens = 0;
    await serve(() => {
      listens = process.listenerCount('SIGTERM');
      process.emit('SIGTERM');
    });
    assert.is(listens, 1);
    assert.equal(fs.readdirSync(folder), []);
    fs.rmSync(said, { force: true });
    const ends = serve(() => undefined);
    for (const end = Date.now() + 20_000; !fs.existsSync(said) && Date.now() < end; ) await sleep(20);
    process.emit('SIGTERM');
    assert.is(await ends, 0);
    assert.match(fs.readFileSync(said, 'utf8'), /url=http:\/\/127\.0\.0\.1:\d+\/open\//);
    assert.equal(fs.readdirSync(folder), []);
  } finally {
    process.stdout.write = write;
    for (const [name, value] of [
      ['TMPDIR', was.tmp],
      ['BROWSER', was.browser],
    ] as const)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test('belay ui prints its address, ends by itself when nobody asks, and at once with a signal', async () => {
  const [node, main] = builtBelay();
  const started = (...words: string[]): Promise<{ said: string; ended: Promise<number | null>; kill(): void }> =>
    new Promise((resolve) => {
      const child = spawn(node, [main, 'ui', ...words], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<number | null>((end) => child.once('close', end));
      child.stdout.once('data', (data: Buffer) =>
        resolve({ said: String(data), ended, kill: () => child.kill('SIGINT') }),
      );
    });
  const [json, text] = await Promise.all([started('--json', '--idle', '0.01'), started('--idle', '600')]);
  const { url, port } = JSON.parse(json.said) as { url: string; port: number };
  assert.match(url, new RegExp(`^http://127\\.0\\.0\\.1:${port}/open/[\\w-]{32}$`));
  assert.is(await json.ended, 0);
  assert.match(text.said, /^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{32}\n\nThe address works once/);
  assert.match(text.said, 'after 600 minutes without a question (--idle)');
  text.kill();
  assert.is(await text.ended, 0);
  assert.is((await belay(root, 'ui', '--port', 'x')).code, 'usage');
  assert.is((await belay(root, 'ui', '--port', String(page.server.port))).code, 'port_taken');
});

test.run();
