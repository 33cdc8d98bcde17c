import fs from 'node:fs';
import { type Bytes, toBuffer } from '../../platform/bytes.ts';
import { codeOf, type Look, lookAt, reach, readLink } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { fileOid } from '../oid.ts';

/** What is at a path now. */
export type Present =
  | { readonly is: 'nothing' }
  | { readonly is: 'there'; readonly look: Look }
  /** A parent is a link or no folder: nothing of that name lies in this tree, and nothing may be written there. */
  | { readonly is: 'behind'; readonly obstacle: Bytes }
  /** It cannot be looked at, or is not to be: `mounted` is where another file system, or another folder, has been mounted on it or above. */
  | { readonly is: 'hidden'; readonly why: string; readonly mounted?: Bytes };

/** The file system as a plan sees it: each path looked at once, links never followed, contents named by their hash. */
export interface World {
  at(path: Bytes): Present;
  /** git's name of the file's bytes; undefined where it cannot be read, or is written at the same time. */
  oid(path: Bytes): string | undefined;
  /** What a link says. */
  link(path: Bytes): Bytes | undefined;
  /** Names in a folder; none where it cannot be read. */
  names(folder: Bytes): readonly Bytes[];
  /** Sets back the permissions that had to be widened for looking. */
  close(): void;
}

/**
 * Nothing is seen through the places in `mounted` (absolute). With `unlock`, a folder or file of our own that its mode keeps us from reading (`chmod -R 000 d`) is opened for the time
 * being and set back by `close`.
 */
export function lookAround(options: { readonly unlock: boolean; readonly mounted?: ReadonlySet<Bytes> }): World {
  const presents = new Map<Bytes, Present>();
  const oids = new Map<Bytes, string | undefined>();
  const opened: { readonly path: Bytes; readonly mode: number }[] = [];

  const at = (path: Bytes): Present => {
    const known = presents.get(path);
    if (known) return known;
    const found = look(path);
    presents.set(path, found);
    return found;
  };

  const look = (path: Bytes): Present => {
    if (options.mounted?.has(path)) return { is: 'hidden', why: 'mounted', mounted: path };
    if (path !== '/') {
      const parent = at(dirname(path));
      if (parent.is !== 'there') return parent;
      if (parent.look.type !== 'folder') return { is: 'behind', obstacle: dirname(path) };
    }
    try {
      const found = lookAt(path);
      return found === undefined ? { is: 'nothing' } : { is: 'there', look: found };
    } catch (error) {
      if (codeOf(error) === 'EACCES' && open(dirname(path), 0o500)) return look(path);
      return { is: 'hidden', why: codeOf(error) };
    }
  };

  /** Widens a mode of our own; false where that changes nothing. */
  const open = (path: Bytes, bits: number): boolean => {
    const present = at(path);
    if (!options.unlock || present.is !== 'there' || present.look.uid !== process.getuid?.()) return false;
    const { mode, type } = present.look;
    if ((mode & bits) === bits || (type !== 'folder' && type !== 'file')) return false;
    fs.chmodSync(toBuffer(path), mode | bits);
    opened.push({ path, mode });
    // The look keeps the mode that was found: what is compared and recorded is that one.
    const now = lookAt(path);
    if (now) presents.set(path, { is: 'there', look: { ...now, mode } });
    return true;
  };

  const readable = <T>(path: Bytes, bits: number, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (codeOf(error) !== 'EACCES' || !open(path, bits)) return undefined;
    }
    try {
      return read();
    } catch {
      return undefined; // opened, and still unreadable: the caller treats it as not known
    }
  };

  return {
    at,
    oid: (path) => {
      if (!oids.has(path)) {
        const present = at(path);
        const isFile = present.is === 'there' && present.look.type === 'file';
        oids.set(path, isFile ? readable(path, 0o400, () => fileOid(path)) : undefined);
      }
      return oids.get(path);
    },
    link: (path) => {
      const present = at(path);
      return present.is === 'there' && present.look.type === 'link' ? readLink(path) : undefined;
    },
    names: (folder) =>
      readable(folder, 0o500, () =>
        reach(folder, (at) => fs.readdirSync(at, 'buffer')).map((name) => name.toString('latin1')),
      ) ?? [],
    close: () => {
      for (const { path, mode } of opened.reverse()) {
        try {
          fs.chmodSync(toBuffer(path), mode);
        } catch (error) {
          if (codeOf(error) !== 'ENOENT') throw error; // a restore has taken it away: nothing to set back
        }
      }
      opened.length = 0;
    },
  };
}
