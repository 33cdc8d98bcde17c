import type { Bytes } from './bytes.ts';

/** Lexical path arithmetic on bytes; nothing here looks at the file system. */

export const isAbsolute = (path: Bytes): boolean => path.startsWith('/');

/** `.`, `..` and doubled slashes resolved by text alone; no trailing slash (but `/`). */
export function normalize(path: Bytes): Bytes {
  const absolute = isAbsolute(path);
  // Nearly every path is as it should be: that is seen without taking it apart.
  if (absolute && !path.includes('/.') && !path.includes('//') && !path.endsWith('/')) return path;
  const out: Bytes[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!absolute) out.push('..');
  }
  return absolute ? `/${out.join('/')}` : out.join('/') || '.';
}

export const join = (folder: Bytes, name: Bytes): Bytes => (folder === '/' ? `/${name}` : `${folder}/${name}`);

/** `path` seen from `cwd`, normalized by text. */
export const resolve = (cwd: Bytes, path: Bytes): Bytes => normalize(isAbsolute(path) ? path : `${cwd}/${path}`);

/** The names of one folder come one after the other: it is one string for all of them, not one each. */
let lastFolder = '/';

export function dirname(path: Bytes): Bytes {
  const at = path.lastIndexOf('/');
  if (at <= 0) return at < 0 ? '.' : '/';
  if (at !== lastFolder.length || !path.startsWith(lastFolder)) lastFolder = path.slice(0, at);
  return lastFolder;
}

export const basename = (path: Bytes): Bytes => path.slice(path.lastIndexOf('/') + 1);

/** `path` is `folder` itself or lies below it; both normalized. */
export const isInside = (path: Bytes, folder: Bytes): boolean =>
  path === folder || folder === '/' || (path.startsWith(folder) && path[folder.length] === '/');

/** `path` from `folder`; `.` for the folder itself. Only for a path inside it. */
export function relativeTo(folder: Bytes, path: Bytes): Bytes {
  if (path === folder) return '.';
  return path.slice(folder === '/' ? 1 : folder.length + 1);
}
