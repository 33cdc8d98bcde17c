import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join as joinText } from 'node:path';
import { type Pair, readSide, type Side } from '../checkpoint/diff/pairs.ts';
import { diffPairs, type FileDiff, isAtHand } from '../checkpoint/diff/patch.ts';
import { blobOid } from '../checkpoint/oid.ts';
import { recordedOwner } from '../checkpoint/owner.ts';
import type { Sources } from '../checkpoint/plan/sources.ts';
import { readObjects } from '../checkpoint/read.ts';
import type { Version } from '../checkpoint/record.ts';
import type { Store } from '../checkpoint/store.ts';
import { oidOf } from '../checkpoint/version.ts';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { personsGit } from '../platform/git.ts';
import { type Answer, type Call, failed, wrongUsage } from './command.ts';
import type { Context } from './context.ts';
import { fromRoot, pathKeys, shown } from './paths.ts';
import { bytes, count, padLeft, padRight, styleFor, widthOf } from './style.ts';

export const DIFF_OPTIONS = {
  stat: { type: 'boolean' },
  path: { type: 'string' },
  context: { type: 'string' },
  patch: { type: 'boolean' },
  tool: { type: 'boolean' },
} as const;

/** A longer text is cut, and says so. */
const LONGEST_TEXT = 2 << 20;

/** Names the bytes of one side, for finding renames. */
export function oidOfSide(side: Side, sources?: Sources): string | undefined {
  if (side.version.kind !== 'file') return undefined;
  const known = oidOf(side.version.content) ?? sources?.holdOid(side.version.content);
  if (known !== undefined) return known;
  const content = readSide(side);
  return content && blobOid(content);
}

/** The answer of `diff` and `show`. */
export function diffAnswer(
  context: Context,
  call: Call,
  store: Store,
  pairs: readonly Pair[],
  title: string,
  more: readonly string[] = [],
): Answer {
  if (call.values['tool'] === true) return withTool(context, store, pairs);
  const around = call.values['context'];
  if (around !== undefined && !/^\d+$/.test(String(around)))
    throw wrongUsage(`--context takes a number of lines, not '${String(around)}'`);
  const sorted = [...pairs].sort((a, b) => (a.path < b.path ? -1 : 1));
  const diffs = sorted.length === 0 ? [] : diffPairs(store, sorted, around === undefined ? 3 : Number(around));
  const patches = call.values['patch'] === true ? patchKeys(diffs) : [];
  return {
    json: {
      title,
      files: diffs.map((diff, i) => ({
        ...pathKeys(fromRoot(context.root, diff.pair.path)),
        status: statusOf(diff.pair),
        insertions: diff.insertions,
        deletions: diff.deletions,
        binary: diff.binary,
        ...(isFolder(diff.pair) ? { folder: true } : {}),
        ...(diff.pair.from === undefined ? {} : { from: pathKeys(fromRoot(context.root, diff.pair.from)).path }),
        ...(modeChange(diff.pair) === undefined ? {} : { mode: modeChange(diff.pair) }),
        ...(ownerChange(diff.pair) === undefined ? {} : { owner: ownerChange(diff.pair) }),
        ...patches[i],
      })),
      ...(more.length > 0 ? { git: more } : {}),
    },
    text: textOf(context, diffs, title, more, call.values['stat'] === true),
    page: true,
  };
}

/** `--patch`: the lines of each, as far as they are not too long; null where they are. */
function patchKeys(diffs: readonly FileDiff[]): readonly Readonly<Record<string, unknown>>[] {
  let left = LONGEST_TEXT;
  return diffs.map(({ pair, hunks }) => {
    const fits = hunks.length <= left || diffs.length === 1;
    if (fits) left -= hunks.length;
    return {
      sizes: sizesOf(pair),
      patch: fits ? toText(hunks) : null,
      at_hand: isAtHand(pair.before) && isAtHand(pair.after),
    };
  });
}

