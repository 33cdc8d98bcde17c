import type { Row, Use } from '../row.ts';
import { runs, same, stops } from './run.ts';

/** systemd-run(1), at(1), batch(1): later, in the user's home or `/` unless told otherwise. */
function later(use: Use): void {
  const { words, out, call } = use;
  if (words.operands.length === 0) return;
  const folder = words.value('working-directory');
  const path = folder ? out.absolute(folder) : undefined;
  const here = words.has('same-dir', 'scope', 'shell') ? call.cwd : ({ kind: 'known', path: '/' } as const);
  call.run(words.operands, {
    cwd: path === undefined ? here : { kind: 'known', path },
    deferred: !words.has('wait', 'scope', 'pty', 'pipe', 'shell'),
  });
}

function queued(use: Use): void {
  const { call, out, words } = use;
  if (words.has('q_list', 'l', 'r', 'd', 'c', 'V')) return;
  const file = words.value('f');
  const text = file ? out.textOf(file) : call.stdin.kind === 'text' ? call.stdin.text : undefined;
  if (text !== undefined) call.script(text, { shell: 'sh', deferred: true });
  else if (file || call.stdin.kind !== 'terminal') out.unknown(use.verb, call.cwd, 'the job cannot be known');
}

/** Programs after which the command may still run when the line has returned. */
export const laters: readonly Row[] = [
  {
    names: 'nohup',
    manual: 'nohup(1)',
    loses: `${same}, perhaps later`,
    options: 'help version',
    grammar: stops,
    does: [runs(0, { deferred: true })],
  },
  {
    names: 'setsid',
    manual: 'setsid(1)',
    loses: `${same}, perhaps later`,
    options: 'c,ctty f,fork w,wait help version h V',
    grammar: stops,
    idle: 'help version h V',
    does: [runs(0, { deferred: true })],
  },
  {
    names: 'systemd-run',
    manual: 'systemd-run(1)',
    loses: `${same}, later, in \`/\` unless told otherwise`,
    options:
      'user system H,host= M,machine= scope u,unit= p,property= description= slice= slice-inherit r,remain-after-exit send-sighup service-type= uid= gid= nice= working-directory= same-dir,d E,setenv= pty,t pipe,P q,quiet on-active= on-boot= on-startup= on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change path-property= socket-property= timer-property= no-block wait G,collect shell,S help,h version',
    grammar: stops,
    does: [later],
  },
  {
    names: 'at batch',
    manual: 'at(1)',
    loses: 'what the job loses, later',
    options: 'V q= f= M l r d b v c m u= t=',
    does: [queued],
  },
];
