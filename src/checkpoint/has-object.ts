import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { lookAt, namesInOrNone } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Store } from './store.ts';

const HEADER = 8;
const FANOUT = 256 * 4;
const OID = 20;

interface PackIndex {
  readonly fd: number;
  readonly fanout: Buffer;
}

/**
 * Whether the store has objects, loose or in packs (gitformat-pack(5), version 2 of its index), asked without starting a git. What it cannot
 * read counts as not there: whoever needs to know asks git then. To be closed.
 */
export class ObjectLooks {
  readonly #objects: Bytes;
  readonly #known = new Map<string, boolean>();
  #packs: readonly PackIndex[] | undefined;

  constructor(store: Store) {
    this.#objects = join(store.gitDir, 'objects');
  }

  has(oid: string): boolean {
    const known = this.#known.get(oid);
    if (known !== undefined) return known;
    const is = this.#isLoose(oid) || this.#isPacked(oid);
    this.#known.set(oid, is);
    return is;
  }

  close(): void {
    for (const { fd } of this.#packs ?? []) fs.closeSync(fd);
    this.#packs = undefined;
  }

  #isLoose(oid: string): boolean {
    return lookAt(join(this.#objects, `${oid.slice(0, 2)}/${oid.slice(2)}`))?.type === 'file';
  }

  #isPacked(oid: string): boolean {
    this.#packs ??= openAll(join(this.#objects, 'pack'));
    const wanted = Buffer.from(oid, 'hex');
    return this.#packs.some((pack) => isListed(pack, wanted));
  }
}

/** Those whose pack is there, too. */
function openAll(folder: Bytes): PackIndex[] {
  const names = namesInOrNone(folder);
  const there = new Set(names);
  return names
    .filter((name) => name.endsWith('.idx') && there.has(name.replace(/idx$/, 'pack')))
    .flatMap((name) => open(join(folder, name)) ?? []);
}

function open(path: Bytes): PackIndex | undefined {
  const head = Buffer.alloc(HEADER + FANOUT);
  const fd = fs.openSync(toBuffer(path), 'r');
  const isWhole = fs.readSync(fd, head, 0, head.length, 0) === head.length;
  if (isWhole && head.readUInt32BE(0) === 0xff744f63 && head.readUInt32BE(4) === 2)
    return { fd, fanout: head.subarray(HEADER) };
  fs.closeSync(fd);
  return undefined;
}

function isListed({ fd, fanout }: PackIndex, oid: Buffer): boolean {
  const first = oid[0] ?? 0;
  let low = first === 0 ? 0 : fanout.readUInt32BE((first - 1) * 4);
  const high = fanout.readUInt32BE(first * 4);
  const names = Buffer.alloc(Math.max(0, high - low) * OID);
  if (fs.readSync(fd, names, 0, names.length, HEADER + FANOUT + low * OID) !== names.length) return false;
  for (low = 0; low < names.length; low += OID) if (names.compare(oid, 0, OID, low, low + OID) === 0) return true;
  return false;
}
