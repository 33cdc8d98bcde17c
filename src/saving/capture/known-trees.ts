import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';

/** Which tree a folder of an index has. Filled in while trees are written. */
export interface KnownTree {
  readonly name: Bytes;
  /** How many entries it has, those of its folders among them; -1: it changed. */
  count: number;
  oid: string;
  below: readonly KnownTree[];
}

const OID = 20;
const HASH = 20;
const HEAD = 8;

/**
 * What an index says of its folders' trees in its extension `TREE` (gitformat-index(5), "Cache tree"), `end` being where its entries end:
 * only the root, changed, where it says nothing. Undefined where the index has extensions without which it means something else.
 */
export function readKnown(bytes: Buffer, end: number): KnownTree | undefined {
  let known: KnownTree | undefined;
  for (let at = end; at + HEAD <= bytes.length - HASH; ) {
    const size = bytes.readUInt32BE(at + 4);
    const what = bytes.toString('latin1', at, at + 4);
    if (!/^[A-Z]/.test(what)) return undefined;
    if (what === 'TREE') known = parse(bytes.subarray(at + HEAD, at + HEAD + size));
    at += HEAD + size;
  }
  return known ?? { name: '', count: -1, oid: '', below: [] };
}

/** Undefined where it is cut off: it is only a cache. */
function parse(bytes: Buffer): KnownTree | undefined {
  let at = 0;
  const upTo = (mark: string): Bytes | undefined => {
    const end = bytes.indexOf(mark, at);
    const text = end < 0 ? undefined : fromBuffer(bytes.subarray(at, end));
    at = end + 1;
    return text;
  };
  const next = (): KnownTree | undefined => {
    const [name, count, below] = [upTo('\0'), upTo(' '), upTo('\n')];
    if (name === undefined || count === undefined || below === undefined) return undefined;
    const has = Number(count) >= 0 ? OID : 0;
    const oid = bytes.toString('hex', at, at + has);
    at += has;
    const found = Array.from({ length: Number(below) }, next);
    const whole = found.filter((one) => one !== undefined);
    return whole.length < found.length ? undefined : { name, count: Number(count), oid, below: whole };
  };
  return next();
}

/** git finds a folder's tree by this order: shorter names first. */
const inOrder = (a: KnownTree, b: KnownTree): number => a.name.length - b.name.length || (a.name < b.name ? -1 : 1);

/** The extension, whole. */
export function writeKnown(root: KnownTree): Buffer {
  const parts: Buffer[] = [];
  const add = ({ name, count, oid, below }: KnownTree): void => {
    parts.push(toBuffer(`${name}\0${count} ${below.length}\n`), Buffer.from(oid, 'hex'));
    for (const one of [...below].sort(inOrder)) add(one);
  };
  add(root);
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(HEAD);
  head.write('TREE', 'latin1');
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** The trees of all folders on the way to `path` are others now. */
export function forgetOn(root: KnownTree, path: Bytes): void {
  const names = path.split('/').slice(0, -1);
  let tree: KnownTree | undefined = root;
  root.count = -1;
  for (const name of names) {
    tree = tree.below.find((one) => one.name === name);
    if (tree === undefined) return;
    tree.count = -1;
  }
}
