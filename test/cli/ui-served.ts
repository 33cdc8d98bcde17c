import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from '../../scripts/build/page.ts';
import type { Call } from '../../src/cli/command.ts';
import { answersFor } from '../../src/cli/ui/answers.ts';
import { pageFiles } from '../../src/cli/ui/files.ts';
import { cookieName, newKeys } from '../../src/cli/ui/gate.ts';
import { type Listening, listen } from '../../src/cli/ui/server.ts';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Readonly<Record<string, never>> & { readonly error: { code: string; message: string; hint?: string } };
}

/** The server of the page in this process, and whoever asks it. */
export interface Served {
  readonly server: Listening;
  /** Of a browser that has come with the address. */
  readonly own: Readonly<Record<string, string>>;
  ask(path: string, headers?: Record<string, string | undefined>, method?: string, body?: string): Promise<Told>;
  order(given: object): Promise<Told>;
}

/** The page is built into a folder of its own: nothing waits for the whole build. */
export async function served(folder: string, cwd: string): Promise<Served> {
  await buildPage(top, join(folder, 'install/dist'));
  const install = join(folder, 'install');
  const call: Call = { words: [], values: {}, json: false, yes: false, cwd, install };
  const keys = newKeys();
  const server = await listen(0, keys, pageFiles(install), answersFor(call));
  const origin = `http://127.0.0.1:${server.port}`;
  const own = { cookie: `${cookieName(server.port)}=${keys.cookie}`, 'x-belay-key': keys.page };
  const ask: Served['ask'] = (path, headers = own, method = 'GET', body) =>
    asked(server.port, path, headers, method, body);
  return {
    server,
    own,
    ask,
    order: (given) =>
      ask('/api/restore', { ...own, origin, 'content-type': 'application/json' }, 'POST', JSON.stringify(given)),
  };
}

function asked(
  port: number,
  path: string,
  given: Record<string, string | undefined>,
  method: string,
  body: string | undefined,
): Promise<Told> {
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    // `path` goes out as it is: nobody folds `..` away.
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => {
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        const json = isJson ? JSON.parse(text) : {};
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
}
