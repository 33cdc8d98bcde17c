import type { Arg } from '../../shell/types.ts';
import { folderBefore, isPattern, matchedFiles } from '../matched.ts';
import { below, type Clause, type Row, textOfArg, touch, type Use } from '../row.ts';

/** More files than this are told as their folder. */
const MANY = 200;

/** A file is rewritten; of a folder (and of the working directory, where `here`) anything may be, so its project is captured. */
export function rewritten(use: Use, files: readonly Arg[], here: boolean): void {
  const { out, verb, call } = use;
  const note = 'rewrites source files below, which ones only it knows';
  for (const file of files) {
    const text = textOfArg(file);
    if (text === '-') continue;
    const kind = out.kindOf(file);
    const path = out.absolute(file);
    if (kind === 'folder' && path !== undefined) out.unknown(verb, path, note);
    else if (text !== undefined && kind === 'absent' && isPattern(text)) {
      const matched = matchedFiles(text, call.cwd);
      if (matched && matched.length <= MANY)
        for (const one of matched) touch(use, one, 'write-in-place', { follows: true });
      else out.unknown(verb, out.absolute(folderBefore(text)) ?? below(call.cwd), note);
    } else touch(use, file, 'write-in-place', { follows: true });
  }
  if (files.length === 0 && here) out.unknown(verb, below(call.cwd), note);
}

interface How {
  /** Options that make it write; default: it always does. */
  readonly when?: string;
  /** Options that make it only look. */
  readonly unless?: string;
  /** Sub-commands that write; the first operand is one of them or the row does nothing. */
  readonly sub?: string;
  /** First operands that are no files. */
  readonly skip?: number;
  /** Other sub-commands build and run things: opaque. */
  readonly others?: 'opaque';
  /** Long options have one dash. */
  readonly singleDash?: boolean;
  /** Without files it takes the working directory. */
  readonly here?: boolean;
}

const LOOKS =
  /^(help|version|analyze|doctor|devices|info|list|show|status|validate|output|providers|plan|env|targets|lsp|completions|types|doc|check|lint)$/;

export const rewrites =
  (how: How = {}): Clause =>
  (use) => {
    const { words } = use;
    if (how.when !== undefined && !words.has(...how.when.split(' '))) return;
    if (how.unless !== undefined && words.has(...how.unless.split(' '))) return;
    const first = textOfArg(words.operands[0]) ?? '';
    if (how.sub !== undefined && !how.sub.split(' ').includes(first)) {
      if (how.others && first !== '' && !LOOKS.test(first)) use.out.opaque(use.verb, use.call.cwd);
      return;
    }
    rewritten(use, words.operands.slice((how.sub === undefined ? 0 : 1) + (how.skip ?? 0)), how.here === true);
  };

const LOSES = 'rewrites its files; of a folder any file below';
const CONFIG =
  'config,c= config-file= stdin-filepath= stdin-filename= ignore-path= log-level= loglevel= quiet,q verbose,v help,h version,V';

export const formatter = (names: string, manual: string, options: string, how: How = {}, loses = LOSES): Row => ({
  names,
  manual,
  loses,
  options: `${CONFIG} ${options}`,
  ...(how.singleDash ? { grammar: { singleDash: true } } : {}),
  does: [rewrites(how)],
});
