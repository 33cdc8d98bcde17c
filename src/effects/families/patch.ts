import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { patchedFiles } from '../languages/diff.ts';
import { below, output, type Row, textOfArg, touch, type Use } from '../row.ts';

function patchText(use: Use): Bytes | undefined {
  const { words, call, out } = use;
  const file = words.value('i') ?? words.operands[1];
  if (file !== undefined && textOfArg(file) !== '-') return out.textOf(file);
  if (call.stdin.kind === 'text') return call.stdin.text;
  return call.stdin.kind === 'file' ? out.textOf(call.stdin.path) : undefined;
}

/** patch(1): the names are in the patch; a file is written anew beside and renamed over, hunks that fail go to `.rej`. */
function patch(use: Use): void {
  const { words, out, verb, call } = use;
  if (words.has('dry-run')) return;
  const folder = words.value('d');
  const path = folder === undefined ? undefined : out.absolute(folder);
  const from: Use['call']['cwd'] =
    folder === undefined ? call.cwd : path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
  const rejects = words.value('r');
  if (rejects) out.effect({ verb, path: rejects, way: 'write-in-place', from });
  const to = words.value('o');
  if (to !== undefined) {
    if (textOfArg(to) !== '-') out.effect({ verb, path: to, way: 'write-in-place', follows: true, from });
    return;
  }
  const operand = words.operands[0];
  if (operand !== undefined) {
    one(use, operand, from);
    return;
  }
  const text = patchText(use);
  if (text === undefined) {
    if (call.stdin.kind === 'terminal' && words.value('i') === undefined) return;
    out.unknown(verb, path ?? below(from), 'which files the patch changes cannot be known');
    return;
  }
  const strip = Number.parseInt(textOfArg(words.value('p')) ?? '', 10);
  const exists = (name: Bytes): boolean => out.kindOf(name, from) !== 'absent';
  for (const name of patchedFiles(text, Number.isNaN(strip) ? undefined : strip, exists))
    one(use, knownArg(name), from);
}

function one(use: Use, file: Arg, from: Use['call']['cwd']): void {
  const { out, verb, words } = use;
  out.effect({ verb, path: file, way: 'replace', from, ...(words.has('follow-symlinks') ? { follows: true } : {}) });
  if (file.kind === 'unknown') return;
  const suffix = textOfArg(words.value('z')) ?? '.orig';
  // A copy of the file as it was is kept when hunks do not fit exactly (patch(1), `-b`, `--no-backup-if-mismatch`).
  for (const beside of [`${file.text}${suffix}`, ...(words.has('r') ? [] : [`${file.text}.rej`])]) {
    if (out.kindOf(beside, from) !== 'folder')
      out.effect({ verb, path: beside, way: 'replace', from, certainty: 'maybe' });
  }
}

/** Patches and what writes them. */
export const patches: readonly Row[] = [
  {
    names: 'patch gpatch',
    manual: 'patch(1)',
    loses: 'the files that the patch names; `-o FILE` only that one',
    options:
      'b,backup B,prefix= binary c,context d,directory= D,ifdef= dry-run e,ed E,remove-empty-files f,force F,fuzz= follow-symlinks g,get= help i,input= l,ignore-whitespace merge? n,normal ' +
      'N,forward no-backup-if-mismatch o,output= p,strip= posix quoting-style= r,reject-file= R,reverse read-only= reject-format= s,quiet,silent t,batch T,set-time u,unified v,version ' +
      'V,version-control= verbose x,debug= Y,basename-prefix= z,suffix= Z,set-utc backup-if-mismatch',
    idle: 'help v dry-run',
    does: [patch],
  },
  {
    names: 'combinediff interdiff filterdiff lsdiff',
    manual: 'filterdiff(1)',
    loses: 'nothing: they print',
    options: '',
    does: [],
  },
  {
    names: 'diffpatch rediff espdiff wiggle',
    manual: 'wiggle(1)',
    loses: 'with `--replace`, its first operand',
    options: 'replace,r merge,m o,output= help version p s',
    does: [
      output('output'),
      (use) => {
        const file = use.words.operands[0];
        if (use.words.has('replace') && file) touch(use, file, 'replace');
      },
    ],
  },
];
