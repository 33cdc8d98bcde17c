import type { Bytes } from '../../platform/bytes.ts';
import { basename } from '../../platform/paths.ts';
import type { Arg } from '../../shell/types.ts';
import { knownArg, unknownArg } from '../languages/deed.ts';
import { parseWords } from '../options.ts';
import { below, output, type Row, textOfArg, touch, type Use } from '../row.ts';

/** The last name of a URL's path; `-O` and wget take it as the file's. */
function remoteName(url: Arg, index: Bytes | undefined): Arg | undefined {
  if (url.kind === 'unknown') {
    const tail = /([^/?#]*)$/.exec(url.suffix)?.[1] ?? '';
    return url.suffix.includes('/') && tail !== '' ? knownArg(tail) : unknownArg();
  }
  const path = url.text.replace(/^\w+:\/\//, '').replace(/[?#].*$/, '');
  const name = path.includes('/') ? basename(path) : '';
  return name === '' ? (index === undefined ? undefined : knownArg(index)) : knownArg(name);
}

const inFolder = (folder: Arg | undefined, name: Arg): Arg => {
  if (folder === undefined || (name.kind === 'known' && name.text.startsWith('/'))) return name;
  if (folder.kind === 'unknown') return { ...folder, suffix: '' };
  return name.kind === 'known'
    ? knownArg(`${folder.text}/${name.text}`)
    : { ...name, prefix: `${folder.text}/${name.prefix}` };
};

/** curl(1): `-o`, `-O`; a name that exists is overwritten, unless `-J` or `--no-clobber`. */
function curl(use: Use): void {
  const { words } = use;
  for (const name of [
    'dump-header',
    'cookie-jar',
    'trace',
    'trace-ascii',
    'stderr',
    'etag-save',
    'libcurl',
    'hsts',
    'alt-svc',
    'ssl-sessions',
  ]) {
    for (const file of words.values(name)) touch(use, file, 'write-in-place', { follows: true });
  }
  if (words.has('upload-file'))
    for (const url of [...words.operands, ...words.values('url')]) {
      const local = /^file:\/\/(?:localhost)?(\/.*)$/.exec(textOfArg(url) ?? '')?.[1];
      if (local !== undefined) touch(use, local, words.has('append') ? 'append' : 'write-in-place', { follows: true });
    }
  // `-w '%output{FILE}…'` writes there what follows (curl(1), *--write-out*).
  for (const format of words.values('write-out'))
    for (const [, more, file] of (textOfArg(format) ?? '').matchAll(/%output\{(>>)?([^}]+)\}/g))
      if (file !== undefined) touch(use, file, more ? 'append' : 'write-in-place', { follows: true });
  const folder = words.value('output-dir');
  const way = words.has('no-clobber', 'skip-existing')
    ? 'create'
    : words.has('continue-at')
      ? 'append'
      : 'write-in-place';
  for (const file of words.values('output')) {
    const numbered = file.kind === 'known' ? file.text.indexOf('#') : -1;
    const path =
      file.kind === 'known' && numbered >= 0 && /#\d/.test(file.text) ? unknownArg(file.text.slice(0, numbered)) : file;
    if (textOfArg(file) !== '-') touch(use, inFolder(folder, path), way, { follows: true });
  }
  if (words.has('remote-name', 'remote-name-all') && !words.has('remote-header-name')) {
    const urls = [...words.operands, ...words.values('url')];
    for (const url of urls) for (const one of globbed(url)) touch(use, inFolder(folder, one), way, { follows: true });
  }
  for (const config of words.values('config')) configured(use, config);
}

/** `-K FILE`: options, one a line (curl(1), *config*). The names of its output files are told, the rest may be anything. */
function configured({ call, out, verb }: Use, config: Arg): void {
  out.opaque(verb, call.cwd);
  const { stdin } = call;
  const fed = stdin.kind === 'text' ? stdin.text : stdin.kind === 'file' ? out.textOf(stdin.path) : undefined;
  const text = textOfArg(config) === '-' ? fed : out.textOf(config);
  for (const [, quoted, plain] of (text ?? '').matchAll(OUTPUT)) {
    const path = quoted ?? plain;
    if (path !== undefined) out.effect({ verb, path, way: 'write-in-place', follows: true, certainty: 'maybe' });
  }
}

const OUTPUT =
  /^[ \t]*-{0,2}(?:o|output|D|dump-header|c|cookie-jar|trace|trace-ascii|stderr)[ \t]*[ \t=:][ \t]*(?:"([^"\n]+)"|([^\s"]\S*))/gm;

