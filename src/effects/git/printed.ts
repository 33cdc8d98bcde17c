import type { Bytes } from '../../platform/bytes.ts';
import type { Arg, Call, Foretold } from '../../shell/types.ts';
import type { Out } from '../types.ts';
import { readGlobals, splitWords } from './globals.ts';
import { known } from './options.ts';
import { askedDiff, diff } from './printing/diff.ts';
import { grep, lsTree } from './printing/grep.ts';
import { lsFiles } from './printing/ls-files.ts';
import { status } from './printing/status.ts';
import { findRepository, type Repository } from './repository.ts';
import type { Globals } from './scene.ts';

/** A repository with a work tree, and a command's words behind its name, all known. */
export interface Question {
  readonly repo: Repository & { readonly workTree: Bytes };
  readonly args: readonly Arg[];
}

/** What one command prints; undefined where it is not a list of paths, or cannot be told. */
export type Teller = (question: Question) => Bytes | undefined;

const TELLERS: ReadonlyMap<Bytes, Teller> = new Map([
  ['ls-files', lsFiles],
  ['status', status],
  ['diff', diff],
  ['diff-tree', askedDiff('diff-tree')],
  ['show', askedDiff('show')],
  ['grep', grep],
  ['ls-tree', lsTree],
]);

/** The paths that a git command will print, where the line itself reads them: `git ls-files -o | xargs rm`, `rm $(git diff --name-only)`. */
export function printedByGit(call: Call, _out: Out): Foretold | undefined {
  const text = told(call, call.argv.slice(1), undefined, 0);
  return text === undefined ? undefined : { text, ordered: true };
}

/** An alias may name an alias. */
const DEPTH = 5;

function told(call: Call, argv: readonly Arg[], start: Globals | undefined, depth: number): Bytes | undefined {
  const head = readGlobals(call, argv, start);
  if (head.kind === 'nothing' || head.name.kind === 'unknown' || head.globals.cwd === undefined) return undefined;
  if (head.args.some((arg) => arg.kind === 'unknown')) return undefined;
  const repo = findRepository({ ...head.globals.where, cwd: head.globals.cwd });
  if (repo?.workTree === undefined) return undefined;
  const teller = TELLERS.get(head.name.text);
  if (teller) return teller({ repo: repo as Question['repo'], args: head.args });
  const alias = splitWords(repo.config.text(`alias.${head.name.text}`) ?? '');
  if (!alias?.[0] || alias[0].startsWith('!') || depth >= DEPTH) return undefined;
  return told(call, [...alias.map(known), ...head.args], head.globals, depth + 1);
}
