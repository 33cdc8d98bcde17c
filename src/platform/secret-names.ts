import type { Bytes } from './bytes.ts';

/** Names that say themselves that they hold a secret: of variables, options, keys of a configuration. */
const SECRET =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|PASS(?:$|[_-])|_PASS|^PASS|PWD_?KEY|_PWD$|API[_-]?KEY|ACCESS[_-]?KEY|PRIVATE[_-]?KEY|_KEY$|CREDENTIAL|AUTH(?:$|[_-])|(?:^|_)(?:PW|JWT|PIN)$|^PWD$/i;

/** A personal access token, as shells write variables: `x_pat` is a pattern more often. */
const UPPER = /^(?:\w*_)?PAT$|^KEY$/;

/** Not secret although their names look like it. */
const HARMLESS =
  /^(?:OLD)?PWD$|^(?:.*_)?AUTH_?(?:SOCK|TYPE|METHOD|MODE)$|^SSH_AUTH_SOCK$|PASSWORD-?STDIN|TOKENS?[_-]?(?:LIMIT|COUNT|BUDGET|SIZE)|^MAX_TOKENS$|(?:PUBLIC|PRIMARY|FOREIGN|SORT|CACHE|PARTITION|GROUP)_KEY$|CREDENTIALS?\.HELPER$/i;

/** `KEY` alone is one only as shells write variables: `sort --key=2`. */
export const isSecretName = (name: Bytes): boolean => (SECRET.test(name) && !HARMLESS.test(name)) || UPPER.test(name);

/** `--tokens 200`, `MAX_NEW_TOKENS=4k`, ffmpeg's `-pass 2`: how many, or which. */
export const isCount = (name: Bytes, value: Bytes): boolean =>
  (/tokens$/i.test(name) && /^["']?\d{1,9}[km]?["']?$/i.test(value)) || (name === '-pass' && /^[1-3]$/.test(value));

/** Files that hold nothing else: what is written into them whole is a secret. */
const FILE = /(?:token|secret|passw(?:or)?d|passphrase|pgpass|credential)s?(?:\.(?:txt|key))?$/i;

export const isSecretFile = (path: Bytes): boolean => FILE.test(path.slice(path.lastIndexOf('/') + 1));
