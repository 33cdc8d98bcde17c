import type { Bytes } from '../../platform/bytes.ts';
import { isAbsolute, isInside, join, normalize, relativeTo } from '../../platform/paths.ts';
import type { Arg, Call, Place } from '../../shell/types.ts';
import type { Out } from '../types.ts';

/** A folder of this machine and the path under which a command in another name space sees it. */
export interface Mount {
  readonly here: Bytes;
  readonly there: Bytes;
}

/** Where a path in the other name space lies on this machine; undefined where it is only there. */
export function homeward(mounts: readonly Mount[], path: Bytes): Bytes | undefined {
  const plain = normalize(path);
  const best = mounts
    .filter((mount) => isInside(plain, mount.there))
    .sort((a, b) => b.there.length - a.there.length)[0];
  if (!best) return undefined;
  const rest = relativeTo(best.there, plain);
  return rest === '.' ? best.here : join(best.here, rest);
}

/** Absolute paths in a script's text, rewritten to where they lie here. */
function textHomeward(mounts: readonly Mount[], text: Bytes): Bytes {
  return text.replace(/(^|[\s"'=:(){};&|<>`])(\/[^\s"'(){};&|<>`$*?[]*)/g, (whole, before: string, path: string) => {
    const here = homeward(mounts, path);
    if (here === undefined) return whole;
    return before + here + (path.endsWith('/') && path !== '/' && !here.endsWith('/') ? '/' : '');
  });
}

const wordHomeward = (mounts: readonly Mount[], arg: Arg): Arg => {
  if (arg.kind === 'unknown') {
    if (!isAbsolute(arg.prefix)) return arg;
    const slash = arg.prefix.lastIndexOf('/');
    const here = homeward(mounts, arg.prefix.slice(0, slash) || '/');
    return here === undefined ? arg : { ...arg, prefix: here + arg.prefix.slice(slash) };
  }
  if (/[\s;&|<>]/.test(arg.text)) return { kind: 'known', text: textHomeward(mounts, arg.text) };
  const at = /^(-[^=/]*=)?(?=\/)/.exec(arg.text)?.[1] ?? '';
  const path = arg.text.slice(at.length);
  if (!isAbsolute(path)) return arg;
  const here = homeward(mounts, path);
  return here === undefined
    ? arg
    : { kind: 'known', text: at + here + (path.endsWith('/') && path !== '/' ? '/' : '') };
};

/** Runs a command that sees only some folders of this machine, under other names; what it does elsewhere is not ours to save. */
export function mounted(call: Call, out: Out, mounts: readonly Mount[], argv: readonly Arg[], cwd: Place): void {
  const [program, ...rest] = argv;
  if (!program) return;
  out.within(
    mounts.map((mount) => mount.here),
    () => call.run([program, ...rest.map((arg) => wordHomeward(mounts, arg))], { cwd }),
  );
}

/** chroot(1), `sudo -R`, `unshare -R`: `/` is another folder. */
export function rebased(call: Call, out: Out, root: Bytes, argv: readonly Arg[]): void {
  const here = out.absolute(`${root}/.`);
  if (here === undefined) return;
  mounted(call, out, [{ here, there: '/' }], argv, { kind: 'known', path: here });
}
