import type { Bytes } from '../../platform/bytes.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg, unknownArg } from '../languages/deed.ts';
import {
  below,
  type Clause,
  operand,
  operands,
  output,
  type Row,
  textOfArg,
  touch,
  type Use,
  unless,
  when,
} from '../row.ts';

const VIA = { follows: true } as const;

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

/** dos2unix(1): in place through a file beside; `-n IN OUT` writes OUT. */
function lineEnds(use: Use): void {
  const { words } = use;
  if (words.has('n')) {
    for (const [at, arg] of words.operands.entries()) if (at % 2 === 1) touch(use, arg, 'replace');
  } else if (!words.has('i', 'O'))
    for (const arg of words.operands) touch(use, arg, 'replace', words.has('F') ? VIA : {});
}

/** gpg(1): `-o`, or the name without `.gpg`; it asks before it overwrites, unless `--yes`. */
function gpg(use: Use): void {
  const { words, out } = use;
  const asks = !words.has('yes', 'batch');
  const write = (path: Arg): void => {
    if (textOfArg(path) === '-') return;
    out.effect({
      verb: use.verb,
      path,
      way: 'write-in-place',
      ...VIA,
      ...(asks ? { certainty: 'maybe' as const } : {}),
    });
  };
  const to = words.value('o');
  if (to !== undefined) {
    write(to);
    return;
  }
  const file = textOfArg(words.operands[0]);
  if (file === undefined) return;
  if (words.has('e', 's', 'c') && !words.has('d')) write(knownArg(`${file}.${words.has('armor') ? 'asc' : 'gpg'}`));
  else if (words.has('detach-sign')) write(knownArg(`${file}.${words.has('armor') ? 'asc' : 'sig'}`));
  else if (words.has('clear-sign')) write(knownArg(`${file}.asc`));
  else if (!words.has('d', 'verify', 'import', 'list-packets') && /\.(gpg|pgp|asc)$/.test(file))
    write(knownArg(file.replace(/\.\w+$/, '')));
}

