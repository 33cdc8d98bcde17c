import type { Bytes } from '../../platform/bytes.ts';
import { lookThrough } from '../../platform/files.ts';
import { basename, dirname, isAbsolute } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { textOfArg, type Use } from '../row.ts';
import type { Way } from '../types.ts';
import type { Member } from './tar.ts';

/** How members become paths. */
export interface Extraction {
  readonly archive: Arg | undefined;
  /** Where they go; undefined: the working directory. */
  readonly into: Arg | undefined;
  readonly members: (path: Bytes) => readonly Member[] | undefined;
  /** The path that a member gets below `into`; undefined: it is not extracted. */
  readonly named?: (member: Member) => Bytes | undefined;
  /** What happens to a file that is there. `create`: it is kept. */
  readonly way: Way;
  readonly certainty?: 'maybe';
  /** A link where the archive has a folder is replaced by the folder, not gone through. */
  readonly replacesLinks?: boolean;
  /** Called for each file that is there and is overwritten. */
  readonly replaced?: (path: Bytes) => void;
  /** `-P`: absolute names and `..` are taken as they are. */
  readonly absolute?: boolean;
}

/**
 * Extracting an archive: told as the folder, held as the files in it that are overwritten or appear. Where the archive cannot
 * be read beforehand, anything in the folder may be overwritten.
 */
export function extract(use: Use, how: Extraction): void {
  const { call, out, verb } = use;
  const into = how.into ?? knownArg('.');
  const folder = out.absolute(into.kind === 'known' && !into.text.endsWith('/') ? knownArg(`${into.text}/`) : into);
  if (folder !== undefined && (out.kindOf(folder) === 'absent' || out.namesIn(folder).length === 0) && !how.absolute) {
    const way = out.kindOf(folder) === 'absent' ? 'create' : 'replace';
    out.effect({ verb, path: folder, way, recursive: true });
    return;
  }
  const archive = how.archive === undefined || textOfArg(how.archive) === '-' ? undefined : out.absolute(how.archive);
  if (archive !== undefined && out.kindOf(archive) === 'absent') {
    out.remark(`${basename(archive)}: no such archive here`);
    return;
  }
  // Its head is known only while no earlier command of the line writes it.
  const members = archive === undefined || out.headOf(archive) === undefined ? undefined : how.members(archive);
  if (how.way === 'create' && members === undefined) return;
  if (folder === undefined || members === undefined) {
    out.unknown(
      verb,
      folder ?? call.cwd,
      'what the archive holds is not known: anything in the folder it goes to may be overwritten',
    );
    return;
  }
  const parts = paths(use, folder, members, how);
  const certainty = how.certainty ? { certainty: how.certainty } : {};
  if (parts.length > 0) out.effect({ verb, path: folder, way: how.way, recursive: true, parts, ...certainty });
}

/** Members as absolute paths; what lies in a folder that appears with it is left out. */
function paths(use: Use, folder: Bytes, members: readonly Member[], how: Extraction): Bytes[] {
  const out: Bytes[] = [];
  const absent = new Set<Bytes>();
  const base = folder === '/' ? '' : folder;
  for (const member of members) {
    const name = (how.named ? how.named(member) : member.name)?.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
    if (name === undefined || name === '' || name === '.') continue;
    const stripped = how.absolute ? name : name.replace(/^\/+/, '');
    if (!how.absolute && /(^|\/)\.\.(\/|$)/.test(stripped)) continue;
    const written = isAbsolute(stripped) ? stripped : `${base}/${stripped}`;
    if (absent.has(dirname(written))) {
      absent.add(written);
      continue;
    }
    const path = use.out.absolute(written);
    if (path === undefined) continue;
    const kind = use.out.kindOf(path);
    if (how.replacesLinks && member.folder && use.out.isLink(path)) {
      absent.add(written);
      use.out.effect({ verb: use.verb, path, way: 'replace', recursive: true });
      continue;
    }
    if (kind === 'absent') absent.add(written);
    if (kind === 'folder' && member.folder) metadata(use, path, member);
    else {
      out.push(path);
      if (kind === 'file') how.replaced?.(path);
    }
  }
  return out;
}

/** A folder that is there gets the archive's mode. */
function metadata(use: Use, path: Bytes, member: Member): void {
  const mode = modeOf(path);
  if (member.mode === undefined || mode === undefined || mode === member.mode) return;
  use.out.effect({
    verb: use.verb,
    path,
    way: 'metadata',
    note: 'the folder gets the mode that the archive has for it',
  });
}

function modeOf(path: Bytes): number | undefined {
  try {
    return lookThrough(path)?.mode;
  } catch {
    return undefined; // it may not be looked at: the command cannot change it either
  }
}
