import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { known, type Parsed } from './options.ts';
import { readText } from './read.ts';
import { fileOf, type Scene } from './scene.ts';

/** Lies in no work tree, so that it matches nothing: git refuses a list that is not there. */
const NOWHERE = known('/..');

/** What a file holds when the command runs: an earlier one of the line may have written it. */
function textNow(scene: Scene, path: Bytes): Bytes | undefined {
  const written = scene.call.written(path);
  if (written) return written.kind === 'text' ? written.text : undefined;
  return contentOf(path);
}

/** Operands, and what `--pathspec-from-file` adds in their place; an unknown argument where the list cannot be read now. */
export function withPathspecFile(scene: Scene, parsed: Parsed, operands: readonly Arg[]): readonly Arg[] {
  if (!parsed.has('pathspec-from-file')) return operands;
  const unreadable: Arg = { kind: 'unknown', prefix: '', suffix: '', many: true };
  const name = parsed.text('pathspec-from-file');
  if (name === undefined) return [unreadable];
  const path = name === '-' ? undefined : fileOf(scene, name);
  const text = name === '-' ? stdinOf(scene) : path === undefined ? undefined : textNow(scene, path);
  if (text === undefined && path !== undefined && scene.out.kindOf(path) === 'absent') return [NOWHERE];
  if (text === undefined) return [unreadable];
  const listed = parsed.has('pathspec-file-nul') ? text.split('\0') : lines(text);
  // an empty list is refused, too
  return listed.some(Boolean) ? listed.filter(Boolean).map(known) : [NOWHERE];
}

const lines = (text: Bytes): Bytes[] => text.split('\n').map((line) => unquote(line.replace(/\r$/, '')));

export function stdinOf({ call }: Scene): Bytes | undefined {
  if (call.stdin.kind === 'text') return call.stdin.text;
  if (call.stdin.kind === 'file' && call.stdin.path === '/dev/null') return '';
  return call.stdin.kind === 'file' ? contentOf(call.stdin.path) : undefined;
}

export const contentOf = (path: Bytes | undefined): Bytes | undefined =>
  path === undefined ? undefined : readText(path);

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** git's C-style quoted names (git-config(1), `core.quotePath`). */
export function unquote(text: Bytes): Bytes {
  if (!/^".*"$/s.test(text)) return text;
  return text
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
      /^[0-7]{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}
