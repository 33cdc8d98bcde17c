import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { Browser, chromium } from '../../scripts/chromium/browser.ts';
import { manyTurns } from '../../test/cli/many-turns.ts';
import { figure, type Row } from '../measure.ts';
import { type Place, top } from '../place.ts';

/** What stands on the page when its first window is drawn, and when all of the timeline is there. */
const FIRST =
  "document.querySelectorAll('.row').length > 5 && document.querySelector('.sum-line').innerText.startsWith('1,000 ')";
const ALL = "document.querySelector('.row')?.getAttribute('aria-setsize') === '1000'";

/** `belay ui` of 1,000 checkpoints: from the address to the list in headless Chromium, beside an empty page. None where that is missing. */
export async function ui(place: Place, rounds: number): Promise<readonly Row[]> {
  const program = chromium();
  if (program === undefined) return [];
  const [home, root] = ['ui-home', 'ui-project'].map((name) => join(top, name)) as [string, string];
  fs.mkdirSync(root, { recursive: true });
  fs.writeFileSync(join(root, 'package.json'), '{}');
  manyTurns(home, root, 1000, (n) => `rm file${n}.txt`);
  const env = { ...place.env, BELAY_HOME: home };
  const server = spawn(process.execPath, ['dist/belay.cjs', 'ui', '--json', '-C', root], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(String(data))),
  );
  const { url, port } = JSON.parse(said) as { url: string; port: number };
  const browser = await Browser.start(program);
  const [first, all, empty]: [number[], number[], number[]] = [[], [], []];
  try {
    await browser.open(url);
    await browser.until(ALL);
    for (let i = 0; i < rounds; i++) {
      empty.push(await opened(browser, 'about:blank', 'document.body'));
      const begin = performance.now();
      first.push(await opened(browser, `http://127.0.0.1:${port}/`, FIRST));
      await browser.until(ALL);
      all.push(performance.now() - begin);
    }
  } finally {
    await browser.close();
    server.kill();
  }
  const beside = { what: 'about:blank', figure: figure(empty) };
  return [
    { what: 'belay ui, 1,000 checkpoints: the first window', figure: figure(first), beside },
    { what: 'belay ui, 1,000 checkpoints: all of them', figure: figure(all), beside },
  ];
}

async function opened(browser: Browser, url: string, isThere: string): Promise<number> {
  const begin = performance.now();
  await browser.open(url);
  await browser.until(isThere);
  return performance.now() - begin;
}