/** `{a,b}` and `[1-9]` in a URL are curl's own patterns. */
function globbed(url: Arg): Arg[] {
  const name = remoteName(url, undefined);
  if (name === undefined) return [];
  const magic = name.kind === 'known' ? name.text.search(/[[{]/) : -1;
  return [magic < 0 || name.kind !== 'known' ? name : unknownArg(name.text.slice(0, magic))];
}

/** wget(1): `-O` truncates at once; without it an existing name is kept and `.1` written, unless `-N`, `-r`, `-p`, `-c`. */
function wget(use: Use): void {
  const { out, verb, call } = use;
  const words = parseWords(call.argv.slice(1).map(twoLetters), WGET, { env: call.env });
  for (const file of words.values('o')) touch(use, file, 'write-in-place', { follows: true });
  for (const file of words.values('a')) touch(use, file, 'append', { follows: true });
  for (const name of ['save-cookies', 'rejected-log', 'hsts-file'])
    for (const file of words.values(name)) touch(use, file, 'write-in-place', { follows: true });
  for (const file of words.values('warc-file'))
    for (const end of ['.warc.gz', '.warc', '.cdx']) touch(use, ended(file, end), 'write-in-place', { follows: true });
  if (words.has('spider')) return;
  const document = words.value('O');
  if (document !== undefined) {
    if (textOfArg(document) !== '-')
      touch(use, document, words.has('c') ? 'append' : 'write-in-place', { follows: true });
    return;
  }
  const folder = words.value('P');
  const resume = words.has('c');
  if (words.has('r', 'm', 'p') && !words.has('nc')) {
    for (const url of words.operands) {
      const host = /^(?:\w+:\/\/)?(?:[^/@]*@)?([^/:?#]+)/.exec(textOfArg(url) ?? '')?.[1];
      if (host === undefined || words.has('nH', 'nd'))
        out.unknown(verb, below(use.call.cwd), 'fetches a tree over what is here');
      else
        out.effect({
          verb,
          path: inFolder(folder, knownArg(host)),
          way: 'write-in-place',
          recursive: true,
          follows: true,
        });
    }
  } else if (words.has('N') || resume) {
    for (const url of words.operands) {
      const name = remoteName(url, 'index.html');
      if (name)
        touch(use, inFolder(folder, name), resume && !words.has('N') ? 'append' : 'write-in-place', { follows: true });
    }
  }
}

const ended = (file: Arg, end: Bytes): Arg =>
  file.kind === 'known' ? knownArg(file.text + end) : { ...file, suffix: file.suffix + end };

const WGET =
  'V,version h,help b,background e,execute= o,output-file= a,append-output= d,debug q,quiet v,verbose nv,no-verbose report-speed= i,input-file= F,force-html B,base= config= ' +
  'rejected-log= t,tries= retry-connrefused O,output-document= nc,no-clobber no-netrc c,continue start-pos= progress= show-progress N,timestamping no-if-modified-since ' +
  'no-use-server-timestamps S,server-response spider T,timeout= dns-timeout= connect-timeout= read-timeout= w,wait= waitretry= random-wait no-proxy Q,quota= bind-address= ' +
  'limit-rate= no-dns-cache restrict-file-names= ignore-case 4,inet4-only 6,inet6-only prefer-family= user= password= ask-password use-askpass= no-iri local-encoding= ' +
  'remote-encoding= unlink xattr nd,no-directories x,force-directories nH,no-host-directories protocol-directories P,directory-prefix= cut-dirs= http-user= http-password= ' +
  'no-cache default-page= E,adjust-extension ignore-length header= compression= max-redirect= proxy-user= proxy-password= referer= save-headers U,user-agent= ' +
  'no-http-keep-alive no-cookies load-cookies= save-cookies= keep-session-cookies post-data= post-file= method= body-data= body-file= content-disposition content-on-error ' +
  'trust-server-names auth-no-challenge secure-protocol= https-only no-check-certificate certificate= ca-certificate= ca-directory= warc-file= hsts-file= r,recursive l,level= ' +
  'delete-after k,convert-links K,backup-converted m,mirror p,page-requisites strict-comments A,accept= R,reject= accept-regex= reject-regex= regex-type= D,domains= ' +
  'exclude-domains= follow-ftp follow-tags= ignore-tags= H,span-hosts L,relative I,include-directories= X,exclude-directories= np,no-parent';

/** `-nc`, `-nH`, `-nd`, `-np`, `-nv` are two-letter options (wget(1)). */
const WGET_TWO: Readonly<Record<Bytes, Bytes>> = {
  '-nc': '--no-clobber',
  '-nH': '--no-host-directories',
  '-nd': '--no-directories',
  '-np': '--no-parent',
  '-nv': '--no-verbose',
};

const twoLetters = (arg: Arg): Arg =>
  arg.kind === 'known' && WGET_TWO[arg.text] !== undefined ? knownArg(WGET_TWO[arg.text] ?? '') : arg;

export const download: readonly Row[] = [
  {
    names: 'curl',
    manual: 'curl(1)',
    loses: 'overwrites the files of `-o`, `-O`, `-D`, `-c` and the like',
    options:
      'abstract-unix-socket= alt-svc= anyauth append,a aws-sigv4= basic cacert= capath= cert,E= cert-type= ciphers= compressed config,K= connect-timeout= connect-to= continue-at,C= ' +
      'cookie,b= cookie-jar,c= create-dirs create-file-mode= crlf crlfile= data,d= data-ascii= data-binary= data-raw= data-urlencode= delegation= digest disable,q dns-servers= ' +
      'doh-url= dump-header,D= engine= etag-compare= etag-save= expect100-timeout= fail,f fail-early fail-with-body false-start form,F= form-string= ftp-account= ftp-method= ' +
      'ftp-port,P= get,G globoff,g head,I header,H= help,h? hsts= ssl-sessions= http0.9 http1.0,0 http1.1 http2 http3 include,i insecure,k interface= ipv4,4 ipv6,6 json= junk-session-cookies,j ' +
      'keepalive-time= key= key-type= krb= libcurl= limit-rate= list-only,l local-port= location,L location-trusted login-options= mail-auth= mail-from= mail-rcpt= manual,M ' +
      'max-filesize= max-redirs= max-time,m= metalink negotiate netrc,n netrc-file= netrc-optional next,: no-alpn no-buffer,N no-clobber no-keepalive no-progress-meter noproxy= ntlm ' +
      'oauth2-bearer= output,o= output-dir= parallel,Z parallel-max= pass= path-as-is pinnedpubkey= post301 preproxy= progress-bar,# proto= proto-default= proto-redir= proxy,x= ' +
      'proxy-header= proxy-user,U= proxytunnel,p pubkey= quote,Q= random-file= range,r= rate= raw referer,e= remote-header-name,J remote-name,O remote-name-all remote-time,R ' +
      'remove-on-error request,X= request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid= service-name= show-error,S silent,s ' +
      'skip-existing socks4= socks5= socks5-hostname= speed-limit,Y= speed-time,y= ssl ssl-reqd sslv2,2 sslv3,3 stderr= styled-output suppress-connect-headers tcp-fastopen tcp-nodelay ' +
      'telnet-option,t= tftp-blksize= time-cond,z= tls-max= tlsv1,1 tlsv1.2 tlsv1.3 trace= trace-ascii= trace-time unix-socket= upload-file,T= url= url-query= use-ascii,B user,u= ' +
      'user-agent,A= verbose,v version,V write-out,w= xattr',
    idle: 'help version manual',
    does: [curl],
  },
  {
    names: 'wget wget2',
    manual: 'wget(1)',
    loses: 'truncates the file of `-O`; with `-N`, `-r`, `-p`, overwrites what it fetched before',
    options: WGET,
    idle: 'help version V h',
    does: [wget],
  },
  {
    names: 'aria2c',
    manual: 'aria2c(1)',
    loses: 'with `--allow-overwrite=true`, overwrites the file it fetches',
    options: 'd,dir= o,out= l,log= allow-overwrite= auto-file-renaming= c,continue i,input-file= x= s= j= k= q v h V',
    idle: 'help version h v',
    does: [aria],
  },
  {
    names: 'http https xh xhs',
    manual: 'http(1)',
    loses: 'overwrites the file of `-o`',
    options: 'd,download o,output= c,continue b,body h,headers v f,form j,json p= a,auth= A= verify= timeout= session=',
    does: [output('o')],
  },
  {
    names: 'axel',
    manual: 'axel(1)',
    loses: 'the file of `-o`',
    options: 'o,output= n= s= a q v H= U= k N c,no-clobber',
    does: [output('o')],
  },
  {
    names: 'yt-dlp youtube-dl',
    manual: 'yt-dlp(1)',
    loses: 'with `--force-overwrites`, overwrites what it fetches',
    options: 'o,output= force-overwrites P,paths= f= x',
    does: [overwrites],
  },
];

function aria(use: Use): void {
  for (const file of use.words.values('l')) touch(use, file, 'append', { follows: true });
  if (textOfArg(use.words.value('allow-overwrite')) !== 'true') return;
  const name = use.words.value('o') ?? (use.words.operands[0] && remoteName(use.words.operands[0], 'index.html'));
  if (name) touch(use, inFolder(use.words.value('d'), name), 'write-in-place', { follows: true });
}

function overwrites(use: Use): void {
  if (use.words.has('force-overwrites'))
    use.out.unknown(use.verb, below(use.call.cwd), 'overwrites files whose names the site gives');
}
