import type { Bytes } from './bytes.ts';

/**
 * What a stored command line must not keep: each row is a shape of a secret and the part of it that stays. A small table, not
 * a promise: it covers what people type.
 */
const SECRET_NAME =
  '[A-Za-z0-9_.-]*(?:TOKEN|SECRET|PASSW(?:OR)?D|PASSWD|PASSPHRASE|PASS|PWD_?KEY|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?|AUTH)[A-Za-z0-9_]*';
/** A shell word's value: quoted or not. */
const VALUE = `(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s;|&<>"'()]+)`;

const ROWS: readonly (readonly [shape: RegExp, stays: string])[] = [
  // -----BEGIN … PRIVATE KEY----- blocks
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '$1***$2'],
  // https://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*:)[^\s/@'"]+@/gi, '$1***@'],
  // Authorization: Bearer x, X-Api-Key: x, Cookie: x
  [/\b((?:proxy-)?authorization|x-[a-z-]*(?:token|key|secret)|private-token|cookie)(\s*:\s*)[^'"\r\n]+/gi, '$1$2***'],
  // DB_PASS=x, export GITHUB_TOKEN=x, --build-arg API_KEY=x
  [new RegExp(`(?<![A-Za-z0-9_-])(${SECRET_NAME}=)${VALUE}`, 'gi'), '$1***'],
  // --password x, --token=x, --api-key x
  [
    new RegExp(
      `(--?(?:[a-z0-9]+-)*(?:token|secret|password|passwd|passphrase|pass|api-?key|access-key|auth-?key|secret-key|client-secret))(=|\\s+)(?!-)${VALUE}`,
      'gi',
    ),
    '$1$2***',
  ],
  // curl -u user:password, mysql -psecret
  [/(\s-u\s*["']?[^\s:'"]+:)[^\s'"]+/g, '$1***'],
  [/(\bmysql(?:dump|admin)?\b[^;|&\n]*?\s-p)[^\s;|&]+/g, '$1***'],
  [/(\bsshpass\s+-p\s*)(?:"[^"]*"|'[^']*'|\S+)/g, '$1***'],
  // Tokens known by their shape
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '***'],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g, '***'],
  [/\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}/g, '***'],
  [/\bxox[abpors]-[A-Za-z0-9-]{10,}/g, '***'],
  [/\bnpm_[A-Za-z0-9]{30,}/g, '***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, '***'],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, '***'],
];

/** The line with its secrets replaced by `***`. */
export function maskSecrets(line: Bytes): Bytes {
  return ROWS.reduce((text, [shape, stays]) => text.replace(shape, stays), line);
}
