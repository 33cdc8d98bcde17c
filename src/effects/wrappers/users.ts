import { type Bytes, fromBuffer } from '../../platform/bytes.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import type { Arg, Call } from '../../shell/types.ts';
import { parseWords, type Words } from '../options.ts';
import { type Row, textOfArg, type Use, verbOf } from '../row.ts';
import type { Rule } from '../types.ts';
import { rebased } from './elsewhere.ts';
import { assigned } from './surroundings.ts';

/** The home folder of a user (passwd(5)); where the user is not known here, the usual place. */
export function homeOf(user: Bytes): Bytes {
  const passwd = readBytesIfAny('/etc/passwd');
  for (const line of passwd ? fromBuffer(passwd).split('\n') : []) {
    const fields = line.split(':');
    if (fields[0] === user && fields[5]?.startsWith('/')) return fields[5];
  }
  return user === 'root' ? '/root' : `/home/${user}`;
}

const known = (text: Bytes): Arg => ({ kind: 'known', text });
const isAssignment = (arg: Arg | undefined): boolean =>
  arg !== undefined && /^[A-Za-z_][A-Za-z0-9_]*=/.test(arg.kind === 'known' ? arg.text : arg.prefix);

function afterAssignments(words: readonly Arg[]): readonly Arg[] {
  let at = 0;
  while (isAssignment(words[at])) at++;
  return words.slice(at);
}

/** sudo(8): another user runs it, so what this user cannot see may be there all the same. */
function asOther(use: Use): void {
  const { call, out, words } = use;
  const argv = afterAssignments(words.operands);
  if (words.has('edit')) {
    for (const file of argv)
      out.effect({ verb: use.verb, path: file, way: 'write-in-place', follows: true, blind: true });
    return;
  }
  if (argv.length === 0) return;
  const variables = new Map<Bytes, Arg | undefined>();
  for (const arg of words.operands.slice(0, words.operands.length - argv.length)) assigned(arg, variables);
  const user = textOfArg(words.value('user')) ?? 'root';
  const folder = words.value('chdir');
  const place = words.has('login') && !folder ? known(homeOf(user)) : folder;
  const root = textOfArg(words.value('chroot'));
  out.blind(() => {
    if (root !== undefined) rebased(call, out, root, argv);
    else call.run(argv, place ? { cwd: placeOf(call, use, place), variables } : { variables });
  });
}

function placeOf(call: Call, use: Use, folder: Arg): Call['cwd'] {
  const path = use.out.absolute(folder, call.cwd);
  return path === undefined ? { kind: 'unknown' } : { kind: 'known', path };
}

/** pkexec(1) starts in the user's home. */
function asPolicy(use: Use): void {
  const user = textOfArg(use.words.value('user')) ?? 'root';
  if (use.words.operands.length === 0) return;
  const cwd: Call['cwd'] = use.words.has('keep-cwd') ? use.call.cwd : { kind: 'known', path: homeOf(user) };
  use.out.blind(() => use.call.run(use.words.operands, { cwd }));
}

/** su(1), runuser(1): `-c TEXT` in the user's shell; `-` and `-l` start in the user's home. */
const substitute: Rule = (call, out) => {
  const verb = verbOf(call);
  const words: Words = parseWords(
    call.argv.slice(1),
    'command,c,session-command= f,fast g,group= G,supp-group= login,l m p preserve-environment P,pty s,shell= u,user= w,whitelist-environment= help h version V',
    verb === 'runuser' && call.argv.some((arg) => textOfArg(arg) === '-u') ? { stopsAtOperand: true } : {},
  );
  if (words.has('help', 'version', 'h', 'V')) return;
  const named = words.operands.filter((arg) => textOfArg(arg) !== '-');
  const login = words.has('login') || named.length < words.operands.length;
  const user = textOfArg(words.value('u') ?? named[0]) ?? 'root';
  const cwd: Call['cwd'] = login ? { kind: 'known', path: homeOf(user) } : call.cwd;
  const text = words.value('command');
  out.blind(() => {
    if (words.has('u')) call.run(words.operands, { cwd });
    else if (text?.kind === 'known') call.script(text.text, { shell: 'bash', cwd, positional: named.slice(1) });
    else if (text) out.unknown(verb, cwd, 'the text that the shell runs cannot be known');
    else if (call.stdin.kind === 'text') call.script(call.stdin.text, { shell: 'bash', cwd });
    else if (call.stdin.kind === 'pipe') out.unknown(verb, cwd, 'the script on standard input cannot be known');
  });
};

export const substituteRule = substitute;

/** Programs that run another one as another user. */
export const users: readonly Row[] = [
  {
    names: 'sudo',
    manual: 'sudo(8)',
    loses: 'what the command it runs loses, in the folder of `-D`',
    options:
      'A,askpass b,background B,bell C,close-from= chdir,D= E preserve-env? edit,e g,group= H,set-home host= login,i K,remove-timestamp k,reset-timestamp list,l n,non-interactive P,preserve-groups p,prompt= chroot,R= r,role= S,stdin s,shell t,type= U,other-user= T,command-timeout= user,u= V,version validate,v help',
    grammar: { stopsAtOperand: true },
    idle: 'help V validate list K',
    does: [asOther],
  },
  {
    names: 'sudoedit',
    manual: 'sudo(8)',
    loses: 'what is edited',
    options: 'A B n S C= D= g= p= R= T= u= help V',
    does: [
      (use) => {
        for (const file of use.words.operands)
          use.out.effect({ verb: use.verb, path: file, way: 'write-in-place', follows: true, blind: true });
      },
    ],
  },
  {
    names: 'doas',
    manual: 'doas(1)',
    loses: 'what the command it runs loses',
    options: 'L n s a= C= user,u=',
    grammar: { stopsAtOperand: true },
    idle: 'L C',
    does: [asOther],
  },
  {
    names: 'gosu su-exec setuidgid chpst',
    manual: 'gosu(1), setuidgid(8)',
    loses: 'what the command it runs loses',
    options: 'help version u= U= e= n= l= m= o= v P',
    grammar: { stopsAtOperand: true },
    does: [
      (use) => {
        const argv = use.verb === 'chpst' ? use.words.operands : use.words.operands.slice(1);
        if (argv.length > 0) use.out.blind(() => use.call.run(argv));
      },
    ],
  },
  {
    names: 'pkexec',
    manual: 'pkexec(1)',
    loses: "what the command it runs loses, started in that user's home",
    options: 'version help disable-internal-agent keep-cwd user,u=',
    grammar: { stopsAtOperand: true },
    does: [asPolicy],
  },
];
