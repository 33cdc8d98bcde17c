import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/**
 * The page of `belay ui`: dist/ui/, a folder of plain files. The syntax colours are a file of their own, which the page asks for when it
 * shows the first difference. Gives what is in it, for its licences (dist/THIRD-PARTY.txt).
 */
export async function buildPage(root: string, dist: string): Promise<Metafile> {
  const source = join(root, 'src/cli/ui/page');
  const [aside, place] = [join(dist, '.ui'), join(dist, 'ui')];
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: aside,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome110', 'firefox115', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  await build({
    entryPoints: [join(source, 'style.css')],
    outfile: join(aside, 'main.css'),
    bundle: true,
    minify: true,
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'mark.svg']) cpSync(join(source, name), join(aside, name));
  rmSync(place, { recursive: true, force: true });
  renameSync(aside, place);
  return metafile;
}
