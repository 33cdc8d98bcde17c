import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

/**
 * A file system that shows a folder, served by this program over FUSE (fuse(4), include/uapi/linux/fuse.h, protocol 7.23): what is asked
 * of one machine's mount is not kept by another's. `node fuse-run.ts FOLDER MOUNTPOINT KIND`; it says `ready`, and ends with the mount.
 */
const [from = '', to = '', kind = 'fuse'] = process.argv.slice(2);
const device = fs.openSync('/dev/fuse', 'r+');
const mount = spawn('mount', ['-i', '-t', kind, '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0', 'shown', to], {
  stdio: ['ignore', 'inherit', 'inherit', device],
});

const paths = new Map<bigint, string>([[1n, from]]);
const nodes = new Map<string, bigint>([[from, 1n]]);
let last = 1n;

const nodeOf = (path: string): bigint => {
  const node = nodes.get(path) ?? ++last;
  nodes.set(path, node);
  paths.set(node, path);
  return node;
};

const renamed = (before: string, after: string): void => {
  nodes.delete(after);
  for (const [path, node] of [...nodes])
    if (path === before || path.startsWith(`${before}/`)) {
      nodes.delete(path);
      nodes.set(after + path.slice(before.length), node);
      paths.set(node, after + path.slice(before.length));
    }
};

const nothing = Buffer.alloc(0);
const TYPES = { 26411: 12, 21609: 10, 16807: 8, 9604: 4, 2401: 1 } as Readonly<Record<number, number>>;

function attributes(path: string): Buffer {
  const stat = fs.lstatSync(path, { bigint: true });
  const out = Buffer.alloc(88);
  for (const [i, value] of [stat.ino, stat.size, stat.blocks].entries()) out.writeBigUInt64LE(value, i * 8);
  for (const [i, ns] of [stat.atimeNs, stat.mtimeNs, stat.ctimeNs].entries()) {
    out.writeBigUInt64LE(ns / 1_000_000_000n, 24 + i * 8);
    out.writeUInt32LE(Number(ns % 1_000_000_000n), 48 + i * 4);
  }
  for (const [i, value] of [stat.mode, stat.nlink, stat.uid, stat.gid, stat.rdev, stat.blksize].entries())
    out.writeUInt32LE(Number(value), 60 + i * 4);
  return out;
}

const numbers = (...values: readonly (number | bigint)[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const out = Buffer.alloc(typeof value === 'bigint' ? 8 : 4);
      if (typeof value === 'bigint') out.writeBigUInt64LE(value);
      else out.writeUInt32LE(value);
      return out;
    }),
  );

/** Nothing of it may be kept: every question comes here. */
const entry = (path: string): Buffer => {
  const seen = attributes(path);
  return Buffer.concat([numbers(nodeOf(path), 0n, 0n, 0n, 0, 0), seen]);
};
const opened = (fd: number): Buffer => numbers(BigInt(fd), 0, 0);
const seen = (path: string): Buffer => Buffer.concat([numbers(0n, 0, 0), attributes(path)]);
const texts = (bytes: Buffer): string[] => bytes.toString('latin1').split('\0');

function change(path: string, input: Buffer): Buffer {
  const valid = input.readUInt32LE(0);
  const time = (at: number, fraction: number): number =>
    Number(input.readBigUInt64LE(at)) + input.readUInt32LE(fraction) / 1e9;
  if (valid & 1) fs.chmodSync(path, input.readUInt32LE(68) & 0o7777);
  if (valid & 8) fs.truncateSync(path, Number(input.readBigUInt64LE(16)));
  if (valid & 48) {
    const now = Date.now() / 1000;
    fs.utimesSync(path, valid & 128 ? now : time(32, 56), valid & 256 ? now : time(40, 60));
  }
  return seen(path);
}

function names(path: string, input: Buffer): Buffer {
  const [from, size] = [Number(input.readBigUInt64LE(8)), input.readUInt32LE(16)];
  const out: Buffer[] = [];
  let length = 0;
  for (const [i, name] of ['.', '..', ...fs.readdirSync(path, 'latin1')].entries()) {
    if (i < from) continue;
    const at = fs.lstatSync(join(path, name), { throwIfNoEntry: false });
    const row = Buffer.alloc(24 + Math.ceil(name.length / 8) * 8);
    numbers(BigInt(at?.ino ?? 1), BigInt(i + 1), name.length, TYPES[(at?.mode ?? 0) & 0o170000] ?? 0).copy(row);
    row.write(name, 24, 'latin1');
    if (length + row.length > size) break;
    length += row.length;
    out.push(row);
  }
  return Buffer.concat(out);
}

