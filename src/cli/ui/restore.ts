import { quote } from 'shell-quote';
import { type Bytes, fromText, toText } from '../../platform/bytes.ts';
import { wrongUsage } from '../command.ts';
import { shown } from '../paths.ts';
import type { PathKeys, RestoreAnswer, Restored, RestoreWish } from './documents.ts';

/** Runs a command line of belay and gives its document, or throws what it was refused with. */
type Tell = <T extends object>(words: readonly Bytes[]) => Promise<T & { readonly exit: number }>;

export const IS_ID = /^[0-9a-f]{40}$/;

/** What came from the page, looked at before anything is done with it. */
export function readWish(given: unknown): RestoreWish {
  const { key, id, what, paths, all, git, force, agreed } = (given ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string' || typeof id !== 'string' || !IS_ID.test(id))
    throw wrongUsage('a restore names a project and the whole id of a checkpoint');
  if (what !== 'rollback' && what !== 'undo') throw wrongUsage('a restore is a rollback or an undo');
  if (paths !== undefined && (what === 'undo' || !Array.isArray(paths) || paths.length === 0 || !paths.every(isPath)))
    throw wrongUsage('only a rollback takes paths, and at least one');
  if (agreed !== undefined && typeof agreed !== 'string') throw wrongUsage('a restore agrees to a preview');
  return {
    key,
    id,
    what,
    all: all === true,
    git: git === true,
    force: force === true,
    ...(Array.isArray(paths) ? { paths: paths as PathKeys[] } : {}),
    ...(agreed === undefined ? {} : { agreed }),
  };
}

const isPath = (one: unknown): boolean => {
  const { path, path_bytes: bytes } = (one ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && path !== '' && (bytes === undefined || typeof bytes === 'string');
};

/**
 * A restore by the commands' own code: first what it would do; then, where that was agreed to, it, while it would still do the same to
 * the same (`--agreed`). Every refusal is the command's.
 */
export async function carryOutWish(wish: RestoreWish, root: Bytes, tell: Tell): Promise<RestoreAnswer> {
  const { options, rest } = wordsOf(wish);
  const how = wish.agreed === undefined ? ['--dry-run'] : [`--agreed=${wish.agreed}`];
  const outcome = await tell<Restored>(['-C', root, wish.what, '--json', ...how, ...options, '--', ...rest]);
  const told = { outcome, command: commandOf(wish, root), short: outcome.exit !== 0 };
  if (wish.agreed === undefined) return { ...told, ...(outcome.plan === undefined ? {} : { agree: outcome.plan }) };
  const back = outcome.projects.flatMap(({ root: where, key, safety }) =>
    safety === null ? [] : [{ key, n: safety, command: `belay rollback ${safety} -C ${quote([where])}` }],
  );
  return { ...told, back };
}

function wordsOf({ what, id, all, git, force, paths = [] }: RestoreWish): { options: string[]; rest: Bytes[] } {
  const options = [
    ...(all ? ['--all'] : []),
    ...(git ? ['--git'] : []),
    ...(force ? ['--force'] : []),
    ...(what === 'rollback' ? ['--literal'] : []),
  ];
  return { options, rest: [id, ...paths.map(bytesOf).map(pathspecOf)] };
}

const bytesOf = ({ path, path_bytes: bytes }: PathKeys): Bytes =>
  bytes === undefined ? fromText(path) : Buffer.from(bytes, 'base64').toString('latin1');

/** A path as a pathspec that means that path alone. */
function pathspecOf(path: Bytes): Bytes {
  if (path === '' || path.includes('\0')) throw wrongUsage('that is no path');
  return path.startsWith('/') ? path : `./${path}`;
}

/** What a person would type, for the eyes. */
function commandOf(wish: RestoreWish, root: Bytes): string {
  const { options } = wordsOf(wish);
  const paths = (wish.paths ?? []).map(({ path }) => path);
  const named = paths.length > 3 ? [...paths.slice(0, 3), '…'] : paths;
  const words = [wish.what, wish.id.slice(0, 8), ...named, ...options.filter((option) => option !== '--literal')];
  return shown(fromText(`belay ${quote(words)} -C ${quote([toText(root)])}`));
}