function textOf(
  context: Context,
  diffs: readonly FileDiff[],
  title: string,
  more: readonly string[],
  statOnly: boolean,
): string {
  const style = styleFor(process.stdout);
  const head = `${style.bold(title)}\n`;
  const git = more.length > 0 ? `\ngit: ${more.join('\n     ')}\n` : '';
  if (diffs.length === 0) return `${head}${git}${more.length > 0 ? '' : 'no difference\n'}`;
  const parts = [head, '\n', statText(context, diffs), git];
  let left = LONGEST_TEXT;
  let cut = 0;
  if (!statOnly)
    for (const diff of diffs) {
      const text = `\n${patchText(context, diff)}`;
      // One that is too long keeps no shorter one after it from being shown.
      if (text.length > left) {
        cut++;
        continue;
      }
      left -= text.length;
      parts.push(text);
    }
  if (cut > 0)
    parts.push(
      `\n${count(cut, 'file')} not shown: the difference is longer than ${bytes(LONGEST_TEXT)}; --path shows one.\n`,
    );
  return parts.join('');
}

function statText(context: Context, diffs: readonly FileDiff[]): string {
  const style = styleFor(process.stdout);
  const names = diffs.map(({ pair }) => nameOf(context, pair));
  const width = Math.min(60, Math.max(...names.map(widthOf)));
  const lines = diffs.map((diff, i) => {
    const { pair } = diff;
    const change = diff.binary
      ? 'binary'
      : `${style.green(padLeft(`+${diff.insertions}`, 5))} ${style.red(padLeft(`-${diff.deletions}`, 5))}`;
    return [`  ${padRight(statusOf(pair), 8)} ${padRight(names[i] ?? '', width)} ${change}`, ...toldBeside(pair)].join(
      '  ',
    );
  });
  const plus = diffs.reduce((sum, { insertions }) => sum + insertions, 0);
  const minus = diffs.reduce((sum, { deletions }) => sum + deletions, 0);
  return `${lines.join('\n')}\n  ${counted(diffs)}, +${plus} -${minus}\n`;
}

/** The files are as many as `belay list` says. */
function counted(diffs: readonly FileDiff[]): string {
  const folders = diffs.filter(({ pair }) => isFolder(pair)).length;
  const files = diffs.length - folders;
  if (folders === 0) return count(files, 'file');
  return files === 0 ? count(folders, 'folder') : `${count(files, 'file')} and ${count(folders, 'folder')}`;
}

const isFolder = ({ before, after }: Pair): boolean =>
  before.version.kind === 'folder' || after.version.kind === 'folder';

const nameOf = (context: Context, { path, from }: Pair): string => {
  const name = shown(fromRoot(context.root, path));
  return from === undefined ? name : `${shown(fromRoot(context.root, from))} → ${name}`;
};

function patchText(context: Context, { pair, hunks, binary }: FileDiff): string {
  const style = styleFor(process.stdout);
  const { before, after } = pair;
  const [old, now] = [shown(fromRoot(context.root, pair.from ?? pair.path)), shown(fromRoot(context.root, pair.path))];
  const head = [`diff a/${old} b/${now}`];
  if (pair.from !== undefined) head.push(`rename from ${old}`, `rename to ${now}`);
  if (before.version.kind === 'absent') head.push(`new ${kindOf(after.version)}`);
  else if (after.version.kind === 'absent') head.push(`deleted ${kindOf(before.version)}`);
  else if (before.version.kind !== after.version.kind)
    head.push(`${kindOf(before.version)} became ${kindOf(after.version)}`);
  head.push(...toldBeside(pair));
  if (!isAtHand(before) || !isAtHand(after)) head.push(`contents not shown: ${sizes(pair)}`);
  const lines = head.map((line) => style.bold(line));
  if (binary) lines.push(`binary: ${sizes(pair)}`);
  else if (hunks !== '') {
    lines.push(style.bold(before.version.kind === 'absent' ? '--- /dev/null' : `--- a/${old}`));
    lines.push(style.bold(after.version.kind === 'absent' ? '+++ /dev/null' : `+++ b/${now}`));
    for (const line of hunks.replace(/\n$/, '').split('\n')) lines.push(coloured(line));
  }
  return `${lines.join('\n')}\n`;
}

