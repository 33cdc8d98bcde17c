import type { Arg } from '../../shell/types.ts';
import { knownArg, unknownArg } from '../languages/deed.ts';
import { below, operand, operands, output, type Row, textOfArg, touch, type Use } from '../row.ts';
import { OUT, row, VIA } from './brief.ts';

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

/** yq(1): `-i` rewrites its files; the expression comes first, unless `eval-all` and the like stand before it. */
function yq(use: Use): void {
  if (!use.words.has('i')) return;
  const skip = /^(e|ea|eval|eval-all)$/.test(textOfArg(use.words.operands[0]) ?? '') ? 1 : 0;
  const from = use.words.has('from-file') ? skip : skip + 1;
  for (const file of use.words.operands.slice(from)) touch(use, file, 'replace', { ...VIA, blind: true });
}

/** Programs that turn one file into another, and keys. */
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
];
