import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt, namesVisible } from '../../platform/files.ts';
import { runtimeFolder } from '../../platform/home.ts';
import { join } from '../../platform/paths.ts';
import { sessionFolder } from '../../turns/markers.ts';
import { initLine, inPath, isTypedAt, programOf, SHELLS, shellOf } from '../own-shell.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';
import { startUpFiles } from './start-up.ts';

/** Whether the shell that asks is protected. */
export function checkShell(patient: Patient): readonly Finding[] {
  return [checkLoaded(patient), ...checkHooks(patient), ...checkWrappers(patient), ...checkBashEnv(patient)];
}

function checkLoaded(patient: Patient): Finding {
  const { env, install, parent, ancestors, atTerminal } = patient;
  const [name, , amiss = ''] = (env.get('BELAY_LOADED') ?? '').split(':');
  const off = (env.get('BELAY_DISABLE') ?? '') !== '';
  const here = 'this shell';
  if (isTypedAt(env, ancestors)) {
    const words = amiss.split(' ');
    if (off || words.includes('off'))
      return wrong(here, `${name}: switched off (belay off, or BELAY_DISABLE): nothing is saved here`, 'belay on');
    const kept = words
      .filter(keepsFromWork)
      .map((word) => (word === 'builtins' ? "builtins that are not bash's" : word));
    return kept.length > 0
      ? wrong(
          here,
          `${name}: nothing is saved here: ${toText(kept.join(', '))} keeps belay from its work`,
          'a new shell',
        )
      : fine(here, `${name}: protected`);
  }
  if (off) {
    const unset = shellOf(env, parent) === 'fish' ? 'set -e BELAY_DISABLE' : 'unset BELAY_DISABLE';
    return wrong(here, 'BELAY_DISABLE is set: nothing is saved here', unset);
  }
  const session = env.get('BELAY_SESSION');
  const runtime = runtimeFolder(env, false);
  const known = session !== undefined && runtime !== undefined && lookAt(sessionFolder(runtime, session)) !== undefined;
  const shell = SHELLS.find((one) => one === parent);
  if (shell === undefined || !atTerminal)
    return known
      ? fine(here, `part of the protected session ${session}`)
      : fine(here, 'not asked: doctor was started by a program, not at a prompt');
  if (known) return fine(here, `session ${session}`);
  const line = startUpFiles(patient).find((rc) => rc.shell === shell);
  const why = line?.present
    ? `${shell} started before ${toText(line.file)} had the line`
    : `${shell} has not loaded belay`;
  return wrong(here, `${why}: what is typed here is not saved`, initLine(shell, env, install));
}

/** A variable that belay has to set and cannot, `readonly=NAME`, or builtins that it cannot have: nothing of a shell is saved then. */
const keepsFromWork = (word: string): boolean => word.startsWith('readonly=') || word === 'builtins';

/**
 * What the shell's own `belay` function found amiss, the third part of `BELAY_LOADED`: hooks by name, `hash=PROGRAM`, `off`, `promptvars`,
 * and what keeps it from its work.
 */
function checkHooks({ env, install }: Patient): readonly Finding[] {
  const [shell = '', , amiss = ''] = (env.get('BELAY_LOADED') ?? '').split(':');
  const words = amiss.split(' ').filter((word) => word !== '');
  const hooks = words.filter(
    (word) => word !== 'off' && word !== 'promptvars' && !word.startsWith('hash=') && !keepsFromWork(word),
  );
  const hashed = words.filter((word) => word.startsWith('hash=')).map((word) => word.slice(5));
  const found: Finding[] = [];
  const name = SHELLS.find((one) => one === shell);
  if (words.includes('promptvars'))
    found.push(wrong('hooks', 'promptvars is off: bash shows the lines typed here to nobody', 'shopt -s promptvars'));
  if (hooks.length > 0 && name !== undefined) {
    const text = `something else took ${toText(hooks.join(', '))}: lines typed here are not seen`;
    found.push(wrong('hooks', text, `${initLine(name, env, install)}, as the last line of the start-up file too`));
  }
  if (hashed.length > 0) {
    const text = `${toText(shell)} remembers where ${toText(hashed.slice(0, 5).join(', '))} was before the wrappers came first in PATH`;
    found.push(wrong('hash table', text, shell === 'zsh' ? 'rehash' : 'hash -r'));
  }
  return found;
}

/** Where the PATH wrappers are in use (`belay run`, `--print-env`), they have to come first, or scripts go past them. */
function checkWrappers({ env, install }: Patient): readonly Finding[] {
  const shims = join(install, 'shims/bin');
  const inUse = (env.get('PATH') ?? '').split(':').includes(shims);
  if (!inUse) return [];
  const hidden = new Map<Bytes, Bytes[]>();
  for (const verb of namesVisible(shims)) {
    const found = inPath(env, verb);
    if (found !== undefined && found !== shims) hidden.set(found, [...(hidden.get(found) ?? []), verb]);
  }
  if (hidden.size === 0) return [fine('wrappers', `${toText(shims)} comes first in PATH`)];
  return [...hidden].map(([folder, verbs]) =>
    wrong(
      'wrappers',
      `${toText(folder)} comes before ${toText(shims)} in PATH: ${toText(verbs.slice(0, 5).join(', '))} of scripts are not seen`,
      `put it first, in what sets PATH for them: PATH='${toText(shims)}':$PATH`,
    ),
  );
}

function checkBashEnv({ env, install }: Patient): readonly Finding[] {
  const taken = env.get('BASH_ENV');
  const inUse = (env.get('PATH') ?? '').split(':').includes(join(install, 'shims/bin'));
  if (taken === undefined || taken === '') return [];
  if (taken.startsWith(join(install, 'shims/'))) return [fine('BASH_ENV', toText(taken))];
  const text = `BASH_ENV is taken by ${toText(taken)}: \`bash -c\` and scripts do not load belay`;
  const belay = programOf('bash', env, install);
  const mend = `where scripts are started from: eval "$(${belay} init sh)", which reads that file too`;
  return [inUse ? wrong('BASH_ENV', text, mend) : note('BASH_ENV', text, mend)];
}
