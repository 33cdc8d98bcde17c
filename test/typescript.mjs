/**
 * `node --import ./test/typescript.mjs FILE.ts`: what tsx does, in half of its processor time, for the hundreds of processes of the
 * tests. It only takes the types out, of files imported by their whole names, and keeps what it made beside the packages.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.setSourceMapsEnabled(true);
  register(import.meta.url);
}

const kept = fileURLToPath(new URL('../node_modules/.cache/typescript/', import.meta.url));

/** For node's own thread of such hooks. */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { mtimeMs, ctimeMs, size } = statSync(path);
  const made = kept + createHash('sha256').update(`${path} ${mtimeMs} ${ctimeMs} ${size}`).digest('hex');
  return { format: 'module', source: ready(made) ?? (await make(path, made)), shortCircuit: true };
}

function ready(made) {
  try {
    return readFileSync(made);
  } catch (error) {
    if (!['ENOENT', 'EACCES'].includes(error.code)) throw error;
    return undefined;
  }
}

async function make(path, made) {
  const { transform } = await import('esbuild');
  const { code } = await transform(readFileSync(path, 'utf8'), {
    loader: 'ts',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: path,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  try {
    mkdirSync(kept, { recursive: true });
    writeFileSync(`${made}.${process.pid}`, code);
    renameSync(`${made}.${process.pid}`, made);
  } catch (error) {
    // A test that has become another user, a checkout that is read-only: it is made again next time.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
  return code;
}
