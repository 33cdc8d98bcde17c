import { type Bytes, fromBuffer, fromText } from '../../platform/bytes.ts';
import { codeOf, lookAt, lookThrough, namesVisible, readBytes } from '../../platform/files.ts';
import { homeFolder } from '../../platform/home.ts';
import { isAbsolute, join, resolve } from '../../platform/paths.ts';
import type { Kept, Tool, ToolHome } from './types.ts';

/** Each row: where the tool keeps a folder or file a checkout, and where that says whose it is. */
export const tools: readonly Tool[] = [
  // pipenv: `<venv>/.project` has the project's path.
  {
    name: 'pipenv',
    find: (where) =>
      below(under(where, 'WORKON_HOME', '.local/share/virtualenvs')).flatMap((path) =>
        keptAs(path, textOf(join(path, '.project'))),
      ),
  },
  // Bazel: an output base has the workspace's path in DO_NOT_BUILD_HERE; a living server's process is named below it.
  {
    name: 'bazel',
    pid: 'server/server.pid.txt',
    find: (where) =>
      below(under(where, 'XDG_CACHE_HOME', '.cache', 'bazel'))
        .filter((path) => path.includes('/_bazel_'))
        .flatMap(below)
        .flatMap((path) => keptAs(path, textOf(join(path, 'DO_NOT_BUILD_HERE')))),
  },
  // VS Code: workspaceStorage/<hash>/workspace.json has the folder as a URI.
  {
    name: 'vscode',
    find: (where) =>
      ['Code', 'Code - Insiders', 'VSCodium', 'Cursor']
        .flatMap((name) => below(join(under(where, 'XDG_CONFIG_HOME', '.config', name), 'User/workspaceStorage')))
        .flatMap((path) => keptAs(path, folderInUri(textOf(join(path, 'workspace.json'))))),
  },
  // direnv: `allow/<hash>` has the path of the .envrc.
  {
    name: 'direnv',
    find: (where) =>
      below(under(where, 'XDG_DATA_HOME', '.local/share', 'direnv/allow')).flatMap((path) =>
        keptAs(path, textOf(path)?.replace(/\/\.envrc\n*$/, '')),
      ),
  },
  // Claude Code: `projects/<path with dashes>/*.jsonl`, each line with `cwd`.
  {
    name: 'claude',
    find: (where) =>
      below(join(under(where, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects')).flatMap((path) =>
        keptAs(path, folderInTranscripts(path)),
      ),
  },
];

/** The folder that a variable names, else the usual one in the home; `more` below either. */
function under({ home, env }: ToolHome, variable: Bytes, usual: Bytes, more?: Bytes): Bytes {
  const given = env.get(variable);
  const base = given !== undefined && isAbsolute(given) ? given : join(home, usual);
  return more === undefined ? base : join(base, more);
}

const below = (folder: Bytes): Bytes[] => {
  if (lookAt(folder)?.type !== 'folder') return [];
  return namesVisible(folder).map((name) => join(folder, name));
};

/** Larger files than this say nothing in their beginning that is wanted. */
const LARGEST = 1 << 16;

function textOf(file: Bytes): Bytes | undefined {
  try {
    const look = lookThrough(file);
    if (look?.type !== 'file') return undefined;
    return look.size > LARGEST ? undefined : fromBuffer(readBytes(file));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined; // closed: nobody knows whose it is
  }
}

function keptAs(path: Bytes, checkout: Bytes | undefined): Kept[] {
  const bare = checkout?.replace(/\n+$/, '');
  return bare !== undefined && isAbsolute(bare) && !/[\n\0]/.test(bare) ? [{ path, checkout: resolve('/', bare) }] : [];
}

function folderInUri(text: Bytes | undefined): Bytes | undefined {
  try {
    const { folder } = JSON.parse(text ?? '{}') as { folder?: unknown };
    if (typeof folder !== 'string' || !folder.startsWith('file:///')) return undefined;
    return fromText(decodeURIComponent(folder.slice('file://'.length)));
  } catch {
    return undefined; // not what VS Code writes: nobody's
  }
}

function folderInTranscripts(folder: Bytes): Bytes | undefined {
  const file = below(folder).find((path) => path.endsWith('.jsonl'));
  const text = file === undefined ? undefined : beginningOf(file);
  const found = /"cwd":"((?:[^"\\]|\\.)*)"/.exec(text ?? '')?.[1];
  return found === undefined ? undefined : fromText(JSON.parse(`"${Buffer.from(found, 'latin1').toString('utf8')}"`));
}

function beginningOf(file: Bytes): Bytes | undefined {
  try {
    return fromBuffer(readBytes(file).subarray(0, LARGEST));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined;
  }
}

/** The home of the user's tools. */
export function toolHome(env: ReadonlyMap<Bytes, Bytes>): ToolHome | undefined {
  const home = homeFolder(env);
  return home === undefined ? undefined : { home, env };
}
