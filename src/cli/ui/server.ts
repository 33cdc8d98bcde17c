import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { belayHome, environment } from '../../platform/home.ts';
import { describe, log } from '../../platform/log.ts';
import { wrongUsage } from '../command.ts';
import { asFailure, failureDocument } from '../failure.ts';
import type { StaticFile } from './files.ts';
import { cookieName, isPoll, judge, type Keys } from './gate.ts';
import { HEADERS } from './headers.ts';

/** What the page may ask: a document for a path below /api/ and its words; undefined where there is no such question. */
export interface Answers {
  question(name: string, words: URLSearchParams): Promise<unknown> | undefined;
  order(name: string, given: unknown): Promise<unknown> | undefined;
}

export interface Listening {
  readonly port: number;
  /** With the token. */
  readonly url: string;
  /** When somebody has asked last, milliseconds since 1970. */
  lastAsked(): number;
  close(): Promise<void>;
}

/** More than any restore is asked for with. */
const LONGEST_ORDER = 4 << 20;

/** Listens on 127.0.0.1 only. `port` 0 is any free one. */
export async function listen(
  port: number,
  keys: Keys,
  files: ReadonlyMap<string, StaticFile>,
  answers: Answers,
): Promise<Listening> {
  let asked = Date.now();
  let bound = port;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const verdict = judge({ method: request.method ?? '', path, headers: request.headers }, keys, bound);
    if (verdict.is === 'refused') return refuse(response, verdict.status, verdict.why);
    if (!isPoll(request.headers)) asked = Date.now();
    switch (verdict.is) {
      case 'opening':
        return open(response, keys, bound);
      case 'file':
        return send(response, request.method === 'HEAD', files.get(path));
      case 'question':
        return answer(response, () => answers.question(path.slice(5), wordsOf(request)));
      case 'order':
        return answer(response, async () => answers.order(path.slice(5), await bodyOf(request)));
    }
  });
  // A connection that says nothing keeps nobody from ending.
  server.requestTimeout = 30_000;
  await started(server, port);
  bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/open/${keys.token ?? ''}`,
    lastAsked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const started = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });

const wordsOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
};

/**
 * The token becomes the cookie and the page's own key, and is used up. The way on is a page's own, not a redirect: after a click in
 * another page's terminal a strict cookie does not come along with one.
 */
function open(response: ServerResponse, keys: Keys, port: number): void {
  keys.token = undefined;
  const body = `<!doctype html><meta charset="utf-8"><title>belay</title><link rel="icon" href="/mark.svg"><meta http-equiv="refresh" content="0;url=/#key=${keys.page}"><a href="/#key=${keys.page}">belay</a>\n`;
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Set-Cookie': `${cookieName(port)}=${keys.cookie}; HttpOnly; SameSite=Strict; Path=/`,
  });
  response.end(body);
}

function send(response: ServerResponse, head: boolean, file: StaticFile | undefined): void {
  if (file === undefined) {
    refuse(response, 404, 'there is no such file');
    return;
  }
  response.writeHead(200, { ...HEADERS, 'Content-Type': file.type, 'Content-Length': file.body.length });
  response.end(head ? undefined : file.body);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`belay: ${why}\n`);
}

/** What a refusal of belay is in HTTP, by the exit status it would have had. */
const STATUS: Readonly<Record<number, number>> = { 2: 400, 3: 409, 4: 404 };

function answer(response: ServerResponse, work: () => Promise<unknown> | undefined): void {
  const tell = (status: number, document: unknown): void => {
    const text = JSON.stringify(document); // before the head: what cannot be made into text is a failure like others
    response.writeHead(status, { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' });
    response.end(text);
  };
  Promise.resolve()
    .then(work)
    .then((document) => (document === undefined ? refuse(response, 404, 'nobody knows that') : tell(200, document)))
    .catch(async (error: unknown) => {
      const failure = asFailure(error);
      tell(STATUS[failure.exit] ?? 500, await failureDocument(failure));
    })
    .catch((error: unknown) => {
      log(belayHome(environment()), describe(error));
      response.destroy(); // nothing can be told of it any more; the next question is answered
    });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > LONGEST_ORDER) throw wrongUsage('what was sent is too long');
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw wrongUsage('what was sent is no JSON');
    throw error;
  }
}
