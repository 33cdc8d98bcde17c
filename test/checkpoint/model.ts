import fs from 'node:fs';
import { join } from 'node:path';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Change, Content, TurnRecord, Version } from '../../src/checkpoint/record.ts';
import type { Store } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { turn } from './given.ts';

/** A tree in memory: relative path → what is there. */
export interface Node {
  readonly kind: 'file' | 'folder' | 'link' | 'fifo';
  readonly mode: number;
  readonly bytes?: Buffer;
  readonly target?: string;
  readonly ino: string;
  readonly nlink: number;
}
export type Tree = ReadonlyMap<string, Node>;

export function readTree(root: string): Map<string, Node> {
  const out = new Map<string, Node>();
  const visit = (relative: string): void => {
    for (const name of fs.readdirSync(join(root, relative))) {
      if (name === '.git' && relative === '') continue;
      const path = relative === '' ? name : `${relative}/${name}`;
      const stat = fs.lstatSync(join(root, path));
      const common = { mode: stat.mode & 0o7777, ino: String(stat.ino), nlink: stat.nlink };
      if (stat.isDirectory()) {
        out.set(path, { kind: 'folder', ...common });
        visit(path);
      } else if (stat.isSymbolicLink())
        out.set(path, { kind: 'link', target: fs.readlinkSync(join(root, path)), ...common });
      else if (stat.isFIFO()) out.set(path, { kind: 'fifo', ...common });
      else out.set(path, { kind: 'file', bytes: fs.readFileSync(join(root, path)), ...common });
    }
  };
  visit('');
  return out;
}

