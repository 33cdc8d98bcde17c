import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Browser, chromium } from '../../scripts/chromium/browser.ts';
import { put } from './drive.ts';
import { inOwnHome } from './home.ts';
import { manyTurns } from './many-turns.ts';
import { turn } from './turns.ts';
import { type Served, served } from './ui-served.ts';

const program = chromium();
if (program === undefined) {
  console.log('skipped: there is no chromium here (scripts/test-needs.sh installs it as root)');
  process.exit(0);
}
const at = inOwnHome(fileURLToPath(import.meta.url));
const many = join(at.top, 'many');
const root = join(at.top, 'shop');
put(many, { 'package.json': '{}' });
put(root, {
  'package.json': '{}',
  'cart.ts': 'export const total = (n: number) => n * 2;\n',
  'notes.txt': 'one\ntwo\n',
});
spawnSync('git', ['init', '-q', root]);
manyTurns(at.home, many, 1000, (n) => `rm file${n}.txt`);
turn(at.home, root, 'sed -i s/2/3/ cart.ts', () =>
  put(root, { 'cart.ts': 'export const total = (n: number) => n * 3;\n' }),
);
turn(at.home, root, 'rm notes.txt', () => fs.rmSync(join(root, 'notes.txt')));
const HOSTILE = '<b onmouseover=alert(1)>x</b>\u202e\x1b[31m';
turn(
  at.home,
  root,
  Buffer.from(`touch '${HOSTILE}'`).toString('latin1'),
  () => put(root, { '<script>alert(1)': '</td><script>window.hurt = 1</script>\u202e\n' }),
  undefined,
  {
    leftOut: [{ path: 'big.iso', reason: 'larger than hold.max_mb' }],
  },
);

let page: Served;
let browser: Browser;
test.before(async () => {
  [page, browser] = await Promise.all([served(at.top, root), Browser.start(program)]);
  await browser.look({ width: 1280, height: 800, scheme: 'light' });
  await browser.open(page.server.url);
  await browser.until("document.querySelector('.sum-line')?.innerText.startsWith('1,003 checkpoints')");
});
test.after(async () => {
  await browser.close();
  await page.server.close();
});

