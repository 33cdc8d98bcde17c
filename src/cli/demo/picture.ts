import { createHash } from 'node:crypto';
import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt, namesIn, readBytes, readLink } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';

/** Every file, folder and link below a folder (its `.git` left out): type, mode and the hash of its bytes. */
export type Picture = ReadonlyMap<Bytes, string>;

export function takePicture(folder: Bytes): Picture {
  const picture = new Map<Bytes, string>();
  const walk = (path: Bytes, name: Bytes): void => {
    const look = lookAt(path);
    if (look === undefined) return;
    const bytes = look.type === 'file' ? hash(readBytes(path)) : look.type === 'link' ? readLink(path) : '';
    picture.set(name, `${look.type} ${look.mode.toString(8)} ${bytes}`);
    if (look.type === 'folder')
      for (const below of namesIn(path)) if (below !== '.git') walk(join(path, below), `${name}/${below}`);
  };
  for (const name of namesIn(folder)) if (name !== '.git') walk(join(folder, name), name);
  return picture;
}

/** What differs, in words; empty where nothing does. */
export function differences(wanted: Picture, found: Picture): readonly string[] {
  const out: string[] = [];
  for (const [name, what] of wanted) {
    const now = found.get(name);
    if (now === undefined) out.push(`${toText(name)} is missing`);
    else if (now !== what) out.push(`${toText(name)} is ${now}, was ${what}`);
  }
  for (const name of found.keys()) if (!wanted.has(name)) out.push(`${toText(name)} should not be there`);
  return out;
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
