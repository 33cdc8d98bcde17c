import { projectRoot } from '../platform/roots.ts';
import type { Call, Gap, Line, Place, Redirect, Visitor } from '../shell/types.ts';
import { walk } from '../shell/walk.ts';
import { type Finds, findsIn } from './finds.ts';
import { Judge } from './judge.ts';
import { allSeen, inOneLook, type Looks } from './looks.ts';
import { printedBy } from './printed.ts';
import { runProgram } from './program.ts';
import type { Out, Plan } from './types.ts';

/**
 * What has to be saved before `line` runs: the walk reports its commands in order, the rules say what each destroys, the
 * judge looks at the paths. Touches nothing. Never throws: whatever goes wrong, the answer is to save more.
 */
export function planLine(line: Line): Plan {
  try {
    return inOneLook(() => planOf(line));
  } catch (error) {
    return unplanned(line, error);
  }
}

interface Made {
  readonly line: Line;
  readonly seen: Looks;
}
const made = new WeakMap<Plan, Made>();

/** What was seen while it was made: older than now, so that whoever believes it must see that it is still so. */
export const allSeenFor = (plan: Plan): Looks | undefined => made.get(plan)?.seen;

/** What its line finds only when it runs; undefined for a call whose caller nobody knows. */
export function findsOf(plan: Plan): Finds | undefined {
  const line = made.get(plan)?.line;
  return line === undefined || line.called ? undefined : findsIn(line, plan);
}

function planOf(line: Line): Plan {
  const cwd: Place = line.cwd === undefined ? { kind: 'unknown' } : { kind: 'known', path: line.cwd };
  const judge = new Judge(cwd, line.variables.get('HOME'));
  const visitor: Visitor = {
    call: (call) => call_(judge, call),
    redirect: (redirect) => redirected(judge, redirect),
    gap: (gap) => gapped(judge, gap),
    foretold: (program, surely) => judge.foretold(program, surely),
    prints: (call) => printedBy(call, judge.outFor(call)),
  };
  const { parsed } = walk(line, visitor);
  const plan = judge.plan(parsed);
  made.set(plan, { line, seen: allSeen() });
  return plan;
}

function call_(judge: Judge, call: Call): void {
  const out = judge.outFor(call);
  try {
    runProgram(call, out);
  } catch (error) {
    // A rule that fails knows nothing: everything here may be lost, and the rest of the line is still looked at.
    out.unknown(call.argv[0]?.kind === 'known' ? call.argv[0].text : '?', call.cwd, `not understood: ${String(error)}`);
  }
}

const SIGN = { write: '>', append: '>>', 'read-write': '<>' } as const;

/** POSIX XCU 2.7: `>` truncates through a link, `>>` appends, `<>` only opens. */
function redirected(judge: Judge, redirect: Redirect): void {
  const out: Out = judge.outFor(redirect);
  const kind = redirect.kind === 'write' && !redirect.clobber ? out.kindOf(redirect.target) : undefined;
  // noclobber: an existing regular file is refused, nothing is opened.
  const way = redirect.kind === 'write' && kind !== 'file' ? 'write-in-place' : kind === 'file' ? undefined : 'append';
  if (way) out.effect({ verb: SIGN[redirect.kind], path: redirect.target, way, follows: true });
}

function gapped(judge: Judge, gap: Gap): void {
  judge.outFor({ cwd: gap.cwd, certainty: 'maybe', deferred: false }).unknown(gap.verb ?? '?', gap.cwd, gap.reason);
}

function unplanned(line: Line, error: unknown): Plan {
  const folder = line.cwd ?? '/';
  const root = projectRoot(folder, line.variables.get('HOME'));
  return {
    destructive: true,
    parsed: false,
    effects: [
      {
        verb: '?',
        path: '?',
        way: 'delete',
        certainty: 'unknown',
        deferred: false,
        destructive: true,
        note: String(error),
      },
    ],
    targets: [],
    git: [],
    captures: [{ folder, why: 'unknown', verb: '?' }],
    dirs: ['?', folder],
    projects: [{ root: root ?? folder, scope: root === undefined ? 'targets' : 'full' }],
    verbs: ['?'],
    unknownPrograms: [],
    remarks: [],
  };
}
