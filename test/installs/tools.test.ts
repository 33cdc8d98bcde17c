import fs from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tools } from '../../src/installs/tools/find.ts';
import { collectTools } from '../../src/installs/tools/gc.ts';

const top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'belay-tools-')));
const home = join(top, 'person');

test.after(() => {
  fs.rmSync(top, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  fs.mkdirSync(dirname(join(home, path)), { recursive: true });
  fs.writeFileSync(join(home, path), text);
}

/** What each tool leaves for a checkout, as the tools themselves write it. */
function leave(checkout: string, id: string): void {
  put(`.local/share/virtualenvs/${id}/.project`, checkout);
  put(`.cache/bazel/_bazel_me/${id}/DO_NOT_BUILD_HERE`, checkout);
  put(
    `.config/Code/User/workspaceStorage/${id}/workspace.json`,
    JSON.stringify({ folder: pathToFileURL(checkout).href }),
  );
  put(`.local/share/direnv/allow/${id}`, `${checkout}/.envrc\n`);
  put(`.claude/projects/${id}/1.jsonl`, `{"type":"user","cwd":${JSON.stringify(checkout)}}\n`);
}

test('what other tools keep for deleted checkouts is listed, and removed only of those that are named', async () => {
  const [alive, dead] = ['alive', 'de ad ü'].map((name) => join(top, '.worktrees', name)) as [string, string];
  for (const path of [alive, dead]) fs.mkdirSync(path, { recursive: true });
  leave(alive, 'aaaa');
  leave(dead, 'dddd');
  leave(join(top, 'volume/x'), 'vvvv');
  put('.cache/bazel/_bazel_me/busy/DO_NOT_BUILD_HERE', dead);
  put('.cache/bazel/_bazel_me/busy/server/server.pid.txt', `${process.pid}`);
  fs.rmdirSync(dead);
  const gc = (enabled: readonly string[], dryRun: boolean) =>
    collectTools(tools, {
      where: { home: Buffer.from(home).toString('latin1'), env: new Map() },
      enabled: new Set(enabled),
      home: join(top, 'data'),
      known: () => undefined,
      dryRun,
    });
  const listed = await gc(['pipenv'], true);
  assert.equal(listed.map(({ tool }) => tool.name).sort(), ['bazel', 'bazel', 'claude', 'direnv', 'pipenv', 'vscode']);
  assert.ok(listed.every(({ checkout }) => Buffer.from(checkout, 'latin1').toString() === dead));
  assert.ok(fs.existsSync(join(home, '.local/share/virtualenvs/dddd')));
  const done = await gc(['pipenv', 'bazel'], false);
  const removed = done.filter((one) => one.removed).map(({ tool, path }) => `${tool.name} ${path.slice(-4)}`);
  assert.equal(removed.sort(), ['bazel dddd', 'pipenv dddd']);
  assert.is(done.find(({ path }) => path.endsWith('busy'))?.why, `in use by pid ${process.pid}`);
  assert.equal(fs.readdirSync(join(home, '.local/share/virtualenvs')).sort(), ['aaaa', 'vvvv']);
  assert.equal(fs.readdirSync(join(home, '.claude/projects')).sort(), ['aaaa', 'dddd', 'vvvv']);
});

test('what a killed run had renamed away is deleted by the next, or put back where its checkout is there again', async () => {
  const [back, dead] = ['back', 'dead2'].map((name) => join(top, '.worktrees', name)) as [string, string];
  fs.mkdirSync(back, { recursive: true });
  const data = join(top, 'killed');
  const notes = join(data, 'worktrees/tools-going');
  fs.mkdirSync(notes, { recursive: true });
  for (const [id, checkout] of [
    ['aaaaaaaaaaaa', back],
    ['bbbbbbbbbbbb', dead],
  ] as const) {
    put(`.local/share/virtualenvs/.gone-${id}/.project`, checkout);
    const [path, aside] = [id, `.gone-${id}`].map((name) => join(home, '.local/share/virtualenvs', name));
    fs.writeFileSync(join(notes, `${id}.json`), JSON.stringify({ v: 1, path, aside, checkout }));
  }
  const where = { home, env: new Map() };
  await collectTools([], { where, enabled: new Set(['pipenv']), home: data, known: () => undefined, dryRun: false });
  assert.equal(fs.readdirSync(notes), []);
  const names = fs.readdirSync(join(home, '.local/share/virtualenvs'));
  assert.ok(names.includes('aaaaaaaaaaaa'));
  assert.not(names.some((name) => name.startsWith('.gone-')));
});

test.run();
