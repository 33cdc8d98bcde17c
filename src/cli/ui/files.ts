import fs from 'node:fs';
import { extname, join } from 'node:path';
import { toText } from '../../platform/bytes.ts';
import { isAbsentError } from '../../platform/files.ts';
import { failed } from '../command.ts';

export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page by their addresses, read once: what is not among them is not there, however it is spelt. */
export function pageFiles(install: string): ReadonlyMap<string, StaticFile> {
  const folder = join(toText(install), 'dist/ui');
  const out = new Map<string, StaticFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) out.set(`/${name}`, { type, body: fs.readFileSync(join(folder, name)) });
  }
  const index = out.get('/index.html');
  if (index === undefined) throw failed('no_page', `the page is not installed: ${folder} has no index.html`);
  return out.set('/', index);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
}
