import type { Bytes } from '../platform/bytes.ts';

/** Words that destroy by themselves or start what does; looked for where a text could not be parsed. */
const VERBS =
  'rm rmdir unlink shred srm mv cp dd truncate tee sponge install ln split csplit sed perl ruby awk gawk ed ex vi vim patch sort uniq find fd xargs parallel rsync scp curl wget tar unzip gunzip gzip bzip2 xz zstd 7z cpio git hg jj svn chmod chown chattr mkfs wipefs docker npm npx yarn pnpm pip cargo make eval source sh bash zsh dash fish sudo doas su env';

const PATTERN = new RegExp(
  `(?<![\\w.-])(?:${VERBS.split(' ').join('|')})(?![\\w-])|>[>|!&]*(?![>&|!])(?! *(?:&|/dev/(?:null|stdout|stderr|tty)))`,
  'g',
);

/**
 * The destructive words and output redirections in a text, each once, whatever quotes are around or inside them: the last net under
 * texts that cannot be parsed. Says too much rather than too little.
 */
export function scan(text: Bytes): readonly Bytes[] {
  const bare = text.replace(/\\\n/g, '').replace(/['"\\]/g, '');
  const found = new Set<Bytes>();
  for (const [word] of bare.matchAll(PATTERN)) found.add(word.startsWith('>') ? '>' : word);
  return [...found];
}
