import type { Bytes } from '../../platform/bytes.ts';
import { type Clause, operand, operands, output, type Row, textOfArg, touch, type Use, unless, when } from '../row.ts';
import { row, VIA } from './brief.ts';

const stem = (path: Bytes): Bytes => path.replace(/^.*\//, '').replace(/\.[^./]*$/, '');

/** gcc(1), "Overall Options": without `-o`, `a.out`, or one object a source with `-c` and `-S`. */
function compiled(use: Use): void {
  const { words } = use;
  const attached = use.call.argv.flatMap((arg) => /^-o./.exec(textOfArg(arg) ?? '')?.input?.slice(2) ?? []);
  for (const file of [...words.values('o', 'MF'), ...attached]) touch(use, file, 'replace', VIA);
  if (words.has('E', 'M', 'MM', 'fsyntax-only', 'dumpversion', 'dumpmachine', '###') || words.operands.length === 0)
    return;
  if (words.has('o') || attached.length > 0) return;
  if (!words.has('c', 'S')) {
    touch(use, 'a.out', 'replace', VIA);
    return;
  }
  const suffix = words.has('S') ? '.s' : '.o';
  for (const source of words.operands) {
    const text = textOfArg(source);
    if (text !== undefined) touch(use, stem(text) + suffix, 'replace', VIA);
  }
}

/** The file of `-o`, else a name that the program chooses. */
const named =
  (standard: (use: Use) => readonly Bytes[]): Clause =>
  (use) => {
    if (use.words.has('o')) output('o', 'replace')(use);
    else if (use.words.operands.length > 0) for (const name of standard(use)) touch(use, name, 'replace', VIA);
  };

const fromFirst =
  (suffix: Bytes): ((use: Use) => readonly Bytes[]) =>
  (use) => {
    const text = textOfArg(use.words.operands[0]);
    return text === undefined ? [] : [stem(text) + suffix];
  };

/** javac(1): a class file beside each source, or below `-d`; inner classes get names of their own. */
function java(use: Use): void {
  const folder = textOfArg(use.words.value('d'));
  for (const source of use.words.operands) {
    const text = textOfArg(source);
    if (text?.endsWith('.java'))
      touch(use, `${folder ?? text.replace(/[^/]*$/, '')}${folder ? '/' : ''}${stem(text)}.class`, 'replace', VIA);
  }
}

/** objcopy(1): in place, unless there is a second operand. */
function objcopy(use: Use): void {
  const [first, second] = use.words.operands;
  const to = second ?? first;
  if (to) touch(use, to, 'replace', VIA);
}

const CC =
  'o= c S E g? O? W? D? U? I? L? l? f? m? x= std= M MM MD MMD MP MF= MT= MQ= MG include= isystem= iquote= imacros= idirafter= T= u= z= Xlinker= Xassembler= Xpreprocessor= Xclang= arch= target= B= pipe shared static s v w ansi pedantic pthread rdynamic nostdlib save-temps dumpversion dumpmachine e= h= R= framework= aux-info= specs= wrapper= ### V';

/** Compilers, linkers and tools for object files. */
export const compilers: readonly Row[] = [
  {
    ...row(
      'gcc g++ cc c++ clang clang++ gfortran c99 c89 tcc icc icx nvcc hipcc emcc em++ musl-gcc',
      'gcc(1)',
      'replaces the file of `-o`, else `a.out` or the objects',
      CC,
      compiled,
    ),
    grammar: { singleDash: true },
  },
  row(
    'ld ld.gold ld.lld gold lld mold ld.bfd',
    'ld(1)',
    'replaces the file of `-o`, else `a.out`',
    'o,output= l? L? m= T,script= r,relocatable shared e,entry= Map= soname,h= rpath= dynamic-linker,I= u= y= z= V,v s S x X d,dc,dp E t M n N f= F= A= b= c= G= R= Y= O? a=',
    named(() => ['a.out']),
  ),
  row(
    'cpp',
    'cpp(1)',
    'writes its second operand, or the file of `-o`',
    CC,
    named(() => []),
    operand(1, 'write-in-place', { follows: true }),
  ),
  row(
    'as gas',
    'as(1)',
    'replaces the file of `-o`, else `a.out`',
    'o= g I= D a? f K L,keep-locals M,mri MD= R W,no-warn Z defsym= march= mtune= 32 64 x32 v',
    named(() => ['a.out']),
  ),
  row(
    'nasm yasm',
    'nasm(1)',
    'replaces the file of `-o`, else the object',
    'o= f= g l= I= D= U= E M MD= F= O? p= P= w? W? X= Z= h v',
    output('l'),
    named(fromFirst('.o')),
  ),
  row(
    'rustc',
    'rustc(1)',
    'replaces the file of `-o`, else the program',
    'o= g O L= l= C,codegen= out-dir= crate-name= crate-type= edition= emit= print= test target= cfg= W,warn= A,allow= D,deny= F,forbid= Z= v,verbose extern= sysroot= error-format= color= h V',
    unless('print', named(fromFirst(''))),
  ),
  {
    ...row(
      'javac',
      'javac(1)',
      'replaces class files',
      'd= cp,classpath,class-path= sourcepath= source= target= release= g? h= s= encoding= proc= processor= processorpath= Xlint? nowarn verbose parameters implicit= J? A?',
      java,
    ),
    grammar: { singleDash: true },
  },
  row(
    'kotlinc scalac groovyc',
    'each manual',
    'replaces what `-d` names',
    'd= cp,classpath= include-runtime',
    output('d'),
  ),
  row(
    'ghc',
    'ghc(1)',
    'replaces the file of `-o`, objects and interfaces',
    'o= c O? odir= hidir= outputdir= e= package= i? make threaded dynamic v W? X? f?',
    named(fromFirst('')),
  ),
  row(
    'swiftc dmd ldc2 gdc fpc valac nim ocamlfind ocamlopt ocamlc mcs csc',
    'each manual',
    'replaces the file of its output option',
    'o,output,out= of= c g O? I? L? l? package=',
    output('o of'),
  ),
  row(
    'strip llvm-strip eu-strip',
    'strip(1)',
    'rewrites its operands, or the file of `-o`',
    'o= s,strip-all g,S,d,strip-debug strip-unneeded K,keep-symbol= N,strip-symbol= R,remove-section= F= I= O= p,preserve-dates D U w x X v f= only-keep-debug keep-file-symbols M',
    when('o', output('o', 'replace')),
    unless('o', operands('replace', VIA)),
  ),
  row(
    'objcopy llvm-objcopy',
    'objcopy(1)',
    'rewrites its first operand, or its second',
    'I= O= F= B= S,strip-all g,strip-debug strip-unneeded K= N= G= W= L= j,only-section= R,remove-section= add-section= update-section= set-section-flags= rename-section= add-gnu-debuglink= only-keep-debug p D U v V w x X b= i? redefine-sym= set-start= change-addresses= gap-fill= pad-to= dump-section= prefix-symbols= weaken',
    (use) => {
      for (const value of use.words.values('dump-section')) {
        const path = textOfArg(value)?.split('=')[1];
        if (path) touch(use, path, 'write-in-place', VIA);
      }
      objcopy(use);
    },
  ),
  row(
    'patchelf',
    'patchelf(1)',
    'rewrites its operands',
    'set-interpreter= set-rpath= add-rpath= remove-rpath shrink-rpath print-rpath print-interpreter print-soname print-needed set-soname= add-needed= remove-needed= replace-needed= output= page-size= force-rpath allowed-rpath-prefixes= no-default-lib clear-symbol-version= print-execstack clear-execstack set-execstack debug',
    when('output', output('output')),
    unless(
      'output print-rpath print-interpreter print-soname print-needed print-execstack',
      operands('write-in-place', VIA),
    ),
  ),
  row(
    'chrpath install_name_tool codesign upx elfedit prelink execstack dwz',
    'each manual',
    'rewrites its operands',
    'r,replace= d,delete c,convert l,list k,keepgoing o= id= change= add_rpath= s= f 1 9 best brute q t v',
    unless('l t', operands('write-in-place', VIA)),
  ),
  row(
    'bison yacc byacc',
    'bison(1)',
    'replaces the parser',
    'o,output= d,defines? b,file-prefix= p,name-prefix= v,verbose g,graph? x,xml? l t W? L,language= S,skeleton= y,yacc H? k',
    output('defines graph'),
    named((use) =>
      use.words.has('y') || use.verb !== 'bison'
        ? ['y.tab.c', 'y.tab.h', 'y.output']
        : fromFirst('.tab.c')(use).flatMap((name) => [name, name.replace(/c$/, 'h')]),
    ),
  ),
  row(
    'flex lex reflex re2c ragel gperf',
    'flex(1)',
    'replaces the scanner',
    'o,outfile,output,output-file= header-file= t,stdout P,prefix= C? S= d i l B I s w T b p L 7 8 R + v V',
    output('header-file'),
    unless('t', (use) => (/^(flex|lex)$/.test(use.verb) ? named(() => ['lex.yy.c'])(use) : output('o')(use))),
  ),
  row(
    'swig protoc thrift capnp flatc cython cythonize pyrcc5 pyuic5 moc uic rcc qmake',
    'each manual',
    'replaces what it generates',
    'o,output-file,output= outdir= cpp_out= python_out= java_out= go_out= js_out= I?',
    output('o'),
  ),
  row(
    'ctags etags gtags cscope',
    'ctags(1)',
    'replaces the tags file',
    'f,o,tag-file= R,recurse a,append L= b q e x',
    unless('x', (use) =>
      use.words.has('f')
        ? output('f', use.words.has('a') ? 'append' : 'replace')(use)
        : touch(
            use,
            { ctags: 'tags', etags: 'TAGS', gtags: 'GTAGS', cscope: 'cscope.out' }[use.verb as 'ctags'] ?? 'tags',
            'replace',
          ),
    ),
  ),
  row(
    'msgfmt msgmerge xgettext msginit msgcat',
    'msgfmt(1)',
    'overwrites the file of `-o`; `msgmerge -U` its first operand',
    'o,output-file= U,update d= L,language= k? j,join-existing c v n s backup=',
    output('o'),
    when('U', operand(0, 'replace')),
  ),
  row(
    'install-info',
    'install-info(1)',
    'rewrites the directory file',
    'delete,remove dir-file,d= info-file,i= entry,e= section,s= quiet test,dry-run,n',
    unless('test', output('dir-file'), (use) => (use.words.has('dir-file') ? undefined : operand(-1, 'replace')(use))),
  ),
  row(
    'makewhatis mandb catman ldconfig update-mime-database update-desktop-database fc-cache depmod texhash mktexlsr gtk-update-icon-cache glib-compile-schemas updatedb',
    'each manual',
    'nothing that it cannot make again: indexes',
    'q n',
  ),
];
