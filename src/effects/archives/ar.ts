import type { Bytes } from '../../platform/bytes.ts';
import { fromBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import type { Member } from './tar.ts';

/** The members of an ar archive (ar(5)), GNU long names included. Undefined as for `tarMembers`. */
export function arMembers(path: Bytes): Member[] | undefined {
  const all = contents(path);
  if (!all?.startsWith('!<arch>\n')) return undefined;
  const out: Member[] = [];
  let long = '';
  for (let at = 8; at + 60 <= all.length; ) {
    const name = all.slice(at, at + 16).trimEnd();
    const size = Number.parseInt(all.slice(at + 48, at + 58), 10);
    if (!(size >= 0)) return undefined;
    if (name === '//') long = all.slice(at + 60, at + 60 + size);
    else if (name !== '/' && name !== '/SYM64/') {
      const offset = /^\/(\d+)$/.exec(name)?.[1];
      const full =
        offset === undefined
          ? name.replace(/\/$/, '')
          : (long.slice(Number(offset)).split('\n')[0] ?? '').replace(/\/$/, '');
      out.push({ name: full, folder: false });
    }
    at += 60 + size + (size % 2);
  }
  return out;
}

function contents(path: Bytes): Bytes | undefined {
  try {
    const bytes = readBytesIfAny(path);
    return bytes && bytes.length < 64 << 20 ? fromBuffer(bytes) : undefined;
  } catch {
    return undefined; // unreadable: what is in it is not known
  }
}
