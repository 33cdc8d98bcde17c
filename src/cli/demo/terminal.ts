import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { quote } from 'shell-quote';

/** The prompt begins with this and a number (shims/demo-rc.bash): a terminal shows nothing of it. */
const PROMPT = /\x1b\]belay-demo (\d+)\x07/g;
/** readline says so when it begins and ends to read a line. */
const BRACKETED = /\x1b\[\?2004[hl]\r?/g;
const PATIENCE_MS = 20_000;

export type Line = 'pty' | 'pipe';

/** An interactive bash that is typed into, one line after another. */
export class Terminal {
  readonly on: Line;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #start = Date.now();
  #unread = '';
  #number = -1;
  #ended: string | undefined;
  #wake: () => void = () => {};

  /**
   * On a pseudo-terminal where `script` makes one (util-linux and BSD spell it differently), else on pipes: bash with `-i`
   * then runs the same start-up file and the same PS0.
   */
  constructor(bash: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const pty = onPty(bash, env);
    this.on = pty ? 'pty' : 'pipe';
    const [program = 'bash', ...args] = pty ?? bash;
    // On pipes, shims/demo-rc.bash sends both streams into one.
    this.#child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#unread += text;
      this.#wake();
    });
    const end = (why: string): void => {
      this.#ended = why;
      this.#wake();
    };
    this.#child.once('error', (error) => end(error.message));
    this.#child.once('close', (code, signal) => end(`the shell ended (${signal ?? code})`));
    this.#child.stdin.on('error', (error) => end(error.message));
  }

  /** What was printed up to the next prompt. Throws when none comes in time. */
  async prompt(): Promise<string> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const next = [...this.#unread.matchAll(PROMPT)].find((hit) => Number(hit[1]) > this.#number);
      if (next !== undefined) {
        const text = this.#unread.slice(0, next.index);
        this.#unread = this.#unread.slice(next.index + next[0].length);
        this.#number = Number(next[1]);
        return text;
      }
      if (this.#ended !== undefined) throw new Error(`${this.#ended}; it said: ${this.#unread.trim()}`);
      if (Date.now() > until)
        throw new Error(`no prompt after ${PATIENCE_MS / 1000} s; it said: ${this.#unread.trim()}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Types a line and waits for the next prompt. What the line printed, without the prompt and the echo before it. */
  async type(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    const text = await this.prompt();
    const echoed = text.slice([...text.matchAll(PROMPT)].at(-1)?.index ?? 0);
    return echoed
      .slice(echoed.indexOf('\n') + 1)
      .replaceAll('\r\n', '\n')
      .replace(BRACKETED, '');
  }

  /** Milliseconds since the shell was started. */
  get age(): number {
    return Date.now() - this.#start;
  }

  /** The shell and whatever it still runs. */
  close(): void {
    this.#child.stdin.destroy();
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGHUP');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function onPty(bash: readonly string[], env: Readonly<Record<string, string>>): readonly string[] | undefined {
  const forms: readonly (readonly [string[], string[]])[] = [
    [
      ['script', '-qefc', 'true', '/dev/null'],
      ['script', '-qefc', `exec ${quote([...bash])}`, '/dev/null'],
    ],
    [
      ['script', '-q', '/dev/null', 'true'],
      ['script', '-q', '/dev/null', ...bash],
    ],
  ];
  for (const [[program = '', ...args], form] of forms) {
    const tried = spawnSync(program, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 5000 });
    if (tried.status === 0) return form;
  }
  return undefined;
}
