import { type Bytes, fromText } from './bytes.ts';
import { realAsFar } from './files.ts';
import { dirname } from './paths.ts';

/** Whether this is the compiled program: a file of its own, in which all the sources lie where no file system has them. */
export const isCompiled = (): boolean => (process.argv[1] ?? '').startsWith('/$bunfs');

/** What the kernel says of a program that install.sh has moved aside and taken away, while it runs. */
const REPLACED = /\/\.belay-old-\d+\/(.*?)(?: \(deleted\))?$/;

/** Where the compiled program is found from now on: once a newer belay was installed over the one that runs, this is the newer one. */
export const compiledProgram = (path = process.execPath): string => path.replace(REPLACED, '/belay/$1');

/**
 * The installation's folder, with `dist`, `bin` and `hooks` in it: above the folder of `file`, or of the compiled program, whether or not
 * it is there at this instant; from source above `src` and the folder of `file`.
 */
export function installFolderOf(file: string): Bytes {
  const here = dirname(realAsFar(fromText(isCompiled() ? compiledProgram() : file)));
  return /\/src\/(?:cli|snap)$/.test(here) ? dirname(dirname(here)) : dirname(here);
}
