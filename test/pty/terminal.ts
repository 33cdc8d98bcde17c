import { spawn } from 'node:child_process';

/**
 * A real shell on a real terminal, as a person has it: lines are typed, and what comes back is read up to the next
 * prompt. Nothing here sleeps; every wait ends with the thing waited for, or fails after `LIMIT_MS` with the screen.
 */

const LIMIT_MS = 30_000;

/** The prompt carries a counter and the last status: a redrawn prompt is not taken for a new one. */
export const PROMPT = '@@$((++__n)):$?@@ ';
const MARK = /@@(\d+):(\d+)@@ ?/g;

export interface Answer {
  /** What was printed between the line's echo and the next prompt, without carriage returns and escapes. */
  readonly text: string;
  /** `$?` as the next prompt shows it; undefined when the shell itself ended. */
  readonly status: number | undefined;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Device {
  write(bytes: string): void;
  kill(): void;
  readonly pid: number;
}

export class Terminal {
  #screen = '';
  #seen = 0;
  #ended = false;
  #wake: () => void = () => {};
  #device: Device | undefined;

  /** Starts `argv` on a terminal of 50 lines by 400 columns and waits for its first prompt. */
  static async open(argv: readonly string[], options: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal();
    terminal.#device = await attach(argv, options, {
      data: (text) => {
        terminal.#screen += text;
        // fish asks the terminal what it is, and waits for the answer.
        if (/\x1b\[0?c/.test(text)) terminal.#device?.write('\x1b[?62;c');
        if (text.includes('\x1b[6n')) terminal.#device?.write('\x1b[1;1R');
        terminal.#wake();
      },
      end: () => {
        terminal.#ended = true;
        terminal.#wake();
      },
    });
    await terminal.#nextPrompt();
    return terminal;
  }

  get pid(): number {
    return this.#device?.pid ?? 0;
  }

  /** Everything printed so far and not yet answered. */
  get screen(): string {
    return this.#screen;
  }

  /** Enters a line, pasted as one when it has newlines, and waits for the next prompt. */
  async type(line: string): Promise<Answer> {
    this.#screen = '';
    this.send(/[\n\t]/.test(line) ? `\x1b[200~${line}\x1b[201~\r` : `${line}\r`);
    return this.#nextPrompt();
  }

  /** Enters several physical lines, each with its own Enter, and waits for one prompt after the last. */
  async typeLines(lines: readonly string[]): Promise<Answer> {
    this.#screen = '';
    for (const line of lines) this.send(`${line}\r`);
    return this.#nextPrompt();
  }

  /** Raw keys; nothing is waited for. */
  send(keys: string): void {
    this.#device?.write(keys);
  }

  /** Waits until the screen shows `what`. */
  async shows(what: string | RegExp): Promise<string> {
    await this.#until(() => (typeof what === 'string' ? this.#screen.includes(what) : what.test(this.#screen)), what);
    return this.#screen;
  }

  /** Waits for the prompt after something sent with `send`. */
  async prompt(): Promise<Answer> {
    return this.#nextPrompt();
  }

  /** The terminal is gone, and the shell with it. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#device?.kill();
    await this.#until(() => this.#ended, 'the end of the shell');
  }

  async #nextPrompt(): Promise<Answer> {
    let answer: Answer | undefined;
    await this.#until(() => {
      for (const hit of this.#screen.matchAll(MARK)) {
        if (Number(hit[1]) <= this.#seen) continue;
        this.#seen = Number(hit[1]);
        answer = { text: visible(this.#screen.slice(0, hit.index)), status: Number(hit[2]) };
        this.#screen = this.#screen.slice(hit.index + hit[0].length);
        return true;
      }
      if (this.#ended) answer = { text: visible(this.#screen), status: undefined };
      return this.#ended;
    }, 'a prompt');
    return answer as Answer;
  }

  #until(holds: () => boolean, what: string | RegExp, limit = LIMIT_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#wake = () => {};
        reject(new Error(`no ${what} within ${limit} ms; the screen: ${JSON.stringify(this.#screen)}`));
      }, limit);
      this.#wake = () => {
        if (!holds()) return;
        this.#wake = () => {};
        clearTimeout(timer);
        resolve();
      };
      this.#wake();
    });
  }
}

/**
 * The output only: the echo of the line ends where the shell leaves bracketed paste mode. zsh moves to a new line after
 * that; fish blanks the rest of a line before its prompt.
 */
function visible(screen: string): string {
  const output = screen.includes('\x1b[?2004l') ? screen.slice(screen.lastIndexOf('\x1b[?2004l') + 8) : screen;
  return output
    .replace(/^(\x1b\[[0-9;?]*[a-zA-Z])*\r\r\n/, '')
    .replace(/\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b\([A-Z0]/g, '')
    .replace(/⏎? {40,}[\s\S]*$/, '')
    .replaceAll('\r', '');
}

type Events = { readonly data: (text: string) => void; readonly end: () => void };

/** node-pty where it could be built, else `script` of util-linux. */
async function attach(argv: readonly string[], options: TerminalOptions, events: Events): Promise<Device> {
  const [file, ...args] = argv as [string, ...string[]];
  const env = { TERM: 'xterm', ...options.env };
  const pty = await import('node-pty').catch(() => undefined); // optional: it needs a compiler
  if (pty) {
    const shell = pty.spawn(file, args, { cwd: options.cwd, env, cols: 400, rows: 50, name: env.TERM });
    shell.onData(events.data);
    shell.onExit(events.end);
    return { write: (bytes) => shell.write(bytes), kill: () => shell.kill('SIGKILL'), pid: shell.pid };
  }
  const line = `stty cols 400 rows 50; exec ${argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
  const shell = spawn('script', ['-qfc', line, '/dev/null'], { cwd: options.cwd, env: { ...env, SHELL: '/bin/sh' } });
  shell.stdout.on('data', (chunk: Buffer) => events.data(chunk.toString('utf8')));
  shell.once('close', events.end);
  return {
    write: (bytes) => void shell.stdin.write(bytes),
    kill: () => void shell.kill('SIGKILL'),
    pid: shell.pid ?? 0,
  };
}
