import type { Bytes } from '../../platform/bytes.ts';
import { namesVisible } from '../../platform/files.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg } from '../languages/deed.ts';
import { type Row, textOfArg, touch, type Use } from '../row.ts';

/** One compressor: what it calls its files, and whether it removes what it read. */
interface Format {
  readonly suffix: Bytes;
  /** Names that unpack to another suffix: `.tgz` to `.tar`. */
  readonly unpacks: Readonly<Record<Bytes, Bytes>>;
  readonly keeps?: boolean;
}

const GZIP: Format = {
  suffix: '.gz',
  unpacks: { '.gz': '', '.tgz': '.tar', '.taz': '.tar', '.Z': '', '-gz': '', '.z': '', '-z': '', _z: '' },
};
const BZIP2: Format = { suffix: '.bz2', unpacks: { '.bz2': '', '.bz': '', '.tbz2': '.tar', '.tbz': '.tar' } };
const XZ: Format = { suffix: '.xz', unpacks: { '.xz': '', '.lzma': '', '.txz': '.tar', '.tlz': '.tar', '.lz': '' } };
const LZMA: Format = { ...XZ, suffix: '.lzma' };
const ZSTD: Format = {
  suffix: '.zst',
  unpacks: { '.zst': '', '.tzst': '.tar', '.gz': '', '.xz': '', '.lz4': '' },
  keeps: true,
};
const LZ4: Format = { suffix: '.lz4', unpacks: { '.lz4': '' }, keeps: true };
const LZOP: Format = { suffix: '.lzo', unpacks: { '.lzo': '', '.tzo': '.tar' }, keeps: true };
const LZIP: Format = { suffix: '.lz', unpacks: { '.lz': '', '.tlz': '.tar' } };
const BROTLI: Format = { suffix: '.br', unpacks: { '.br': '' }, keeps: true };
const COMPRESS: Format = { suffix: '.Z', unpacks: { '.Z': '' } };

const compress =
  (format: Format, unpacks = false): ((use: Use) => void) =>
  (use) => {
    const { words } = use;
    if (words.has('stdout', 'test', 'list') || words.operands.length === 0) return;
    const unpacking = unpacks || words.has('decompress');
    const removes = words.has('rm') || (!format.keeps && !words.has('keep'));
    const suffix = textOfArg(words.value('suffix')) ?? format.suffix;
    const output = words.value('o');
    if (output !== undefined) touch(use, output, 'replace');
    const files = words.has('recursive') ? words.operands.flatMap((arg) => below(use, arg)) : words.operands;
    const pairs = format === LZ4 && !words.has('m', 'recursive') && files.length === 2;
    if (pairs) {
      const to = files[1];
      if (to) touch(use, to, 'replace');
      if (removes && files[0]) touch(use, files[0], 'delete');
      return;
    }
    for (const file of files) one(use, file, format, { unpacking, suffix, removes, named: output !== undefined });
  };

interface Manner {
  readonly unpacking: boolean;
  readonly suffix: Bytes;
  readonly removes: boolean;
  readonly named: boolean;
}

function one(use: Use, file: Arg, format: Format, how: Manner): void {
  if (file.kind === 'unknown') {
    touch(use, file, how.removes ? 'delete' : 'replace');
    return;
  }
  let path = file.text;
  if (path === '-') return;
  if (how.unpacking && use.out.kindOf(path) === 'absent' && use.out.kindOf(path + how.suffix) !== 'absent')
    path += how.suffix;
  const to = how.unpacking ? unpacked(path, format, how.suffix) : path + how.suffix;
  if (to === undefined || use.out.kindOf(path) === 'folder') return;
  // Without -f an existing result is asked about, or kept where nobody can be asked.
  const sure = use.words.has('force') || use.out.kindOf(to) === 'absent';
  if (!how.named)
    use.out.effect({ verb: use.verb, path: to, way: 'replace', ...(sure ? {} : { certainty: 'maybe' as const }) });
  if (how.removes)
    use.out.effect({
      verb: use.verb,
      path: { ...file, text: path },
      way: 'delete',
      ...(sure ? {} : { certainty: 'maybe' as const }),
    });
}

function unpacked(path: Bytes, format: Format, suffix: Bytes): Bytes | undefined {
  if (path.endsWith(suffix) && path.length > suffix.length) return path.slice(0, -suffix.length);
  for (const [from, to] of Object.entries(format.unpacks))
    if (path.endsWith(from)) return path.slice(0, -from.length) + to;
  return format === BZIP2 ? `${path}.out` : undefined;
}

/** More files are not told one by one. */
const MANY = 1_000;

/** `-r`: every file below a folder. */
function below(use: Use, arg: Arg): Arg[] {
  const folder = use.out.absolute(arg);
  if (folder === undefined || use.out.kindOf(folder) !== 'folder') return [arg];
  const out: Arg[] = [];
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (out.length > MANY) {
      // Held as one tree, which goes back whole.
      use.out.effect({ verb: use.verb, path: arg, way: 'delete', recursive: true, follows: true });
      return [];
    }
    for (const name of namesVisible(at)) {
      const path = `${at}/${name}`;
      if (use.out.isLink(path)) continue;
      if (use.out.kindOf(path) === 'folder') queue.push(path);
      else out.push(knownArg(path));
    }
  }
  return out;
}

