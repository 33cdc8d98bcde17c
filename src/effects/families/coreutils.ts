import type { Bytes } from '../../platform/bytes.ts';
import { basename } from '../../platform/paths.ts';
import { operand, operands, output, type Row, textOfArg, touch, type Use, unless, when } from '../row.ts';
import { csplit, split } from './pieces.ts';

const COMMON = 'help version';

/** `rm` refuses operands whose last name is `.` or `..`, and `/` (rm(1)). */
function removed(use: Use): void {
  const recursive = use.words.has('recursive');
  const asks = use.words.has('i', 'I', 'interactive') && !/^n/.test(textOfArg(use.words.value('interactive')) ?? '');
  const { out, verb } = use;
  const more = {
    ...(recursive ? { recursive } : {}),
    ...(use.words.has('dir') ? { emptyFolder: true } : {}),
    ...(asks ? { certainty: 'maybe' as const } : {}),
  } as const;
  const isPlain = Object.keys(more).length === 0;
  for (const arg of use.words.operands) {
    const text = textOfArg(arg);
    if (text === '') continue;
    const refused = text === undefined ? undefined : refusedByRm(text, use);
    if (refused !== undefined) out.remark(`rm refuses to remove ${refused}`);
    else out.effect(isPlain ? { verb, path: arg, way: 'delete' } : { verb, path: arg, way: 'delete', ...more });
  }
}

function refusedByRm(text: Bytes, use: Use): Bytes | undefined {
  if (!text.endsWith('.') && !text.endsWith('/')) return undefined;
  if (['.', '..'].includes(basename(text.replace(/\/+$/, '')))) return text;
  return /^\/+$/.test(text) && !use.words.has('no-preserve-root') ? '/' : undefined;
}

function removedFolders(use: Use): void {
  for (const arg of use.words.operands) use.out.effect({ verb: use.verb, path: arg, way: 'delete', emptyFolder: true });
}

/** A size with `+` or `%` only grows the file, and nothing is lost (truncate(1)). */
function truncated(use: Use): void {
  const size = textOfArg(use.words.value('size'));
  const grows = size !== undefined && /^[+%]/.test(size) && !use.words.has('reference');
  for (const arg of use.words.operands) touch(use, arg, grows ? 'append' : 'write-in-place', { follows: true });
}

/** `if=`, `of=`, `conv=`, `oflag=` (dd(1)): no dashes. */
function copiedBlocks(use: Use): void {
  let to: string | undefined;
  let unknown = false;
  const flags = new Set<string>();
  for (const arg of use.words.operands) {
    const text = arg.kind === 'known' ? arg.text : arg.prefix;
    if (arg.kind === 'unknown' && (text === '' || text.startsWith('of='))) {
      unknown = true;
      if (text.startsWith('of=')) touch(use, { ...arg, prefix: text.slice(3) }, 'write-in-place', { follows: true });
    }
    if (text.startsWith('of=') && arg.kind === 'known') to = text.slice(3);
    if (/^(conv|oflag)=/.test(text)) for (const flag of text.slice(text.indexOf('=') + 1).split(',')) flags.add(flag);
  }
  if (to === undefined || to === '') {
    if (unknown) use.out.unknown(use.verb, use.call.cwd, 'dd with arguments that are not known');
    return;
  }
  if (flags.has('excl') && !unknown) return;
  const appends = flags.has('append') && flags.has('notrunc');
  touch(use, to, appends ? 'append' : 'write-in-place', { follows: true });
}

/** touch(1): an existing file keeps its bytes; a missing one is made. */
const touched = unless('no-create', operands('create'));