/** `flags` are Linux' own numbers on both sides; without O_CREAT, O_EXCL of the request it is the kernel that has looked. */
const CALLS: Readonly<Record<number, (path: string, input: Buffer) => Buffer>> = {
  1: (path, input) => entry(join(path, texts(input)[0] ?? '')),
  3: (path) => seen(path),
  4: change,
  5: (path) => Buffer.from(fs.readlinkSync(path, 'latin1'), 'latin1'),
  9: (path, input) => {
    const made = join(path, texts(input.subarray(8))[0] ?? '');
    fs.mkdirSync(made, input.readUInt32LE(0) & 0o7777);
    return entry(made);
  },
  10: (path, input) => {
    const gone = join(path, texts(input)[0] ?? '');
    fs.unlinkSync(gone);
    nodes.delete(gone);
    return nothing;
  },
  11: (path, input) => {
    const gone = join(path, texts(input)[0] ?? '');
    fs.rmdirSync(gone);
    nodes.delete(gone);
    return nothing;
  },
  12: (path, input) => rename(path, input, 8),
  14: (path, input) => opened(fs.openSync(path, input.readUInt32LE(0) & ~0o40000)),
  15: (_, input) => {
    const out = Buffer.alloc(input.readUInt32LE(16));
    const fd = Number(input.readBigUInt64LE(0));
    return out.subarray(0, fs.readSync(fd, out, 0, out.length, Number(input.readBigUInt64LE(8))));
  },
  16: (_, input) => {
    const data = input.subarray(40, 40 + input.readUInt32LE(16));
    const fd = Number(input.readBigUInt64LE(0));
    return numbers(fs.writeSync(fd, data, 0, data.length, Number(input.readBigUInt64LE(8))), 0);
  },
  17: () => numbers(1n << 24n, 1n << 23n, 1n << 23n, 1n << 20n, 1n << 20n, 4096, 255, 4096, ...Array(7).fill(0)),
  18: (_, input) => {
    fs.closeSync(Number(input.readBigUInt64LE(0)));
    return nothing;
  },
  20: () => nothing,
  25: () => nothing,
  26: () => numbers(7, 23, 65536, 1 << 5, (16 << 16) | 12, 65536, 1, ...Array(9).fill(0)),
  27: () => numbers(0n, 0, 0),
  28: names,
  29: () => nothing,
  30: () => nothing,
  35: (path, input) => {
    const made = join(path, texts(input.subarray(16))[0] ?? '');
    const fd = fs.openSync(made, input.readUInt32LE(0), input.readUInt32LE(4) & 0o7777);
    return Buffer.concat([entry(made), opened(fd)]);
  },
  45: (path, input) => rename(path, input, 16),
};

function rename(path: string, input: Buffer, at: number): Buffer {
  const [before = '', after = ''] = texts(input.subarray(at));
  const target = join(paths.get(input.readBigUInt64LE(0)) ?? '', after);
  fs.renameSync(join(path, before), target);
  renamed(join(path, before), target);
  return nothing;
}

const ENOSYS = 38;
/** FORGET, INTERRUPT and BATCH_FORGET have no answer. */
const SILENT = [2, 36, 42];

function answer(request: Buffer): void {
  const code = request.readUInt32LE(4);
  if (SILENT.includes(code)) return;
  let error = 0;
  let out: Buffer = nothing;
  try {
    const call = CALLS[code];
    if (call === undefined) error = ENOSYS;
    else out = call(paths.get(request.readBigUInt64LE(16)) ?? '', request.subarray(40));
  } catch (thrown) {
    error = -((thrown as { errno?: number }).errno ?? -5);
  }
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + out.length, 0);
  head.writeInt32LE(-error, 4);
  request.copy(head, 8, 8, 16);
  fs.writevSync(device, [head, out]);
}

mount.on('exit', (code) => {
  if (code !== 0) process.exit(1);
  console.log('ready');
  const request = Buffer.alloc(1 << 18);
  for (;;) {
    let length = 0;
    try {
      length = fs.readSync(device, request, 0, request.length, null);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'ENODEV') process.exit(0); // unmounted
      if (code !== 'ENOENT' && code !== 'EINTR') throw error;
      continue;
    }
    answer(request.subarray(0, length));
  }
});
