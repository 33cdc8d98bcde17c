import { textOfArg, type Use } from '../row.ts';

/** ssh_config(5): options whose value the shell of this side runs. */
const COMMAND = /^\s*(?:Proxy|Local|KnownHosts)Command[\s=]+([\s\S]+)/i;

/** `-o ProxyCommand=…` of ssh(1), scp(1), sftp(1). */
export function runConnecting({ words, call }: Pick<Use, 'words' | 'call'>): void {
  for (const value of words.values('o')) {
    const text = COMMAND.exec(textOfArg(value) ?? '')?.[1];
    if (text !== undefined) call.script(text, { shell: 'sh', certainty: 'maybe' });
  }
}

/** scp(1), sftp(1): `-S` is the program that connects; it gets ssh's words. */
export function runConnector(use: Use): void {
  runConnecting(use);
  const program = use.words.value('S');
  if (program !== undefined) use.call.run([program], { certainty: 'maybe' });
}

/** rsync(1): the words of `-e`, else of RSYNC_RSH, connect to the other machine; rsync takes them apart by itself. */
export function runRemoteShell({ words, call, out, verb }: Use): void {
  const given = words.value('rsh');
  const text = given === undefined ? call.env('RSYNC_RSH') : textOfArg(given);
  if (text !== undefined) call.script(text, { shell: 'sh', certainty: 'maybe' });
  else if (given !== undefined) out.unknown(verb, call.cwd, 'the program that connects is not known');
}
