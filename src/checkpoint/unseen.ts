import fs from 'node:fs';
import os from 'node:os';
import { type Bytes, fromBuffer, fromText, toBuffer } from '../platform/bytes.ts';
import { codeOf, makeFolder, removeTree } from '../platform/files.ts';
import { git } from '../platform/git.ts';
import { basename, dirname, isInside, join } from '../platform/paths.ts';
import { anyOf } from '../platform/wild.ts';
import { type Capture, readObjects } from './read.ts';
import type { CaptureRecord } from './record.ts';
import type { Store } from './store.ts';

const IGNORED = 'git ignored it when the state before was captured, so nobody knows whether it was there';
const UNKNOWN = 'nobody knows whether git ignored it when the state before was captured';

/**
 * Which of these paths (relative to the root, none of them in the capture) may have been there all the same when it was taken, and
 * why it would not show them. Every other one is proved absent. Nothing is ever removed because a capture does not have it
 * unless it is proved. One git process to read the ignore files, one for each work tree to ask git what they mean.
 */
export function maybeThere(store: Store, capture: Capture, paths: readonly Bytes[]): Map<Bytes, string> {
  const { record } = capture;
  const out = new Map<Bytes, string>();
  const byTree = new Map<Bytes, Bytes[]>();
  for (const path of paths) {
    const left = record.leftOut.find((one) => one.path === '' || isInside(path, one.path));
    const lost = record.nested.find((one) => !one.captured && isInside(path, one.path));
    if (left !== undefined) out.set(path, `it was left out when the state before was captured: ${left.reason}`);
    else if (lost !== undefined) out.set(path, 'it lies in a repository that was not captured');
    else if (record.ignores === undefined) out.set(path, UNKNOWN);
    else {
      const tree = treeOf(path, record);
      byTree.set(tree, [...(byTree.get(tree) ?? []), path]);
    }
  }
  for (const [tree, list] of byTree) {
    const ignored = ignoredThen(store, capture, tree, list);
    const isCovered = coveredBy(record);
    for (const path of list) {
      const verdict = ignored?.has(path);
      if (verdict === undefined) out.set(path, UNKNOWN);
      else if (verdict && !isCovered(path)) out.set(path, IGNORED);
    }
  }
  return out;
}

/** Those of these paths (relative to the root) that git ignored when the capture was taken; undefined where nobody can tell. */
export function ignoredWhen(store: Store, capture: Capture, paths: readonly Bytes[]): ReadonlySet<Bytes> | undefined {
  if (capture.record.ignores === undefined) return undefined;
  const out = new Set<Bytes>();
  const byTree = new Map<Bytes, Bytes[]>();
  for (const path of paths) {
    const tree = treeOf(path, capture.record);
    byTree.set(tree, [...(byTree.get(tree) ?? []), path]);
  }
  for (const [tree, list] of byTree) {
    const ignored = ignoredThen(store, capture, tree, list);
    if (ignored === undefined) return undefined;
    for (const path of ignored) out.add(path);
  }
  return out;
}

/** The work tree that a path belongs to: a nested repository has ignore files of its own. */
const treeOf = (path: Bytes, { nested }: CaptureRecord): Bytes =>
  nested.reduce((best, { path: at }) => (isInside(path, at) && at.length > best.length ? at : best), '');

/** Ignored, but of a name that captures have all the same. */
function coveredBy({ ignores }: CaptureRecord): (path: Bytes) => boolean {
  const precious = ignores?.precious;
  if (precious === undefined) return () => false;
  const names = anyOf(precious.names.map(fromText));
  const [skip, unsure] = [new Set(precious.skip.map(fromText)), new Set(precious.unsure)];
  return (path) => names.test(basename(path)) && !unsure.has(path) && !path.split('/').some((name) => skip.has(name));
}

/** Those that git would have ignored then; undefined where it cannot be asked. */
function ignoredThen(
  store: Store,
  { id, record }: Capture,
  tree: Bytes,
  paths: readonly Bytes[],
): ReadonlySet<Bytes> | undefined {
  const folders = [...foldersAbove(tree, paths)];
  if (folders.some((folder) => folder.includes('\n'))) return undefined;
  const hidden = new Map(record.ignores?.files);
  const texts = readObjects(
    store,
    folders.map((folder) => `${id}:files/${folder === '' ? '' : `${folder}/`}.gitignore`),
  ).map((text, i) => hidden.get(folders[i] ?? '') ?? (text === undefined ? '' : fromBuffer(text)));
  const exclude = record.ignores?.exclude ?? '';
  if (exclude === '' && texts.every((text) => text === '')) return new Set();
  let work: Bytes | undefined;
  try {
    work = fromText(fs.mkdtempSync(`${os.tmpdir()}/belay-ignored-`));
    fs.writeFileSync(toBuffer(join(work, 'exclude')), toBuffer(exclude));
    const top = join(work, 'tree');
    makeFolder(top);
    folders.forEach((folder, i) => {
      const text = texts[i] ?? '';
      if (text === '') return;
      const at = join(top, within(tree, folder));
      makeFolder(at);
      fs.writeFileSync(toBuffer(join(at, '.gitignore')), toBuffer(text));
    });
    const answer = git(['check-ignore', '-z', '--stdin', '--no-index'], {
      cwd: top,
      gitDir: store.gitDir,
      workTree: top,
      pathspecs: {}, // it takes none of their magic, and each begins with ./
      configPaths: { 'core.excludesFile': join(work, 'exclude') },
      input: toBuffer(paths.map((path) => `./${within(tree, path)}\0`).join('')),
    });
    if (!answer.ok && answer.code !== 1) return undefined; // 1: none of them
    const found = new Set(fromBuffer(answer.out).split('\0'));
    return new Set(paths.filter((path) => found.has(`./${within(tree, path)}`)));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined; // no room, too long a name: then nothing is proved
  } finally {
    if (work !== undefined) removeTree(work);
  }
}

const within = (tree: Bytes, path: Bytes): Bytes =>
  tree === '' ? path : path === tree ? '' : path.slice(tree.length + 1);

/** Every folder in which an ignore file has a say, the work tree's own first. */
function foldersAbove(tree: Bytes, paths: readonly Bytes[]): Set<Bytes> {
  const out = new Set<Bytes>([tree]);
  for (const path of paths)
    for (let at = dirname(path); at !== '.' && at !== tree && !out.has(at); at = dirname(at)) out.add(at);
  return out;
}