export const sameNode = (a: Node | undefined, b: Node | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.kind === b.kind &&
      (a.kind === 'link' ? a.target === b.target : a.mode === b.mode) &&
      (a.kind !== 'file' || (a.bytes ?? Buffer.alloc(0)).equals(b.bytes ?? Buffer.alloc(0)));

/** The paths in which two trees differ, for messages. */
export function differences(a: Tree, b: Tree): string[] {
  const out: string[] = [];
  for (const path of new Set([...a.keys(), ...b.keys()]))
    if (!sameNode(a.get(path), b.get(path))) out.push(`${path}: ${tell(a.get(path))} / ${tell(b.get(path))}`);
  return out.sort();
}

const tell = (node: Node | undefined): string =>
  node === undefined
    ? '-'
    : `${node.kind} ${node.mode.toString(8)} ${node.target ?? node.bytes?.toString('latin1').slice(0, 12) ?? ''}`;

export type Random = () => number;

/** Mulberry32: small, seeded, the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f g', '\u00e9'];

const randomPath = (random: Random): string => {
  const depth = 1 + Math.floor(random() * 3);
  return Array.from({ length: depth }, () => pick(random, NAMES)).join('/');
};

/** What a repository or its owner keeps there is not what a line is about. */
const isPlain = (path: string): boolean => !/(?:^|\/)\.git/.test(path);

/** Repositories inside the project. */
export const nestedIn = (tree: Tree): string[] =>
  [...tree.keys()].filter((path) => path.endsWith('/.git/HEAD')).map((path) => path.slice(0, -'/.git/HEAD'.length));

/** A repository of its own below the project, without a commit, and files in it. */
export function nest(random: Random, root: string): void {
  const top = join(root, pick(random, ['a', 'b', 'c/d']));
  if (fs.existsSync(top)) return;
  for (const folder of ['.git/objects', '.git/refs/heads', 'b']) fs.mkdirSync(join(top, folder), { recursive: true });
  fs.writeFileSync(join(top, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(join(top, '.git/config'), '[core]\n\trepositoryformatversion = 0\n');
  for (const name of ['a', 'b/e']) fs.writeFileSync(join(top, name), name);
}

const existing = (random: Random, tree: Tree, kinds: readonly Node['kind'][]): string | undefined => {
  const some = [...tree].filter(([path, node]) => kinds.includes(node.kind) && isPlain(path)).map(([path]) => path);
  return some.length === 0 ? undefined : pick(random, some);
};

const parentsAreFolders = (root: string, path: string): boolean => {
  const parts = path.split('/').slice(0, -1);
  let at = root;
  for (const part of parts) {
    at = join(at, part);
    try {
      if (!fs.lstatSync(at).isDirectory()) return false;
    } catch {
      return true; // will be made
    }
  }
  return true;
};

/** One random thing that a line, or a person, does to the tree. Returns it in words; undefined when it did not apply. */
export function act(random: Random, root: string): string | undefined {
  const tree = readTree(root);
  const dice = random();
  const text = (): Buffer =>
    Buffer.from(
      `${Math.floor(random() * 6)}${random() < 0.2 ? '\r\n\xff' : ''}`.repeat(1 + Math.floor(random() * 3)),
      'latin1',
    );
  const nested = nestedIn(tree);
  const within = nested.length > 0 && random() < 0.3 ? pick(random, nested) : undefined;
  const target = within === undefined ? randomPath(random) : `${within}/${pick(random, NAMES)}`;
  const at = join(root, target);
  if (dice < 0.28) {
    if (!parentsAreFolders(root, target) || tree.get(target)?.kind === 'folder') return undefined;
    fs.mkdirSync(join(at, '..'), { recursive: true });
    if (tree.get(target)?.kind === 'link' || tree.get(target)?.kind === 'fifo') fs.rmSync(at);
    if (random() < 0.5 && tree.has(target)) fs.rmSync(at, { force: true });
    const content = text();
    fs.writeFileSync(at, content);
    if (random() < 0.3) fs.chmodSync(at, pick(random, [0o600, 0o755, 0o444, 0o1755]));
    return `write ${target} ${JSON.stringify(content.toString('latin1'))}`;
  }
  if (dice < 0.4) {
    const file = existing(random, tree, ['file', 'link', 'fifo']);
    if (file === undefined) return undefined;
    fs.rmSync(join(root, file));
    return `rm ${file}`;
  }
  if (dice < 0.5) {
    const folder = existing(random, tree, ['folder']);
    if (folder === undefined) return undefined;
    fs.rmSync(join(root, folder), { recursive: true });
    return `rm -r ${folder}`;
  }
  if (dice < 0.72) {
    const from = existing(random, tree, ['file', 'folder', 'link']);
    if (from === undefined || from === target || target.startsWith(`${from}/`) || from.startsWith(`${target}/`))
      return undefined;
    if (!parentsAreFolders(root, target)) return undefined;
    const there = tree.get(target);
    const isFolder = tree.get(from)?.kind === 'folder';
    if (there && (there.kind === 'folder') !== isFolder) return undefined;
    fs.mkdirSync(join(at, '..'), { recursive: true });
    try {
      fs.renameSync(join(root, from), at);
    } catch {
      return undefined; // onto a folder that is not empty
    }
    return `mv ${from} ${target}`;
  }
  if (dice < 0.78) {
    if (!parentsAreFolders(root, target) || tree.has(target)) return undefined;
    fs.mkdirSync(at, { recursive: true });
    return `mkdir ${target}`;
  }
  if (dice < 0.86) {
    if (!parentsAreFolders(root, target) || tree.get(target)?.kind === 'folder') return undefined;
    fs.mkdirSync(join(at, '..'), { recursive: true });
    fs.rmSync(at, { force: true });
    const places = nested.flatMap((one) => [one, `${one}/a`]).map((one) => join(root, one));
    fs.symlinkSync(pick(random, ['../outside', 'a', 'nowhere', '/', '../outside/keep', ...places]), at);
    return `ln -sf ${target}`;
  }
  if (dice < 0.93) {
    const some = existing(random, tree, ['file', 'folder']);
    if (some === undefined) return undefined;
    const mode = pick(
      random,
      tree.get(some)?.kind === 'folder' ? [0o700, 0o755, 0o555, 0o000] : [0o600, 0o644, 0o000, 0o755],
    );
    fs.chmodSync(join(root, some), mode);
    return `chmod ${mode.toString(8)} ${some}`;
  }
  const file = existing(random, tree, ['file']);
  if (file === undefined) return undefined;
  if (dice < 0.96) {
    if (!parentsAreFolders(root, target) || tree.has(target)) return undefined;
    fs.mkdirSync(join(at, '..'), { recursive: true });
    fs.linkSync(join(root, file), at);
    return `ln ${file} ${target}`;
  }
  fs.writeFileSync(join(root, file), text());
  return `echo > ${file} in place`;
}

/** What a settle would record of a turn that led from one tree to the other. */
export function record(
  store: Store,
  root: string,
  before: Tree,
  after: Tree,
  given: Partial<TurnRecord>,
  random: Random,
  more: ReadonlyMap<string, Buffer> = new Map(),
): number {
  const contents = new Map<string, Buffer>(more);
  const changes: Change[] = [];
  const holds: { bytes: Buffer; name: string }[] = [];
  const wentTo = new Map<string, string>();
  for (const [path, node] of after)
    if (!before.has(path) || before.get(path)?.ino !== node.ino) wentTo.set(node.ino, path);
  const version = (node: Node | undefined, moved: boolean, side: 'before' | 'after'): Version => {
    if (node === undefined) return { kind: 'absent' };
    if (node.kind === 'folder') return { kind: 'folder', mode: node.mode };
    if (node.kind === 'link') return { kind: 'link', target: Buffer.from(node.target ?? '').toString('latin1') };
    if (node.kind === 'fifo') return { kind: 'special', what: 'fifo', mode: node.mode };
    const bytes = node.bytes ?? Buffer.alloc(0);
    const oid = blobOid(bytes);
    let content: Content = { at: 'git', oid };
    if (moved || (side === 'after' && random() < 0.3)) content = { at: 'hash', oid };
    else if (random() < 0.2) {
      const name = `h${holds.length}`;
      holds.push({ bytes, name });
      content = { at: 'hold', path: name, linked: false, ...(random() < 0.5 ? { oid } : {}) };
    } else contents.set(oid, bytes);
    const names = node.nlink > 1 ? { ino: node.ino, names: node.nlink } : {};
    return { kind: 'file', mode: node.mode, size: bytes.length, content, ...names };
  };
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(path), after.get(path)];
    if (sameNode(old, now)) continue;
    const to =
      old && now === undefined && old.nlink === (old.kind === 'folder' ? old.nlink : 1)
        ? wentTo.get(old.ino)
        : undefined;
    const arrived = to === undefined ? undefined : after.get(to);
    const moved =
      arrived !== undefined &&
      old !== undefined &&
      ((old.kind === 'folder' && arrived.kind === 'folder') || sameNode(old, arrived));
    changes.push({
      path: Buffer.from(path).toString('latin1'),
      before: version(old, moved && old?.kind === 'file', 'before'),
      after: version(now, false, 'after'),
      by: 'named',
      ...(moved && to !== undefined ? { movedTo: Buffer.from(to).toString('latin1') } : {}),
    });
  }
  const written = writeRecord(store, root, turn({ ...given, changes }), contents);
  const folder = join(store.base, 'holds', written.key, String(written.n));
  if (holds.length > 0) fs.mkdirSync(folder, { recursive: true });
  for (const { bytes, name } of holds) fs.writeFileSync(join(folder, name), bytes);
  return written.n;
}
