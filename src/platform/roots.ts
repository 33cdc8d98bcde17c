import type { Bytes } from './bytes.ts';
import { lookAt } from './files.ts';
import { dirname, join } from './paths.ts';

const REPOSITORIES = ['.git', '.hg', '.jj'];
const PACKAGES = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'composer.json',
  'Gemfile',
];

/**
 * The project that a path belongs to : the nearest repository above it; where there is none, the nearest
 * package marker; never `$HOME` and never `/`. The path itself may be the root. Undefined: no project.
 */
export function projectRoot(path: Bytes, home: Bytes | undefined): Bytes | undefined {
  const start = isFolder(path) ? path : dirname(path);
  return nearest(start, REPOSITORIES, home) ?? nearest(start, PACKAGES, home);
}

function isFolder(path: Bytes): boolean {
  try {
    return lookAt(path)?.type === 'folder';
  } catch {
    return true; // not to be looked at: whatever it is, the search goes on above it
  }
}

function nearest(path: Bytes, markers: readonly Bytes[], home: Bytes | undefined): Bytes | undefined {
  for (let folder = path; folder !== '/'; folder = dirname(folder)) {
    if (folder !== home && markers.some((name) => exists(join(folder, name)))) return folder;
    if (!folder.startsWith('/')) return undefined;
  }
  return undefined;
}

function exists(path: Bytes): boolean {
  try {
    return lookAt(path) !== undefined;
  } catch {
    return false; // a folder we may not enter holds no marker that we could use
  }
}
