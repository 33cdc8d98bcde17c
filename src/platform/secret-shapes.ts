import type { Bytes } from './bytes.ts';

/** Masks what is a secret by its shape, wherever it stands. */
export const maskShapes = (text: Bytes): Bytes =>
  isHinted(text) ? SHAPES.reduce((all, [shape, stays]) => all.replace(shape, stays), text) : text;

/** Every shape has one of these in it, or what `WORDS` finds, in any case of letters. */
const TEXTS =
  ': = \' " -----begin akia asia ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk- sk_ pk- pk_ rk- rk_ xoxa- xoxb- xoxp- xoxo- xoxr- xoxs- npm_ eyj aiza'.split(
    ' ',
  );
const WORDS = /login\s|\bs[/|#,]/i;
const OF_WORDS = ['login', 's/', 's|', 's#', 's,'];

/** Most lines have none. Texts are looked for as such: one expression for all of them took a thirtieth of a hold of a hundred files. */
function isHinted(text: Bytes): boolean {
  const lower = text.toLowerCase();
  const has = (one: string): boolean => lower.includes(one);
  return TEXTS.some(has) || (OF_WORDS.some(has) && WORDS.test(text));
}

/** Secrets that are known wherever they stand, each with the part that stays. */
const SHAPES: readonly (readonly [shape: RegExp, stays: string])[] = [
  // -----BEGIN … PRIVATE KEY----- blocks
  [/(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, '$1***$2'],
  // Authorization: Bearer x, X-Api-Key: x, Cookie: x
  [
    /\b((?:proxy-)?authorization|x-[a-z-]{0,40}(?:token|key|secret)|private-token|api-?key|cookie)(\s{0,8}:\s{0,8}["']?)[^'"\r\n]+/gi,
    '$1$2***',
  ],
  // {"password": "x"}, os.environ["TOKEN"] = "x", also with \" for "
  [
    /((?:\\?["'])[A-Za-z0-9_-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)[A-Za-z0-9_-]{0,64}(?:\\?["'])\]?\s{0,8}[:=]\s{0,8})(?:\\?["'])[^"'\\]*(\\?["'])/gi,
    '$1"***$2',
  ],
  // Lines of a here-document, or of a quoted text: secret: x
  [
    /(?<=["'])([A-Za-z0-9_.-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key):[ \t]{1,8})[^\s"'][^"'\r\n]*/gi,
    '$1***',
  ],
  [
    /^([ \t]{0,40}(?:- )?["']?[A-Za-z0-9_.-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)["']?:[ \t]{1,8})[^\s][^\r\n]*/gim,
    '$1***',
  ],
  // TOKEN=$(echo x), --password-file=<(echo x)
  [
    /\b([A-Za-z0-9_]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key)[A-Za-z0-9_-]{0,64}=["']?[$<]\(\s{0,8}(?:echo|printf)\s{1,8})[^)]+/gi,
    '$1***',
  ],
  // --from-literal=name=x
  [/(--from-literal=["']?[^\s='"]{1,64}=["']?)[^\s'"]+/g, '$1***'],
  // machine h login u password x
  [/\b(login\s{1,4}[^\s]{1,80}\s{1,4}password\s{1,4})[^\s\\'"]+/gi, '$1***'],
  // openssl -passin pass:x
  [/\b(pass:)[^\s'";|&]+/g, '$1***'],
  // sed 's/password/x/' .env
  [
    /(\bs([/|#,])[^/|#,\s'"]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api_?key|access_?key)[^/|#,\s'"]{0,64}\2)[^/|#,\s'"]+(?=\2[a-z0-9]{0,4}['"]?\s{1,8}[^;|&\n]{0,80}(?:\.env|secret|credential|passw|token))/gi,
    '$1***',
  ],
  // expect -c 'send "x\\r"'
  [/\b(send(?:\s{1,4}--)?\s{1,4}\\?["'])[^"'\\]+(?=\\{1,4}[rn])/g, '$1***'],
  // Tokens known by their shape
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '***'],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g, '***'],
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g, '***'],
  [/\bxox[abpors]-[A-Za-z0-9-]{10,}/g, '***'],
  [/\bnpm_[A-Za-z0-9]{30,}/g, '***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, '***'],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, '***'],
];