const text = (selector: string): Promise<string> =>
  browser.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => e.innerText).join('|')`);
const count = (selector: string): Promise<number> =>
  browser.value(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const chosen = '.row.chosen .line';

test('the address is gone from the page, and a thousand checkpoints are as many rows as fit the window', async () => {
  assert.is(await browser.value('location.pathname + location.hash'), '/');
  const rows = await count('.row');
  assert.ok(rows > 8 && rows < 60, `${rows} rows`);
  const setSize = "Number(document.querySelector('.row').getAttribute('aria-setsize'))";
  await browser.until(`${setSize} === 1003`);
  assert.ok((await browser.value<number>("document.querySelector('.rows').scrollHeight")) > 68_000);
  await browser.press('G');
  await browser.until(`document.querySelector('${chosen}')?.innerText === 'rm file0.txt'`);
  assert.ok((await count('.row')) < 60);
  await browser.press('g');
});

test('j, k, Enter, / and ? do what they are said to do, and Esc goes back', async () => {
  await browser.until(`document.querySelector('${chosen}')?.innerText.includes('touch')`);
  await browser.press('j');
  await browser.until(`document.querySelector('${chosen}')?.innerText === 'rm notes.txt'`);
  await browser.press('j');
  await browser.press('k');
  await browser.until(`document.querySelector('${chosen}')?.innerText === 'rm notes.txt'`);
  await browser.press('?');
  await browser.until("document.querySelector('dialog[open] .keys')");
  await browser.press('j');
  await browser.press('Escape');
  await browser.until("!document.querySelector('dialog')");
  assert.is(await text(chosen), 'rm notes.txt');
  await browser.press('Enter');
  await browser.until("document.activeElement.closest('.detail')");
  assert.is(await browser.value('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
  await browser.press('/');
  await browser.until("document.activeElement.type === 'search'");
  await browser.type('file99');
  await browser.until("document.querySelector('.sum-line').innerText.startsWith('11 of 1,003')");
  await browser.press('Escape');
  await browser.until("document.activeElement.classList.contains('rows')");
  await browser.press('Escape');
  await browser.until("document.querySelector('.sum-line').innerText.startsWith('1,003 checkpoints')");
});

test('a difference stands side by side in colours, and what was left out is told', async () => {
  await browser.press('g');
  await browser.until("document.querySelector('.detail .note.warn')?.innerText.includes('big.iso')");
  await browser.press('j');
  await browser.press('j');
  await browser.until(
    "document.querySelector('.detail h2').innerText.startsWith('sed') && document.querySelector('.beside .c-keyword')",
  );
  assert.is(await text('.beside .text.old'), '−export const total = (n: number) => n * 2;');
  assert.is(await text('.beside .text.new'), '+export const total = (n: number) => n * 3;');
  assert.is(await text('.differs'), '2|3');
});

test('hostile names and lines are text: nothing of them runs, and what would turn text around is spelt out', async () => {
  await browser.press('g');
  await browser.until("document.querySelector('.patch')?.innerText.includes('window.hurt')");
  assert.match(await text(chosen), '<b onmouseover=alert(1)>x</b>\\u202e\\x1b[31m');
  assert.match(await text('.file .path'), '<script>alert(1)');
  assert.match(await text('.patch .text'), '</td><script>window.hurt = 1</script>\\u202e');
  assert.equal(await browser.value('[window.hurt ?? null, document.scripts.length]'), [null, 1]);
});

test('undo shows what it would do, does it once it is agreed to, and can be taken back', async () => {
  await browser.press('j');
  await browser.until("document.querySelector('.detail h2').innerText === 'rm notes.txt'");
  await browser.press('u');
  await browser.until("document.activeElement.classList.contains('restore-now')");
  assert.match(await text('dialog'), '1 path would be written');
  assert.not(fs.existsSync(join(root, 'notes.txt')));
  await browser.press('Escape');
  await browser.until("!document.querySelector('dialog')");
  assert.not(fs.existsSync(join(root, 'notes.txt')));
  await browser.press('u');
  await browser.until("document.activeElement.classList.contains('restore-now')");
  await browser.press('Enter');
  await browser.until("document.querySelector('dialog .note.good')");
  assert.is(fs.readFileSync(join(root, 'notes.txt'), 'utf8'), 'one\ntwo\n');
  assert.match(await text('dialog .command'), `belay rollback 4 -C ${root}`);
  await browser.until("document.querySelector('.sum-line').innerText.startsWith('1,004 checkpoints')");
  await browser.value("document.querySelector('dialog .takeback > button').click()");
  await browser.until("document.activeElement.classList.contains('restore-now')");
  await browser.press('Enter');
  await browser.until("document.querySelector('dialog .note.good')");
  assert.not(fs.existsSync(join(root, 'notes.txt')));
  await browser.press('Escape');
  await browser.until("!document.querySelector('dialog')");
});

test('a restore that broke is not said to have changed nothing', async () => {
  await browser.until("document.querySelector('.sum-line').innerText.startsWith('1,005 checkpoints')");
  const agreed = async (answer: string): Promise<string> => {
    await browser.press('u');
    await browser.until("document.activeElement.classList.contains('restore-now')");
    await browser.value(
      `void (window.asked = window.fetch, window.fetch = (url, how) => how.body?.includes('"agreed"') ? ${answer} : window.asked(url, how))`,
    );
    await browser.press('Enter');
    await browser.until("document.querySelector('dialog .trouble')");
    await browser.value('void (window.fetch = window.asked)');
    const said = await text('dialog');
    await browser.press('Escape');
    await browser.until("!document.querySelector('dialog')");
    return said;
  };
  const told = (status: number): string =>
    `Promise.resolve(new Response(JSON.stringify({ error: { code: 'x', message: 'no room', unchanged: 'What was saved is whole.' } }), { status: ${status}, headers: { 'content-type': 'application/json' } }))`;
  const full = await agreed(told(500));
  assert.match(full, 'did not come to its end');
  assert.match(full, 'What was saved is whole.');
  const broken = await agreed('Promise.reject(new TypeError())');
  assert.match(broken, 'It is not known how far it came.');
  for (const said of [full, broken]) assert.not.match(said, 'Nothing was changed');
  assert.match(await agreed(told(409)), 'Nothing was changed');
});

test('the store has its chart, worktrees their verdicts', async () => {
  await browser.press('3');
  await browser.until(
    "document.querySelector('.chart .curve') && document.querySelectorAll('table.list tbody tr').length === 2",
  );
  await browser.press('2');
  await browser.until("document.querySelector('main .empty')?.innerText.includes('belay worktree add')");
  await browser.press('1');
});

test('a phone is not scrolled sideways, in any view; dark is dark', async () => {
  await browser.look({ width: 390, height: 844, scheme: 'dark' });
  const fits = 'document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth';
  await browser.until("document.querySelector('.row') && !document.querySelector('.detail')");
  assert.ok(await browser.value(fits), 'the timeline');
  const [red = 255] =
    (await browser.value<string>('getComputedStyle(document.documentElement).backgroundColor')).match(/\d+/g) ?? [];
  assert.ok(Number(red) < 60, `${red}`);
  await browser.value("document.querySelectorAll('.row')[0].click()");
  await browser.until("document.querySelector('.detail .tabs')");
  assert.ok(await browser.value(fits), 'a checkpoint');
  await browser.press('r');
  await browser.until("document.querySelector('dialog .paths, dialog .note')");
  assert.ok(await browser.value(fits), 'a restore');
  await browser.press('Escape');
  await browser.press('3');
  await browser.until("document.querySelector('table.list tbody tr')");
  assert.ok(await browser.value(fits), 'the store');
});

test('the page asked this machine alone, and complained of nothing', () => {
  const { port } = page.server;
  assert.equal(
    browser.requests.filter((url) => !url.startsWith(`http://127.0.0.1:${port}/`)),
    [],
  );
  assert.equal(browser.complaints, []);
});

test.run();