/** coreutils(1): every program of it that deletes or writes a file that it is given by name; cp, mv, ln, install are in copy.ts. */
export const coreutils: readonly Row[] = [
  {
    names: 'rm',
    manual: 'rm(1)',
    loses: 'deletes its operands; folders with `-r`, empty ones with `-d`; never `.`, `..` or `/`',
    options: `f,force i I interactive? recursive,r,R dir,d v,verbose one-file-system no-preserve-root preserve-root? ${COMMON}`,
    does: [removed],
  },
  {
    names: 'rmdir',
    manual: 'rmdir(1)',
    loses: 'removes folders that are empty',
    options: `ignore-fail-on-non-empty p,parents v,verbose ${COMMON}`,
    does: [removedFolders],
  },
  {
    names: 'unlink',
    manual: 'unlink(1)',
    loses: 'deletes its operand',
    options: COMMON,
    does: [(use) => use.words.operands.length === 1 && operand(0, 'delete')(use)],
  },
  {
    names: 'mkdir mkfifo mknod',
    manual: 'mkdir(1), mkfifo(1), mknod(1)',
    loses: 'nothing: it only makes what is not there',
    options: `p,parents m,mode= v,verbose Z context? ${COMMON}`,
    does: [
      (use) => {
        const args = use.verb === 'mknod' ? use.words.operands.slice(0, 1) : use.words.operands;
        for (const arg of args)
          use.out.effect({ verb: use.verb, path: arg, way: 'create', recursive: use.verb === 'mkdir' });
      },
    ],
  },
  {
    names: 'touch',
    manual: 'touch(1)',
    loses: 'nothing: it makes missing files and sets times',
    options: `a no-create,c d,date= f h,no-dereference m r,reference= t= time= ${COMMON}`,
    does: [touched],
  },
  {
    names: 'tee',
    manual: 'tee(1)',
    loses: 'truncates and writes its operands, through links; `-a` appends',
    options: `append,a i,ignore-interrupts p output-error? ${COMMON}`,
    does: [
      when('append', operands('append', { follows: true })),
      unless('append', operands('write-in-place', { follows: true })),
    ],
  },
  {
    names: 'truncate',
    manual: 'truncate(1)',
    loses: 'cuts its operands to a size; `+N` only grows them',
    options: `c,no-create o,io-blocks reference,r= size,s= ${COMMON}`,
    does: [truncated],
  },
  {
    names: 'dd',
    manual: 'dd(1)',
    loses: 'overwrites `of=`, unless `conv=excl`, or appends with `oflag=append conv=notrunc`',
    options: COMMON,
    does: [copiedBlocks],
  },
  {
    names: 'shred',
    manual: 'shred(1)',
    loses: 'overwrites its operands so that nothing can be read back; `-u` deletes them',
    options: `f,force n,iterations= random-source= s,size= u remove? v,verbose x,exact z,zero ${COMMON}`,
    does: [operands('write-in-place', { follows: true }), when('u remove', operands('delete'))],
  },
  {
    names: 'sort',
    manual: 'sort(1)',
    loses: 'replaces the file of `-o`',
    options: `b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort R,random-sort random-source= r,reverse sort= V,version-sort batch-size= c check? C compress-program= debug files0-from= k,key= m,merge output,o= s,stable S,buffer-size= t,field-separator= T,temporary-directory= parallel= u,unique z,zero-terminated ${COMMON}`,
    does: [unless('c C check', output('output'))],
  },
  {
    names: 'shuf',
    manual: 'shuf(1)',
    loses: 'replaces the file of `-o`',
    options: `e,echo i,input-range= n,head-count= output,o= random-source= r,repeat z,zero-terminated ${COMMON}`,
    does: [output('output')],
  },
  {
    names: 'uniq',
    manual: 'uniq(1)',
    loses: 'truncates and writes its second operand',
    options: `c,count d,repeated D all-repeated? f,skip-fields= group? i,ignore-case s,skip-chars= u,unique z,zero-terminated w,check-chars= ${COMMON}`,
    does: [operand(1, 'write-in-place', { follows: true })],
  },
  {
    names: 'ptx',
    manual: 'ptx(1)',
    loses: 'with `-G`, writes its second operand',
    options: `A,auto-reference G,traditional F,flag-truncation= M,macro-name= O,format= R,right-side-refs S,sentence-regexp= T W,word-regexp= b,break-file= f,ignore-case g,gap-size= i,ignore-file= o,only-file= r,references t,typeset-mode w,width= ${COMMON}`,
    does: [when('G', operand(1, 'write-in-place', { follows: true }))],
  },
  {
    names: 'split',
    manual: 'split(1)',
    loses: 'overwrites pieces of an earlier run (`xaa`, `xab`, …)',
    options: `suffix-length,a= additional-suffix= bytes,b= line-bytes,C= d numeric-suffixes? x hex-suffixes? e,elide-empty-files filter= lines,l= number,n= t,separator= u,unbuffered verbose ${COMMON}`,
    does: [split],
  },
  {
    names: 'csplit',
    manual: 'csplit(1)',
    loses: 'overwrites pieces of an earlier run (`xx00`, `xx01`, …)',
    options: `suffix-format,b= prefix,f= k,keep-files suppress-matched digits,n= s,quiet,silent z,elide-empty-files ${COMMON}`,
    does: [csplit],
  },
  {
    names: 'chmod chown chgrp',
    manual: 'chmod(1), chown(1), chgrp(1)',
    loses: 'the modes or owners of its operands; the whole tree with `-R`',
    options: `c,changes f,silent,quiet v,verbose dereference no-dereference,h from= preserve-root no-preserve-root reference= R,recursive H L P r w x X s t u g o a ${COMMON}`,
    does: [
      (use) => {
        // `chmod -w f`: the mode looks like an option and is one that the spec has (chmod(1)).
        const dashed = use.verb === 'chmod' && use.words.has(...'rwxXstugoa');
        const skip = use.words.has('reference') || dashed ? 0 : 1;
        operands('metadata', { skip, recursive: 'R', follows: !use.words.has('no-dereference') })(use);
      },
    ],
  },
  {
    names: 'chattr chcon setfacl setfattr',
    manual: 'chattr(1), chcon(1), setfacl(1), setfattr(1)',
    loses: 'attributes of its operands',
    options: `R,recursive V f p= v m,modify= x,remove= b,remove-all k,remove-default n,name= set= h,no-dereference restore= u,user= r,role= t,type= l,range= reference= ${COMMON}`,
    does: [operands('metadata', { recursive: 'R', follows: true })],
  },
];
