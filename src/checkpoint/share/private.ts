import { type Bytes, fromBuffer, fromText, toBuffer, toText } from '../../platform/bytes.ts';
import { lookThrough, removeFile, writeAtomic } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import { anyOf } from '../../platform/wild.ts';
import type { Capture } from '../read.ts';
import { type Store, StoreError } from '../store.ts';
import { ignoredWhen } from '../unseen.ts';

/** What stays at home when a checkpoint leaves the machine. */
export interface PrivateRules {
  /** `checkpoints.precious`: names of files that nobody but their owner should see. */
  readonly precious: readonly string[];
  /** The exclude lists in force beside the ignore files, as one text. */
  readonly exclude: Bytes;
  /** Nothing stays at home: ignored and precious files, held files and lines as they are go along. */
  readonly secrets: boolean;
}

/**
 * Those of these paths (relative to the root) that are not to leave: precious by a name in them, or ignored by git, now or when the
 * capture was taken. Whether git tracks them all the same does not count. Throws where nobody can tell.
 */
export function privatePaths(
  store: Store,
  root: Bytes,
  capture: Capture | undefined,
  paths: readonly Bytes[],
  rules: PrivateRules,
): ReadonlySet<Bytes> {
  if (rules.secrets || paths.length === 0) return new Set();
  const names = anyOf(rules.precious.map(fromText));
  const out = new Set(paths.filter((path) => path.split('/').some((name) => names.test(name))));
  const others = paths.filter((path) => path !== '.' && !out.has(path));
  const then = capture === undefined ? undefined : ignoredWhen(store, capture, others);
  const now = lookThrough(root)?.type === 'folder' ? ignoredNow(store, root, others, rules.exclude) : undefined;
  if (then === undefined && now === undefined)
    throw unsure('there is no capture of the project, and its folder is gone');
  for (const path of [...(then ?? []), ...(now ?? [])]) out.add(path);
  return out;
}

function ignoredNow(store: Store, root: Bytes, paths: readonly Bytes[], exclude: Bytes): ReadonlySet<Bytes> {
  if (paths.length === 0) return new Set();
  const file = join(store.base, `.excludes-${process.pid}-${randomHex(4)}.tmp`);
  writeAtomic(file, toBuffer(exclude));
  try {
    const answer = git(['check-ignore', '-z', '--stdin', '--no-index'], {
      cwd: root,
      gitDir: store.gitDir,
      workTree: root,
      pathspecs: {}, // it takes none of their magic, and each begins with ./
      configPaths: { 'core.excludesFile': file },
      input: toBuffer(paths.map((path) => `./${path}\0`).join('')),
      timeout: 120_000,
    });
    if (!answer.ok && answer.code !== 1) throw unsure(toText(answer.err.trim())); // 1: none of them
    const names = fromBuffer(answer.out).split('\0');
    return new Set(names.filter((path) => path !== '').map((path) => path.slice(2)));
  } finally {
    removeFile(file);
  }
}

const unsure = (why: string): StoreError =>
  new StoreError('store_failed', `which files git ignores cannot be told, so nothing leaves this machine: ${why}`);
