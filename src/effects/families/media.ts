import type { Arg } from '../../shell/types.ts';
import { unknownArg } from '../languages/deed.ts';
import { type Clause, operand, operands, output, type Row, textOfArg, touch, type Use, unless, when } from '../row.ts';
import { OUT, row, VIA } from './brief.ts';

/** The last operand is what is written; ImageMagick may put a format in front (`png:out`) and number frames (`%d`). */
function lastIsOutput(use: Use): void {
  const last = use.words.operands.at(-1);
  if (last === undefined || use.words.operands.length < 2) return;
  touch(use, numbered(last), 'write-in-place', VIA);
}

/** `%03d` in a name stands for numbers. */
function numbered(arg: Arg): Arg {
  if (arg.kind === 'unknown') return arg;
  const text = arg.text.replace(/^[a-zA-Z0-9]{2,5}:(?=.)/, '');
  const at = text.search(/%\d*d/);
  return at < 0 ? { ...arg, text } : unknownArg(text.slice(0, at), text.slice(at).replace(/%\d*d/, ''));
}

/** ffmpeg(1): every word that is neither an option nor its value is an output; `-y` overwrites, `-n` never, else it asks. */
const FFMPEG_FLAGS =
  /^-(y|n|vn|an|sn|dn|hide_banner|nostdin|stdin|shortest|copyts|re|stats|nostats|report|h|help|version|accurate_seek|ignore_unknown)$/;

function ffmpeg(use: Use): void {
  const args = use.call.argv.slice(1);
  const texts = args.map((arg) => textOfArg(arg));
  if (texts.includes('-n')) return;
  const asks = !texts.includes('-y');
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    const text = texts[at];
    if (text?.startsWith('-') && text !== '-') {
      if (!FFMPEG_FLAGS.test(text)) at += 1;
      continue;
    }
    if (text === '-' || /^(pipe:|\w+:\/\/)/.test(text ?? '')) continue;
    use.out.effect({
      verb: use.verb,
      path: numbered(arg),
      way: 'write-in-place',
      ...VIA,
      ...(asks ? { certainty: 'maybe' as const } : {}),
    });
  }
}

/** convert(1), composite(1): the last word is the output, whatever its options are; `info:` and `null:` write nothing. */
function imageMagick(use: Use): void {
  const words = use.call.argv.slice(1);
  const first = textOfArg(words[0]) ?? '';
  if (/^(identify|compare|display|animate|import|-version|-list|mogrify)$/.test(first)) {
    if (first === 'mogrify') use.call.run(words);
    return;
  }
  const last = words.at(-1);
  const text = textOfArg(last);
  if (
    last === undefined ||
    words.length < 2 ||
    /^(-|.*-|info:.*|null:.*|fd:.*|\w+:-|show:|x:|win:)$/.test(text ?? '') ||
    text?.startsWith('-')
  )
    return;
  touch(use, numbered(last), 'write-in-place', VIA);
}

/** mogrify(1): every operand; with `-format` or `-path` beside or elsewhere. */
function mogrify(use: Use): void {
  const format = textOfArg(use.words.value('format'));
  const folder = textOfArg(use.words.value('path'));
  const words = use.call.argv.slice(1);
  for (const [at, arg] of words.entries()) {
    const text = textOfArg(arg);
    if (text === undefined || text.startsWith('-') || use.out.kindOf(arg) !== 'file') continue;
    if (at > 0 && /^-(path|format|font|fill)$/.test(textOfArg(words[at - 1]) ?? '')) continue;
    const renamed = format === undefined ? text : text.replace(/\.[^./]*$/, `.${format}`);
    touch(use, folder === undefined ? renamed : `${folder}/${renamed.replace(/^.*\//, '')}`, 'write-in-place', VIA);
  }
}

/** exiftool(1): an assignment (`-TAG=…`) writes; the original is kept beside unless told otherwise. */
function exiftool(use: Use): void {
  const texts = use.call.argv.slice(1).map((arg) => textOfArg(arg) ?? '');
  if (!texts.some((text) => /^-[\w:]+([-+<]?=|<)|^-(all|overwrite_original|delete_original|tagsFromFile)/.test(text)))
    return;
  use.call.argv.slice(1).forEach((arg, at) => {
    const text = texts[at] ?? '';
    if (text.startsWith('-') || /^-(o|tagsFromFile|d|ext|config)$/.test(texts[at - 1] ?? '')) return;
    const path = use.out.absolute(arg);
    if (use.out.kindOf(arg) === 'folder' && path !== undefined)
      use.out.unknown(use.verb, path, 'rewrites the files below');
    else touch(use, arg, 'replace');
  });
}

const optimised = (...also: Clause[]): readonly Clause[] => [
  unless('stdout simulate noaction dry-run pretend', ...(also.length > 0 ? also : [operands('replace')])),
];

/** Sound, pictures and films, and where the result goes. */
export const media: readonly Row[] = [
  row('ffmpeg avconv', 'ffmpeg(1)', 'overwrites its outputs, after asking unless `-y`', '', ffmpeg),
  row('sox', 'sox(1)', 'overwrites its output file', 'r= c= b= e= t= n V? q S G R', lastIsOutput),
  row(
    'lame oggenc opusenc flac',
    'lame(1), flac(1)',
    'overwrites the encoded file',
    'o,output-name= V= b= h preset= f,force d,decode silent s 8 delete-input-file',
    output('o'),
    (use) => (use.verb === 'lame' ? lastIsOutput(use) : undefined),
    when('delete-input-file', operands('delete')),
  ),
  {
    ...row('convert magick composite montage gm', 'convert(1)', 'overwrites its last operand', ''),
    does: [imageMagick],
  },
  row(
    'mogrify',
    'mogrify(1)',
    'rewrites its operands in place',
    'resize= quality= format= path= crop= rotate= strip auto-orient density= colorspace= type= define= thumbnail= gravity= background= extent= flip flop negate trim fill= annotate= pointsize= font=',
    mogrify,
  ),
  row(
    'optipng jpegoptim pngcrush oxipng svgo zopflipng advpng jpegtran gifsicle pngquant',
    'each manual',
    'rewrites its operands in place, or the output it is given',
    'o? out,dir= stdout simulate noaction dry-run pretend d,dest= m,max= s,strip-all p,preserve q,quiet v f,force ext= quality= speed= output= b,batch i,interlace= ow e= outfile= optimize copy= O?',
    ...optimised(operands('replace', VIA), output('output outfile', 'write-in-place')),
  ),
  row('exiftool', 'exiftool(1)', 'with an assignment, rewrites its files', '', exiftool),
  row(
    'cwebp dwebp gif2webp avifenc potrace rsvg-convert inkscape wkhtmltopdf wkhtmltoimage mmdc plantuml',
    'each manual',
    OUT,
    'o,output= export-filename,e= f,format= q= w,width= h,height= b= i,input= t=',
    output('o export-filename'),
    (use) => (/^wkhtml|^avifenc/.test(use.verb) ? lastIsOutput(use) : undefined),
  ),
  row(
    'shntool mkvmerge mkvpropedit mp4box MP4Box handbrakecli HandBrakeCLI',
    'each manual',
    OUT,
    'o,output= out= i,input=',
    output('o out'),
  ),
  row(
    'qrencode zbarimg barcode scrot maim import gnome-screenshot grim xwd wf-recorder',
    'each manual',
    OUT,
    'o,output= f,file= s= l= t= overwrite w,window=',
    output('o f'),
    (use) => (/^(scrot|maim|import|grim)$/.test(use.verb) ? operand(-1, 'write-in-place', VIA)(use) : undefined),
  ),
];