/** ssh-keygen(1): `-f FILE` is made anew with its `.pub`; `-R` rewrites known_hosts; `-p` the key. */
function sshKeygen(use: Use): void {
  const { words, call } = use;
  const home = call.env('HOME');
  const file = words.value('f');
  if (words.has('l', 'y', 'F', 'B', 'e', 'H', 'L') && !words.has('R')) return;
  if (words.has('R')) {
    const hosts = file ?? (home === undefined ? unknownArg() : knownArg(`${home}/.ssh/known_hosts`));
    touch(use, hosts, 'replace');
    if (hosts.kind === 'known') touch(use, `${hosts.text}.old`, 'replace');
    return;
  }
  const type = textOfArg(words.value('t')) ?? 'rsa';
  const key = file ?? (home === undefined ? unknownArg() : knownArg(`${home}/.ssh/id_${type}`));
  touch(use, key, 'replace');
  if (key.kind === 'known') touch(use, `${key.text}.pub`, 'replace');
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

/** TeX: the document and its by-products, named after the source (tex(1)). */
function tex(use: Use): void {
  const source = textOfArg(use.words.operands.find((arg) => !textOfArg(arg)?.startsWith('\\')));
  const job = textOfArg(use.words.value('jobname')) ?? source?.replace(/^.*\//, '').replace(/\.tex$/, '');
  const folder = textOfArg(use.words.value('output-directory', 'outdir'));
  if (job === undefined) return;
  for (const suffix of ['pdf', 'dvi', 'log', 'aux', 'out', 'toc', 'bbl', 'blg', 'fls', 'fdb_latexmk', 'synctex.gz']) {
    touch(
      use,
      `${folder === undefined ? '' : `${folder}/`}${job}.${suffix}`,
      use.words.has('C', 'c') ? 'delete' : 'write-in-place',
      VIA,
    );
  }
}

/** yq(1): `-i` rewrites its files; the expression comes first, unless `eval-all` and the like stand before it. */
function yq(use: Use): void {
  if (!use.words.has('i')) return;
  const skip = /^(e|ea|eval|eval-all)$/.test(textOfArg(use.words.operands[0]) ?? '') ? 1 : 0;
  const from = use.words.has('from-file') ? skip : skip + 1;
  for (const file of use.words.operands.slice(from)) touch(use, file, 'replace', { ...VIA, blind: true });
}

const optimised = (...also: Clause[]): readonly Clause[] => [
  unless('stdout simulate noaction dry-run pretend', ...(also.length > 0 ? also : [operands('replace')])),
];

const row = (names: string, manual: string, loses: string, options: string, ...does: readonly Clause[]): Row => ({
  names,
  manual,
  loses,
  options: `${options} help version`,
  does,
});

const OUT = 'overwrites the file of its output option';

/** Programs that turn one file into another, and where the result goes. */
export const converters: readonly Row[] = [
  row(
    'dos2unix unix2dos mac2unix unix2mac',
    'dos2unix(1)',
    'replaces its operands; with `-n`, every second one',
    'b,keep-bom c,convmode= f,force h i,info? k,keepdate l n,newfile o,oldfile q,quiet s,safe F,follow-symlink R,replace-symlink S,skip-symlink O,to-stdout v m r u',
    lineEnds,
  ),
  row('iconv', 'iconv(1)', OUT, 'f,from-code= t,to-code= l,list c s,silent o,output= verbose', output('o')),
  row(
    'recode',
    'recode(1)',
    'rewrites its operands',
    'f v q s i p d S t',
    operands('write-in-place', { skip: 1, follows: true }),
  ),
  row(
    'gpg gpg2',
    'gpg(1)',
    'overwrites its output, after asking unless `--yes`',
    'o,output= e,encrypt s,sign c,symmetric d,decrypt clear-sign,clearsign detach-sign,b verify import armor,a yes batch r,recipient= u,local-user= passphrase= passphrase-file= homedir= export list-packets delete-keys delete-secret-keys default-key= cipher-algo= pinentry-mode= t q v k,list-keys K',
    gpg,
  ),
  {
    ...row(
      'openssl',
      'openssl(1)',
      OUT,
      'out= keyout= CAserial= in= inkey= passin= passout= CAcreateserial config= subj= days= newkey= nodes new x509 key= CA= CAkey= extfile= e d a k= K= iv= S= salt pbkdf2 iter= md= text noout writerand=',
      output('out keyout'),
    ),
    grammar: { singleDash: true },
  },
  row(
    'age rage',
    'age(1)',
    OUT,
    'o,output= r,recipient= R= i,identity= d,decrypt e,encrypt p,passphrase a,armor',
    output('o'),
  ),
  row('age-keygen minisign signify cosign', 'each manual', OUT, 'o,output= s= x= G S V p= m= t= y', output('o x')),
  row(
    'ssh-keygen',
    'ssh-keygen(1)',
    'replaces the key file, or rewrites known_hosts',
    'f= t= b= C= N= P= p l y F= R= B e i c q a= m= H A L Q= O= Y= s= I= n= V= Z= h U D= v E= K= M= r= g',
    sshKeygen,
  ),
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
    ...row(
      'convert magick magick-script im-convert composite montage gm',
      'convert(1)',
      'overwrites its last operand',
      '',
    ),
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
  row('dot neato circo fdp sfdp twopi osage', 'dot(1)', OUT, 'o? T? O K? G? N? E? l? n? q? s? v V c', output('o')),
  row(
    'pandoc',
    'pandoc(1)',
    OUT,
    'o,output= f,from,read,r= t,to,write,w= s,standalone template= V,variable= M,metadata= metadata-file= d,defaults= H,include-in-header= B= A= c,css= F,filter= L,lua-filter= C,citeproc bibliography= csl= log= extract-media= resource-path= pdf-engine= toc N wrap= columns= data-dir= reference-doc= highlight-style= mathjax?',
    output('o log'),
  ),
  row('pdftk', 'pdftk(1)', 'the file after `output`', '', (use) => after(use, 'output')),
  row(
    'qpdf',
    'qpdf(1)',
    'overwrites its second operand; with `--replace-input`, the first',
    'replace-input password= pages linearize encrypt decrypt split-pages? check empty',
    when('replace-input', operand(0, 'replace')),
    unless('replace-input check', operand(-1, 'write-in-place', VIA)),
  ),
  row('gs ps2pdf pdf2ps', 'gs(1)', OUT, 'sOutputFile= o= dBATCH dNOPAUSE sDEVICE= q', output('sOutputFile o'), (use) =>
    use.verb === 'gs' ? undefined : operand(1, 'write-in-place', VIA)(use),
  ),
  {
    ...row(
      'pdflatex xelatex lualatex latex tex pdftex latexmk tectonic bibtex biber',
      'tex(1), latexmk(1)',
      'overwrites the document and its by-products',
      'jobname= output-directory,outdir= interaction= halt-on-error shell-escape synctex= pdf xelatex lualatex C c f g pvc e= r= auxdir=',
      tex,
    ),
    grammar: { singleDash: true },
  },
  row(
    'yq',
    'yq(1)',
    'with `-i`, rewrites its files',
    'i,inplace,in-place P,prettyPrint e,exit-status from-file= o,output-format= p,input-format= I,indent= N,no-doc n,null-input r y Y x t w= s,split-exp= C M j v',
    yq,
  ),
  row(
    'xmllint xsltproc saxon',
    'xmllint(1)',
    OUT,
    'o,output= format noout schema= xpath= encode= valid stringparam= param=',
    output('o'),
  ),
  row('uudecode', 'uudecode(1)', 'overwrites the file that its input or `-o` names', 'o,output-file= c', (use) =>
    use.words.has('o') ? output('o')(use) : use.out.unknown(use.verb, below(use.call.cwd), 'its input names the file'),
  ),
  row(
    'xxd',
    'xxd(1)',
    'overwrites its second operand',
    'a,autoskip b,bits C,capitalize c,cols= E,EBCDIC e g,groupsize= i,include l,len= n,name= o= p,ps,plain,postscript r,revert R= d s,seek= u v',
    operand(1, 'write-in-place', VIA),
  ),
  row(
    'base64 base32',
    'each manual',
    'nothing but the file of `-o`',
    'o,output= d,D,decode i= w,wrap= b r s=',
    output('o'),
  ),
  row(
    'groff troff man2html asciidoctor asciidoc rst2html sphinx-build mkdocs markdown pod2man pod2text help2man',
    'each manual',
    OUT,
    'o,out-file,output= D,destination-dir= b= a= r=',
    output('o'),
  ),
  row(
    'libreoffice soffice unoconv',
    'libreoffice(1)',
    'overwrites the converted file',
    'convert-to= outdir= headless o,output= f,format=',
    output('o'),
    office,
  ),
  row(
    'split-file shntool mkvmerge mkvpropedit mp4box MP4Box handbrakecli HandBrakeCLI yt-dlg',
    'each manual',
    OUT,
    'o,output= out= i,input=',
    output('o out'),
  ),
  row(
    'qrencode zbarimg barcode scrot maim import gnome-screenshot grim xwd wf-recorder asciinema',
    'each manual',
    OUT,
    'o,output= f,file= s= l= t= overwrite w,window=',
    output('o f'),
    (use) => (/^(scrot|maim|import|grim)$/.test(use.verb) ? operand(-1, 'write-in-place', VIA)(use) : undefined),
  ),
];

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

function after(use: Use, word: Bytes): void {
  const at = use.call.argv.findIndex((arg) => textOfArg(arg) === word);
  const file = at < 0 ? undefined : use.call.argv[at + 1];
  if (file) touch(use, file, 'write-in-place', VIA);
}

function office(use: Use): void {
  const suffix = textOfArg(use.words.value('convert-to'))?.split(':')[0];
  const folder = textOfArg(use.words.value('outdir')) ?? '.';
  if (suffix === undefined) return;
  for (const file of use.words.operands) {
    const text = textOfArg(file);
    if (text !== undefined)
      touch(use, `${folder}/${text.replace(/^.*\//, '').replace(/\.[^.]*$/, '')}.${suffix}`, 'write-in-place', VIA);
  }
}
