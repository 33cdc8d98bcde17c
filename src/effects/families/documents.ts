import type { Bytes } from '../../platform/bytes.ts';
import { operand, output, type Row, textOfArg, touch, type Use, unless, when } from '../row.ts';
import { OUT, row, VIA } from './brief.ts';

function after(use: Use, word: Bytes): void {
  const at = use.call.argv.findIndex((arg) => textOfArg(arg) === word);
  const file = at < 0 ? undefined : use.call.argv[at + 1];
  if (file) touch(use, file, 'write-in-place', VIA);
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

/** Documents and diagrams, and where the result goes. */
export const documents: readonly Row[] = [
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
];
