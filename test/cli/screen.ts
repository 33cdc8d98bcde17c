import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program on a terminal of its own, as tmux shows it: what a person would see, line by line. */
export class Screen {
  readonly #socket: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Readonly<Record<string, string>>, columns: number, rows: number, cwd: string) {
    this.#socket = join(fs.mkdtempSync(join(folder, 'tmux-')), 'socket');
    this.#env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env };
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', cwd, 'env PS1="ready$ " sh');
    this.#tmux('set', '-g', 'status', 'off');
    this.#tmux('set', '-g', 'escape-time', '0');
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  #tmux(...args: string[]): string {
    const done = spawnSync('tmux', ['-S', this.#socket, ...args], { env: this.#env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`tmux ${args[0]}: ${done.stderr}`);
    return done.stdout;
  }

  /** tmux's names of keys (`Down`, `Enter`, `C-c`), or text. */
  keys(...keys: string[]): void {
    for (const key of keys) this.#tmux('send-keys', key);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
    this.#tmux('send-keys', 'Enter');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  get lines(): string[] {
    return this.#tmux('capture-pane', '-p').split('\n');
  }

  /** Whether the program shows a cursor, and whether it is on the other screen. */
  get terminal(): { readonly cursor: boolean; readonly other: boolean } {
    const [cursor, other] = this.#tmux('display', '-p', '#{cursor_flag} #{alternate_on}').trim().split(' ');
    return { cursor: cursor === '1', other: other === '1' };
  }

  async shows(what: RegExp): Promise<string> {
    const until = Date.now() + 30_000;
    for (;;) {
      const text = this.lines.join('\n');
      if (what.test(text)) return text;
      if (Date.now() > until) throw new Error(`no ${what} on the screen:\n${text}`);
      await pause(50);
    }
  }

  close(): void {
    this.#tmux('kill-server');
  }
}
