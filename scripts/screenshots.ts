/**
 * Pictures of `belay ui` for the documents, taken of a made-up project in headless Chromium:
 *
 *   tsx scripts/screenshots.ts                 writes docs/ui-light.png, docs/ui-dark.png, docs/ui-phone.png
 *   tsx scripts/screenshots.ts FOLDER more     every view, for a look
 *
 * It wants dist/ (npm run build), and looks best with the fonts Inter and JetBrains Mono (Debian: fonts-inter, fonts-jetbrains-mono).
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, chromium } from './chromium/browser.ts';
import { makeScene } from './chromium/scene.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = process.argv[2] ?? join(root, 'docs');
const program = chromium();
if (program === undefined) throw new Error('the pictures want chromium');
// A name that looks well in a picture.
const top = join(tmpdir(), 'you');
fs.mkdirSync(top, { mode: 0o700 });
fs.mkdirSync(join(top, '.run'), { mode: 0o700 });
const scene = makeScene(top, Date.now());
const { BELAY_AGENT: _, BELAY_GRANT: __, ...env } = process.env;
const server = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'src/cli/main.ts'), 'ui', '--json', '-C', scene.shop],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, HOME: top, BELAY_HOME: scene.home, XDG_RUNTIME_DIR: join(top, '.run'), BELAY_SESSION: '' },
  },
);
const said = await new Promise<string>((resolve) =>
  server.stdout.once('data', (data: Buffer) => resolve(String(data))),
);
const { url } = JSON.parse(said) as { url: string };
const browser = await Browser.start(program);
const save = async (name: string): Promise<void> => {
  // A moment for what moves.
  await new Promise((resolve) => setTimeout(resolve, 300));
  fs.writeFileSync(join(out, name), await browser.picture());
};
try {
  await browser.look({ width: 1240, height: 740, scheme: 'light' });
  await browser.open(url);
  await browser.until("document.querySelectorAll('.row').length > 5");
  for (let i = 0; i < 2; i++) await browser.press('j');
  await browser.until("document.querySelector('.patch .c-keyword')");
  await save('ui-light.png');
  await browser.look({ width: 1240, height: 740, scheme: 'dark' });
  await browser.press('g');
  await browser.press('r');
  await browser.until("document.querySelector('dialog .paths')");
  await save('ui-dark.png');
  await browser.press('Escape');
  await browser.look({ width: 390, height: 844, scheme: 'light', scale: 1.5 });
  await browser.until("document.querySelectorAll('.row').length > 5");
  await save('ui-phone.png');
  if (process.argv[3] === 'more') await more();
  console.log(browser.complaints.join('\n'));
} finally {
  await browser.close();
  server.kill();
  fs.rmSync(top, { recursive: true, force: true });
}

async function more(): Promise<void> {
  await browser.press('j');
  await browser.press('j');
  await browser.press('Enter');
  await browser.until("document.querySelector('.patch')");
  await save('phone-detail.png');
  await browser.press('u');
  await browser.until("document.querySelector('dialog .paths')");
  await save('phone-restore.png');
  await browser.press('Escape');
  await browser.press('Escape');
  await browser.press('3');
  await browser.until("document.querySelector('.chart .curve') && document.querySelector('table.list')");
  await save('phone-store.png');
  await browser.look({ width: 1240, height: 740, scheme: 'light' });
  await save('store-light.png');
  await browser.look({ width: 1240, height: 740, scheme: 'dark' });
  await save('store-dark.png');
  await browser.press('2');
  await browser.until("document.querySelector('.trees') && !document.querySelector('.waiting')");
  await save('worktrees-dark.png');
  await browser.press('?');
  await save('help-dark.png');
  await browser.press('Escape');
  await browser.press('1');
  await browser.press('g');
  await browser.press('j');
  await browser.press('j');
  await browser.until("document.querySelector('.patch .c-keyword')");
  await save('timeline-dark.png');
}
