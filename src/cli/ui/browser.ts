import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Opens the address in `$BROWSER`, or with what the system opens files with. The browser is given a file that only this user can read and
 * that leads to the address: what stands in a program's arguments every user of the machine can read. A browser from a snap or flatpak
 * has a /tmp of its own and finds no such file. Gives what removes the file.
 */
export function openInBrowser(url: string): () => void {
  let folder: string;
  try {
    folder = fs.mkdtempSync(join(tmpdir(), 'belay-ui-'));
  } catch (error) {
    sayNot(`no file can be made in ${tmpdir()}`, error as Error);
    return () => undefined;
  }
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const file = join(folder, 'belay.html');
  try {
    fs.writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}">\n`,
      {
        mode: 0o600,
      },
    );
    start(browsers(process.env['BROWSER'], file));
  } catch (error) {
    sayNot('the browser cannot be started', error as Error);
  }
  return remove;
}

/**
 * `$BROWSER` is a list: commands with `:` between them, the first that starts is taken; `%s` in one is the address (here: the file), `%c` a
 * colon, `%%` a percent sign; without `%s` the address comes behind it.
 */
export function browsers(list: string | undefined, file: string): readonly (readonly string[])[] {
  const named = (list ?? '').split(':').filter((one) => one.trim() !== '');
  if (named.length === 0) return [[process.platform === 'darwin' ? 'open' : 'xdg-open', file]];
  return named.map((one) => {
    // The name of a program may have blanks in it.
    const words = fs.existsSync(one) ? [one] : one.trim().split(/\s+/);
    const filled = words.map((word) =>
      word.replace(/%([sc%])/g, (_, mark) => ({ s: file, c: ':' })[mark as 's'] ?? '%'),
    );
    return /(?:^|[^%])(?:%%)*%s/.test(one) ? filled : [...filled, file];
  });
}

function start([command, ...others]: readonly (readonly string[])[]): void {
  const [program = '', ...args] = command ?? [];
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.once('error', (error) => {
    if (others.length > 0) start(others);
    else sayNot(`${program} cannot be started`, error);
  });
  child.unref();
}

const sayNot = (what: string, { message }: Error): void => {
  process.stderr.write(`belay ui: ${what} (${message}): open the address yourself\n`);
};