const LEVELS = '1,fast 2 3 4 5 6 7 8 9,best 0';
const COMMON = `stdout,c,to-stdout decompress,d,uncompress,unzip,uncompress force,f keep,k list,l test,t q,quiet v,verbose recursive,r help,h,H,long-help version,V L,license ${LEVELS}`;
const IDLE = 'help version V L h H';
const ROW = {
  idle: IDLE,
  loses: 'replaces the file by the packed or unpacked one and deletes what it read; `-k` and `-c` keep it',
};
const KEEPS = { idle: IDLE, loses: 'overwrites the result; `--rm` deletes what it read' };

export const compression: readonly Row[] = [
  {
    ...ROW,
    names: 'gzip',
    manual: 'gzip(1)',
    options: `${COMMON} n,no-name N,name S,suffix= a,ascii rsyncable synchronous`.replace('S,suffix=', 'suffix,S='),
    does: [compress(GZIP)],
  },
  {
    ...ROW,
    names: 'gunzip',
    manual: 'gunzip(1)',
    options: `${COMMON} n N suffix,S= a`,
    does: [compress(GZIP, true)],
  },
  {
    ...ROW,
    names: 'pigz',
    manual: 'pigz(1)',
    options: `${COMMON} b,blocksize= p,processes= i R,rsyncable suffix,S= T n m N J,iterations= I O K,zip z,zlib 11 Y,synchronous A,alias= C,comment=`,
    does: [compress(GZIP)],
  },
  { ...ROW, names: 'unpigz', manual: 'pigz(1)', options: `${COMMON} p= suffix,S=`, does: [compress(GZIP, true)] },
  {
    ...ROW,
    names: 'bzip2 pbzip2 lbzip2',
    manual: 'bzip2(1)',
    options: `${COMMON} z,compress s,small exponential repetitive-fast repetitive-best p? m? b? S`,
    does: [compress(BZIP2)],
  },
  { ...ROW, names: 'bunzip2', manual: 'bunzip2(1)', options: `${COMMON} s,small`, does: [compress(BZIP2, true)] },
  {
    ...ROW,
    names: 'xz pixz',
    manual: 'xz(1)',
    options: `${COMMON} z,compress single-stream no-sparse suffix,S= files? files0? F,format= C,check= e,extreme block-size= block-list= flush-timeout= memlimit-compress= M,memlimit,memory= T,threads= Q,no-warn robot info-memory no-adjust ignore-check lzma2? x86? delta?`,
    does: [compress(XZ)],
  },
  {
    ...ROW,
    names: 'unxz',
    manual: 'xz(1)',
    options: `${COMMON} suffix,S= F,format= T,threads= M=`,
    does: [compress(XZ, true)],
  },
  { ...ROW, names: 'lzma', manual: 'xz(1)', options: `${COMMON} z suffix,S= T=`, does: [compress(LZMA)] },
  { ...ROW, names: 'unlzma', manual: 'xz(1)', options: `${COMMON} suffix,S= T=`, does: [compress(LZMA, true)] },
  {
    ...ROW,
    names: 'lzip plzip',
    manual: 'lzip(1)',
    options: `${COMMON} b,member-size= o,output= F s,dictionary-size= S,volume-size= m,match-length= n=`,
    does: [compress(LZIP)],
  },
  { ...ROW, names: 'compress', manual: 'compress(1)', options: `${COMMON} b=`, does: [compress(COMPRESS)] },
  { ...ROW, names: 'uncompress', manual: 'uncompress(1)', options: COMMON, does: [compress(COMPRESS, true)] },
  {
    ...KEEPS,
    names: 'zstd zstdmt pzstd',
    manual: 'zstd(1)',
    options: `${COMMON} o= rm T,threads= D= M,memory= no-progress ultra long? adapt? single-thread stream-size= size-hint= no-check check filelist= output-dir-flat= output-dir-mirror= format= train maxdict= b? e? i? B? z,compress exclude-compressed no-sparse sparse n`,
    does: [compress(ZSTD)],
  },
  {
    ...KEEPS,
    names: 'unzstd',
    manual: 'zstd(1)',
    options: `${COMMON} o= rm D= M= output-dir-flat=`,
    does: [compress(ZSTD, true)],
  },
  {
    ...KEEPS,
    names: 'lz4',
    manual: 'lz4(1)',
    options: `${COMMON} z,compress m,multiple rm B= D= BD BX T= no-sparse sparse content-size favor-decSpeed no-frame-crc b? e? i?`,
    does: [compress(LZ4)],
  },
  { ...KEEPS, names: 'unlz4', manual: 'lz4(1)', options: `${COMMON} m rm`, does: [compress(LZ4, true)] },
  {
    ...KEEPS,
    names: 'lzop',
    manual: 'lzop(1)',
    options: `${COMMON} o,output= rm,U,unlink,delete p? P x,extract S= T`,
    does: [compress(LZOP)],
  },
  {
    ...KEEPS,
    names: 'brotli',
    manual: 'brotli(1)',
    options: `${COMMON} o,output= rm,j w= q,quality= D= n,no-copy-stat suffix,S=`,
    does: [compress(BROTLI)],
  },
];
