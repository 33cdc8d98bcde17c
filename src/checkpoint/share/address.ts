import { type Bytes, fromBuffer, toText } from '../../platform/bytes.ts';
import { lookThrough } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { basename, resolve } from '../../platform/paths.ts';

/** The address that a word names: a remote of the project, a path, or an address as it is. Undefined where it is none of them. */
export function addressOf(root: Bytes, cwd: Bytes, word: Bytes): string | undefined {
  const configured = remoteUrl(root, word);
  if (configured !== undefined) return configured;
  const path = resolve(cwd, word);
  if (lookThrough(path)?.type === 'folder') return toText(path);
  return /^[\w.+@-]+:/.test(word) ? toText(word) : undefined;
}

/** Read from the project's own configuration, which is only read. */
function remoteUrl(root: Bytes, name: Bytes): string | undefined {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) return undefined;
  const answer = git(['config', '--get', `remote.${name}.url`], { cwd: root });
  const url = toText(fromBuffer(answer.out).trim());
  if (!answer.ok || url === '') return undefined;
  return url.startsWith('.') ? toText(resolve(root, fromBuffer(answer.out).trim())) : url;
}

/** What a project is called on a remote: two clones of one repository are called the same. */
export function nameOf(root: Bytes): string {
  const origin = remoteUrl(root, 'origin');
  const name = (origin === undefined ? toText(basename(root)) : lastPart(origin)).replace(/[^A-Za-z0-9._-]+/g, '-');
  return (
    name
      .replace(/^[-.]+|(?:\.lock|[-.])+$/g, '')
      .replace(/\.{2,}/g, '.')
      .slice(0, 100) || 'project'
  );
}

const lastPart = (url: string): string => /([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? '';
