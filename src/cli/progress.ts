import { Worker } from 'node:worker_threads';
import type { Call } from './command.ts';
import { drawLine } from './progress-line.ts';

/** What whoever works says of it meanwhile. */
export interface Progress {
  /** What is being done now. */
  readonly doing: (text: string) => void;
  /** So many of so many. */
  readonly part: (done: number, of: number) => void;
}

/**
 * Does something that may take long. Once it has taken a second, a line on the terminal says what is being done and how far it is; at the
 * end it is gone. Drawn by a thread of its own: whoever waits for git cannot draw. Nothing where nobody looks, a program reads, or --quiet.
 */
export async function withProgress<T>(
  call: Pick<Call, 'json' | 'values'>,
  doing: string,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY || call.json || call.values['quiet'] === true) return work(SILENT);
  const board = new Board(doing);
  try {
    return await work(board);
  } finally {
    board.end();
  }
}

const SILENT: Progress = { doing: () => undefined, part: () => undefined };

/** What is drawn, shared with the thread that draws (progress-line.ts). */
class Board implements Progress {
  readonly #numbers = new Int32Array(new SharedArrayBuffer(16));
  readonly #text = new Uint8Array(new SharedArrayBuffer(512));

  constructor(doing: string) {
    this.doing(doing);
    const worker = new Worker(DRAWS, {
      eval: true,
      workerData: { numbers: this.#numbers, text: this.#text, columns: process.stderr.columns || 80, after: AFTER_MS },
      stdin: false,
      execArgv: [],
    });
    worker.on('error', () => undefined); // it was only a line to look at
    worker.unref();
  }

  readonly doing = (text: string): void => {
    const { written } = new TextEncoder().encodeInto(text, this.#text);
    Atomics.store(this.#numbers, 3, written);
    Atomics.store(this.#numbers, 2, 0);
  };

  readonly part = (done: number, of: number): void => {
    Atomics.store(this.#numbers, 1, done);
    Atomics.store(this.#numbers, 2, of);
  };

  /** Where the line was drawn, it is gone afterwards. */
  end(): void {
    if (Atomics.compareExchange(this.#numbers, 0, IDLE, OVER) === IDLE) return;
    Atomics.store(this.#numbers, 0, OVER);
    Atomics.notify(this.#numbers, 0);
    Atomics.wait(this.#numbers, 0, OVER, LAST_MS);
  }
}

const AFTER_MS = 1000;
/** For the thread to take its line away. */
const LAST_MS = 500;
const IDLE = 0;
const OVER = 2;

/** A thread's own file would have to lie beside each bundle: its text is the function's. `__name` is what tsx writes around functions. */
const DRAWS = `const __name = (f) => f; (${drawLine})(require('node:worker_threads').workerData, require('node:fs').writeSync)`;
