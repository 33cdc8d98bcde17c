import type { Bytes } from '../../src/platform/bytes.ts';
import type { Arg, Call, Gap, Line, Place, Redirect } from '../../src/shell/types.ts';
import { walk } from '../../src/shell/walk.ts';

/** A line at a bash prompt, everything else at rest. */
export const line = (text: Bytes, more: Partial<Line> = {}): Line => ({
  text,
  shell: 'bash',
  cwd: '/tmp',
  variables: new Map([
    ['HOME', '/home/u'],
    ['PATH', '/usr/bin:/bin'],
    ['LANG', 'C.UTF-8'],
  ]),
  aliases: new Map(),
  functions: new Map(),
  options: new Set(),
  ...more,
});

export interface Seen {
  readonly parsed: boolean;
  readonly calls: readonly Call[];
  readonly redirects: readonly Redirect[];
  readonly gaps: readonly Gap[];
  /** Everything in order, each as a short text. */
  readonly log: readonly string[];
}

/** Walks and keeps what was reported; `onCall` plays the rules that look into wrappers. */
export function see(one: Line, onCall: (call: Call) => void = () => {}): Seen {
  const calls: Call[] = [];
  const redirects: Redirect[] = [];
  const gaps: Gap[] = [];
  const log: string[] = [];
  const { parsed } = walk(one, {
    call(call) {
      calls.push(call);
      log.push(`${marks(call)}${where(call.cwd, one)}${call.argv.map(show).join(' ')}`);
      onCall(call);
    },
    redirect(redirect) {
      redirects.push(redirect);
      const operator = { write: '>', append: '>>', 'read-write': '<>' }[redirect.kind];
      log.push(`${marks(redirect)}${where(redirect.cwd, one)}${operator} ${show(redirect.target)}`);
    },
    gap(gap) {
      gaps.push(gap);
      log.push(gap.kind === 'scan' ? `gap scan ${gap.verb}` : 'gap program');
    },
  });
  return { parsed, calls, redirects, gaps, log };
}

const marks = (one: { certainty: string; deferred: boolean; repeated?: boolean }): string =>
  `${one.certainty === 'maybe' ? '?' : ''}${one.deferred ? '&' : ''}${one.repeated ? '*' : ''}`;

function where(place: Place, one: Line): string {
  if (place.kind === 'unknown') return '[?] ';
  return place.path === one.cwd ? '' : `[${place.path}] `;
}

export function show(arg: Arg): string {
  if (arg.kind === 'known') return /[\s[\]?*]|^$/.test(arg.text) ? JSON.stringify(arg.text) : arg.text;
  return `${arg.prefix}<${arg.many ? '…' : '?'}>${arg.suffix}`;
}
