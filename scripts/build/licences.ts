import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Packages by their folder (`node_modules/yaml`) of which a bundle has something, and does not only look at. */
export function packagesIn({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return files.flatMap((file) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
}

/** What is no package of npm's, or brings no text of its licence with it. */
const OTHERS = {
  sqlite: `SQLite (in better_sqlite3.node)

SQLite is in the public domain: https://www.sqlite.org/copyright.html
`,
  glibc: `The C library of the machine that built it (in wrapper)

The GNU C library is under the LGPL, version 2.1 or later, and is linked statically: https://www.gnu.org/software/libc/. wrapper is linked anew
with a changed one from shims/native/*.c, which lies beside it: cc -static -o wrapper shims/native/*.c.
`,
  bun: `Bun (the runtime in the compiled belay-snap)

Bun is under the MIT licence. It links JavaScriptCore and other parts of WebKit statically, which are under the LGPL, version 2, and further
libraries. https://github.com/oven-sh/bun/blob/main/LICENSE.md names each with its licence, where the sources of that WebKit are, and how Bun
is linked anew with a changed one. What belay adds to it is made from free sources (LICENSE) by scripts/build/compile.ts, with any Bun.
`,
} as const;

export interface Bundled {
  /** Folders of packages, as `packagesIn` gives them. */
  readonly packages: Iterable<string>;
  readonly sqlite: boolean;
  readonly bun: boolean;
  readonly glibc: boolean;
}

/** dist/THIRD-PARTY.txt: whose code is in dist/, and the licences under which it is there. A package without one ends the build. */
export function writeLicences(root: string, dist: string, { packages, sqlite, bun, glibc }: Bundled): void {
  const parts = [...new Set(packages)].sort().map((folder) => ofPackage(join(root, folder)));
  if (sqlite) parts.push(OTHERS.sqlite);
  if (bun) parts.push(OTHERS.bun);
  if (glibc) parts.push(OTHERS.glibc);
  const head =
    'belay is under the licence in LICENSE. Its bundles have code of others in them, under these licences.\n';
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), [head, ...parts].join(`\n${'─'.repeat(80)}\n\n`));
}

function ofPackage(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string | undefined>;
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  if (names.length === 0) throw new Error(`${folder}: it is bundled, and has no text of its licence`);
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim());
  return `${about['name']} ${about['version']} (${about['license']})\n\n${texts.join('\n\n')}\n`;
}
