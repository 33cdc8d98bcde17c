import type { Bytes } from '../../platform/bytes.ts';

/** How the zsh that runs the line is set. */
export interface Setting {
  /** `extendedglob`: `^`, `~` and `#` are pattern characters. */
  readonly extended: boolean;
  /** `#` begins a comment: always in scripts, at a prompt with `interactivecomments`. */
  readonly comments: boolean;
}

/** Whether the text means the same in bash, so that nothing has to be translated. */
export const isBash = (text: Bytes, setting: Setting): boolean =>
  !OWN.test(text) && (setting.comments || !HASHED.test(text));

/** Where none of this is, the text means the same in both shells. */
const OWN =
  /[(^<]|\S~|\*\*\*|[^\s]#|(?:^|\n)[^\n#]*#[^\n]*['"`]|&[!|]|>[!]|\$[=~#+^]|\$\w+[[:]|\$\{[=~^("$`:]|\$\{\w+(?:\[[^\]]*\])?:[#gs]|(?:^|[\s;|&])(?:for|foreach|select|while|until|if|case|repeat|always|nocorrect|function|-)(?=\s)|[^\s;&]\s+\}(?=[\s;&|)]|$)/;

/** A word that begins a comment in bash. */
const HASHED = /(?:^|[\s;&|()<>`])#/;
