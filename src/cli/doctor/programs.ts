import { spawnSync } from 'node:child_process';
import { toText } from '../../platform/bytes.ts';
import { lookThrough } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';

const NODE = 20;
/** `merge-tree`, `ls-files --deduplicate` and what else belay asks of git are older than this. */
const GIT: readonly [number, number] = [2, 30];

/** node, git, and belay-snap in both its forms. */
export function checkPrograms(patient: Patient): readonly Finding[] {
  return [checkNode(), checkGit(), ...checkSnap(patient)];
}

function checkNode(): Finding {
  const version = process.versions.node;
  if (Number(version.split('.')[0]) >= NODE) return fine('node', `node ${version}`);
  return wrong('node', `node ${version} is too old`, `install Node ${NODE} or newer and put it first in PATH`);
}

function checkGit(): Finding {
  const answer = git(['--version'], { timeout: 10_000 });
  if (!answer.ok) {
    const why = answer.code === 'missing' ? 'git is not in PATH' : `git does not run (${answer.code})`;
    return wrong(
      'git',
      `${why}: lines are held, but nothing can be settled or captured`,
      'install git, or put it in PATH',
    );
  }
  const said = answer.out.toString('utf8').trim();
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).slice(1).map(Number);
  if (major > GIT[0] || (major === GIT[0] && minor >= GIT[1])) return fine('git', said);
  return wrong('git', `${said} is too old`, `install git ${GIT.join('.')} or newer`);
}

function checkSnap({ install }: Patient): readonly Finding[] {
  const launcher = join(install, 'bin/belay-snap');
  const compiled = join(install, 'dist/belay-snap');
  const bundle = join(install, 'dist/belay-snap.cjs');
  const byNpm = toText(install).endsWith('/node_modules/belay-sh');
  const mend = byNpm ? 'install the package again, then belay setup' : 'run install.sh again';
  const compile =
    'where belay was built: rm -r node_modules dist, then ./install.sh (npm fetches bun, which compiles it)';
  const found: Finding[] = [];
  if (lookThrough(compiled) === undefined)
    found.push(
      note(
        'belay-snap',
        'not compiled: node starts before every destructive line (about 80 ms)',
        byNpm ? 'a checkout or an archive has it compiled (./install.sh); without it all else is the same' : compile,
      ),
    );
  else {
    const ran = start(toText(compiled));
    if (ran.ok) found.push(fine('belay-snap', `compiled, starts in ${ran.ms} ms`));
    else found.push(note('belay-snap', `the compiled one does not run here (${ran.why}): node takes over`, mend));
  }
  if (lookThrough(bundle) === undefined)
    found.push(
      wrong('belay-snap', `${toText(bundle)} is missing: nothing takes over when the compiled one fails`, mend),
    );
  const whole = start(toText(launcher));
  if (!whole.ok)
    found.push(wrong('belay-snap', `${toText(launcher)} does not run (${whole.why}): nothing is saved`, mend));
  return found;
}

type Start = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly why: string };

function start(program: string): Start {
  const begin = process.hrtime.bigint();
  const done = spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000, cwd: '/' });
  const ms = Number((process.hrtime.bigint() - begin) / 1_000_000n);
  if (done.status === 0) return { ok: true, ms };
  return { ok: false, why: done.error?.message ?? done.signal ?? `status ${done.status}` };
}