/** Control characters of a file's content would steer the terminal; tabs and carriage returns are text. */
function coloured(line: Bytes): string {
  const style = styleFor(process.stdout);
  const text = process.stdout.isTTY ? toText(line).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '·') : toText(line);
  if (line.startsWith('@@')) return style.cyan(text);
  if (line.startsWith('+')) return style.green(text);
  return line.startsWith('-') ? style.red(text) : text;
}

const sizesOf = ({ before, after }: Pair): string[] =>
  [before, after].map(({ version }) => (version.kind === 'file' ? bytes(version.size) : kindOf(version)));

const sizes = (pair: Pair): string => sizesOf(pair).join(' → ');

function statusOf({ before, after, from }: Pair): string {
  if (from !== undefined) return 'renamed';
  if (before.version.kind === 'absent') return 'added';
  if (after.version.kind === 'absent') return 'deleted';
  if (before.version.kind !== after.version.kind) return 'type';
  return 'modified';
}

const modeText = (version: Version): string | undefined =>
  version.kind === 'file' || version.kind === 'folder' || version.kind === 'special'
    ? version.mode.toString(8).padStart(4, '0')
    : undefined;

function modeChange({ before, after }: Pair): string | undefined {
  const [a, b] = [modeText(before.version), modeText(after.version)];
  return a === undefined || b === undefined || a === b ? undefined : `${a} → ${b}`;
}

/** User and group by their numbers: names may be other ones by now. */
function ownerChange({ before, after }: Pair): string | undefined {
  const [a, b] = [recordedOwner(before.version), recordedOwner(after.version)];
  return a && b && String(a) !== String(b) ? `${a.join(':')} → ${b.join(':')}` : undefined;
}

const toldBeside = (pair: Pair): string[] => {
  const [mode, owner] = [modeChange(pair), ownerChange(pair)];
  return [...(mode === undefined ? [] : [`mode ${mode}`]), ...(owner === undefined ? [] : [`owner ${owner}`])];
};

function kindOf(version: Version): string {
  if (version.kind === 'special') return `${version.what} ${modeText(version)}`;
  if (version.kind === 'file' || version.kind === 'folder') return `${version.kind} ${modeText(version)}`;
  return version.kind === 'unknown' ? `unknown (${version.why})` : version.kind;
}

/** Both states written into two folders, and the user's own tool over them. */
function withTool(context: Context, store: Store, pairs: readonly Pair[]): Answer {
  const folder = fs.mkdtempSync(joinText(os.tmpdir(), 'belay-diff-'));
  try {
    const [a, b] = [joinText(folder, 'before'), joinText(folder, 'after')];
    for (const pair of pairs)
      for (const [top, side, path] of [
        [a, pair.before, pair.from ?? pair.path],
        [b, pair.after, pair.path],
      ] as const) {
        const content = side.bytes && 'blob' in side.bytes ? readObjects(store, [side.bytes.blob])[0] : readSide(side);
        if (content === undefined || side.version.kind !== 'file') continue;
        const at = Buffer.concat([
          Buffer.from(`${top}/`),
          toBuffer(fromRoot(context.root, path).replace(/^\/+/, 'outside/')),
        ]);
        fs.mkdirSync(at.subarray(0, at.lastIndexOf(0x2f)), { recursive: true });
        fs.writeFileSync(at, content);
      }
    for (const top of [a, b]) fs.mkdirSync(top, { recursive: true });
    const own = process.env['BELAY_DIFF'];
    const done = own
      ? spawnSync('sh', ['-c', `${own} "$@"`, 'sh', a, b], { stdio: 'inherit' })
      : personsGit(['difftool', '--no-prompt', '--no-index', a, b]);
    // Most answer 1 where something differs.
    const why =
      done.error?.message ?? ((done.status ?? 1) > 125 ? `it ended with status ${done.status ?? 'none'}` : undefined);
    if (why !== undefined)
      throw failed('no_tool', `the diff tool cannot be started: ${why}`, 'Set BELAY_DIFF to its name.');
    return { json: { tool: own ?? 'git difftool', files: pairs.length }, text: '' };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
