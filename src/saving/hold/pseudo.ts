import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import type { Look } from '../../platform/files.ts';

/**
 * File systems that the kernel makes up (statfs(2)): nothing in them is kept anywhere, and reading some of it takes for ever. Tens of
 * thousands of names below /proc and /sys.
 */
const KINDS: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x62656570, 'configfs'],
  [0x27e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0x1cd1, 'devpts'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0x6165676c, 'pstore'],
  [0xcafe4a11, 'bpf'],
  [0x19800202, 'mqueue'],
  [0x958458f6, 'hugetlbfs'],
  [0xde5e81e4, 'efivarfs'],
  [0x42494e4d, 'binfmt_misc'],
  [0xf97cff8c, 'selinuxfs'],
  [0x65735543, 'fusectl'],
  [0x6e736673, 'nsfs'],
  [0x67596969, 'rpc_pipefs'],
]);

/** Tells of which made-up file system a path is, if any; asks once for each device. */
export function pseudoFileSystems(): (path: Bytes, look: Look) => string | undefined {
  const known = new Map<string, string | undefined>();
  // Nearly all lie on the device of the one before.
  let last: { readonly dev: string; readonly kind: string | undefined } | undefined;
  return (path, { type, dev }) => {
    if (type !== 'folder' && type !== 'file') return undefined;
    if (last?.dev !== dev) {
      if (!known.has(dev)) known.set(dev, kindAt(path));
      last = { dev, kind: known.get(dev) };
    }
    return last.kind;
  };
}

function kindAt(path: Bytes): string | undefined {
  try {
    return KINDS.get(fs.statfsSync(toBuffer(path)).type >>> 0);
  } catch {
    return undefined; // it went meanwhile, or does not say: then it is looked at like any other
  }
}
