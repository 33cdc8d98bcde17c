import fs from 'node:fs';
import { type Bytes, fromBuffer, toBuffer } from './bytes.ts';
import { codeOf } from './files.ts';
import { isInside } from './paths.ts';

/** What was mounted inside a folder at one moment (absolute, real paths). */
export interface MountsBelow {
  readonly folder: Bytes;
  readonly points: readonly Bytes[];
}

/**
 * Where something is mounted below a folder (real path), itself left aside: nothing may be deleted through such a place. A bind mount
 * has the device of what it shows, so that only the kernel's list tells (proc_pid_mountinfo(5)). None where there is no such list.
 */
export function mountsBelow(folder: Bytes): readonly Bytes[] {
  return mountPoints(folder).filter((point) => point !== folder && isInside(point, folder));
}

/** Where something is mounted; none where the system does not tell. `below`: what lies elsewhere may be missing. */
export function mountPoints(below: Bytes = '/'): readonly Bytes[] {
  const list = mountinfo();
  // Most folders have none: that is seen without taking the list apart.
  if (/^[!-[\]-~\x80-\xff]+$/.test(below) && below !== '/' && !list.includes(` ${below}/`)) return [];
  return [...new Set(list.split('\n').flatMap((line) => line.split(' ')[4] ?? []))].map(plain);
}

/** Blanks, tabs, newlines and backslashes stand as octal numbers. */
const plain = (field: Bytes): Bytes =>
  field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** The file system on which a path (real) lies, as mount(8) names its kind; undefined where the system does not tell. */
export function mountedAs(path: Bytes): Bytes | undefined {
  let best: { readonly point: Bytes; readonly kind: Bytes | undefined } | undefined;
  for (const line of mountinfo().split('\n')) {
    const point = plain(line.split(' ')[4] ?? '');
    // What was mounted last lies on top.
    if (point !== '' && isInside(path, point) && point.length >= (best?.point.length ?? 0))
      best = { point, kind: line.split(' - ')[1]?.split(' ')[0] };
  }
  return best?.kind;
}

/** The kernel's list; nothing where there is none (no Linux). */
function mountinfo(): Bytes {
  try {
    return fromBuffer(fs.readFileSync(toBuffer('/proc/self/mountinfo')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
