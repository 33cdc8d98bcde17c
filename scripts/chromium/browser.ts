import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PATIENCE_MS = 30_000;

/** The chromium of this machine; undefined where there is none. */
export const chromium = (): string | undefined =>
  ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0,
  );

/** A headless Chromium, spoken to in its DevTools protocol over two pipes: no port is opened for it. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  /** What the page complained of: errors, refused requests. */
  readonly complaints: string[] = [];
  /** Addresses that the page has asked for. */
  readonly requests: string[] = [];
  #session: string | undefined;
  #count = 0;

  private constructor(program: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'belay-chromium-'));
    const options = [
      '--headless=new',
      '--no-sandbox', // it runs as root
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-extensions',
      '--disable-background-networking',
      '--disable-component-update',
      '--hide-scrollbars',
      '--font-render-hinting=none',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.#folder}`,
      'about:blank',
    ];
    this.#child = spawn(program, options, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', HOME: this.#folder, LANG: 'C.UTF-8', TZ: process.env['TZ'] ?? '' },
    });
    let unread = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const parts = (unread + text).split('\0');
      unread = parts.pop() ?? '';
      for (const part of parts) this.#take(JSON.parse(part) as Message);
    });
    (this.#child.stdio[3] as Writable).on('error', () => undefined); // whoever waits is told when it ends
    this.#child.once('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`chromium ended (${signal ?? code})`));
    });
  }

  static async start(program: string): Promise<Browser> {
    const browser = new Browser(program);
    const { targetInfos } = await browser.#say<{ targetInfos: { targetId: string; type: string }[] }>(
      'Target.getTargets',
    );
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
    const { sessionId } = await browser.#say<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    browser.#session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await browser.#say(`${domain}.enable`);
    return browser;
  }

  #take({ id, method, params, result, error }: Message): void {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error !== undefined) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result as never);
      return;
    }
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(params.exceptionDetails?.exception?.description ?? params.exceptionDetails?.text ?? '');
    if (method === 'Log.entryAdded' && params.entry?.level === 'error')
      this.complaints.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request?.url ?? '');
  }

  #say<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#count;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`chromium says nothing to ${method}`)), PATIENCE_MS);
      const over = <V>(then: (value: V) => void) => {
        return (value: V): void => {
          clearTimeout(timer);
          then(value);
        };
      };
      this.#waiting.set(id, { resolve: over(resolve), reject: over(reject) });
      (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    });
  }

  async open(url: string): Promise<void> {
    const { errorText } = await this.#say<{ errorText?: string }>('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
  }

  /** The value of an expression in the page; a promise is waited for. */
  async value<T>(expression: string): Promise<T> {
    const done = await this.#say<{ result: { value: T }; exceptionDetails?: { exception?: { description?: string } } }>(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
    );
    if (done.exceptionDetails) throw new Error(`${expression}: ${done.exceptionDetails.exception?.description}`);
    return done.result.value;
  }

  /** Until the expression is true in the page; while it goes to another one, nothing is. */
  async until(expression: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    let last = '';
    while (Date.now() < end) {
      try {
        if (await this.value<boolean>(`!!(${expression})`)) return;
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seen = await this.value<string>('document.body.innerText.slice(0, 2000)').catch(String);
    throw new Error(`never so: ${expression} ${last}\nthe page: ${seen}\n${this.complaints.join('\n')}`);
  }

  /** A key as a person presses it: `j`, `Enter`, `?`. */
  async press(key: string): Promise<void> {
    const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
    const code = { Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38, End: 35, Home: 36 }[key];
    const more = { key, windowsVirtualKeyCode: code ?? key.toUpperCase().charCodeAt(0) };
    await this.#say('Input.dispatchKeyEvent', { type: 'keyDown', ...more, ...(text === undefined ? {} : { text }) });
    await this.#say('Input.dispatchKeyEvent', { type: 'keyUp', ...more });
  }

  async type(text: string): Promise<void> {
    await this.#say('Input.insertText', { text });
  }

  async look(as: {
    readonly width: number;
    readonly height: number;
    readonly scheme: 'light' | 'dark';
    readonly scale?: number;
  }): Promise<void> {
    const { width, height, scheme, scale = 1 } = as;
    const mobile = width < 600;
    await this.#say('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile });
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.#say('Emulation.setEmulatedMedia', { features });
  }

  /** A PNG of what is seen. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#say<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await ended;
    }
    // Its helpers may still write for a moment.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params: {
    readonly exceptionDetails?: { readonly text?: string; readonly exception?: { readonly description?: string } };
    readonly entry?: { readonly level: string; readonly text: string; readonly url?: string };
    readonly request?: { readonly url: string };
  };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
