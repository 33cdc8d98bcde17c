import { gitRule } from '#git-rule';
import type { Bytes } from '../platform/bytes.ts';
import { coreFamilies } from './core.ts';
import { programFamilies } from './families/index.ts';
import { findRule } from './find/find.ts';
import { type Row, ruleOf } from './row.ts';
import type { Rule } from './types.ts';
import { agents } from './wrappers/agents.ts';
import { boxes } from './wrappers/boxes.ts';
import { clusterRule, containerRule, remoteNames, remoteRule } from './wrappers/containers.ts';
import { fdRule } from './wrappers/fd.ts';
import { laters } from './wrappers/later.ts';
import { parallelRule } from './wrappers/parallel.ts';
import { shellNames, shellRule } from './wrappers/shells.ts';
import { surroundings } from './wrappers/surroundings.ts';
import { terminals } from './wrappers/terminals.ts';
import { texts } from './wrappers/texts.ts';
import { toolRunners } from './wrappers/tools.ts';
import { tracers } from './wrappers/tracers.ts';
import { substituteRule, users } from './wrappers/users.ts';
import { xargsRule } from './wrappers/xargs.ts';

/** Programs whose rule is a function of its own; what `docs/effects.md` says about each. */
export interface Own {
  readonly names: readonly Bytes[];
  readonly manual: string;
  readonly loses: string;
  readonly rule: Rule;
}

export interface Family {
  readonly title: string;
  readonly rows: readonly (Row | Own)[];
}

const programsThatRun: readonly Own[] = [
  {
    names: shellNames,
    manual: 'bash(1), dash(1), zsh(1), fish(1)',
    loses: 'what the text of `-c`, the script or its standard input loses; they are read and followed',
    rule: shellRule,
  },
  {
    names: ['su', 'runuser'],
    manual: 'su(1), runuser(1)',
    loses: "what the text of `-c` loses; `-` starts in the user's home",
    rule: substituteRule,
  },
  {
    names: ['xargs'],
    manual: 'xargs(1)',
    loses:
      'what its command loses with the arguments on standard input, when they can be known; else anything its command could be given',
    rule: xargsRule,
  },
  {
    names: ['find'],
    manual: 'find(1)',
    loses:
      'with `-delete`, `-exec` and its kin, what that does to the entries that its tests let through; the files of `-fprint`',
    rule: findRule,
  },
  {
    names: ['fd', 'fdfind'],
    manual: 'fd(1)',
    loses: 'with `-x` or `-X`, what that command loses below the folders searched',
    rule: fdRule,
  },
  {
    names: ['parallel'],
    manual: 'parallel(1)',
    loses: 'what its command line loses for each argument of `:::`, `::::` or standard input',
    rule: parallelRule,
  },
];

const otherMachines: readonly Own[] = [
  {
    names: ['docker', 'podman', 'nerdctl'],
    manual: 'docker-run(1), docker-cp(1)',
    loses: 'what a command loses in folders of this machine that `-v` or `--mount` bind; `cp` overwrites the file here',
    rule: containerRule,
  },
  {
    names: ['kubectl', 'oc'],
    manual: 'kubectl(1)',
    loses: '`cp` overwrites the file here; all else is the cluster',
    rule: clusterRule,
  },
  {
    names: remoteNames,
    manual: 'ssh(1), …',
    loses: 'nothing here: the command runs on another machine',
    rule: remoteRule,
  },
];

const versionControl: readonly Own[] = [
  {
    names: ['git'],
    manual: 'git(1)',
    loses:
      'what the repository says: changed, staged, untracked and ignored files that its subcommand overwrites or deletes, refs, reflogs, stash entries and objects that nothing holds afterwards',
    rule: gitRule,
  },
];

/** Every family of rows; the order is that of docs/effects.md. */
export const families: readonly Family[] = [
  ...coreFamilies,
  ...programFamilies,
  {
    title: 'Programs that run others',
    rows: [
      ...surroundings,
      ...tracers,
      ...agents,
      ...laters,
      ...terminals,
      ...boxes,
      ...texts,
      ...toolRunners,
      ...programsThatRun,
    ],
  },
  { title: 'Version control', rows: versionControl },
  { title: 'Other users', rows: users },
  { title: 'Other machines', rows: otherMachines },
];

let index: Map<Bytes, Row | Own | Rule> | undefined;

function indexed(): Map<Bytes, Row | Own | Rule> {
  const map = new Map<Bytes, Row | Own | Rule>();
  for (const family of families) for (const row of family.rows) for (const name of namesOf(row)) map.set(name, row);
  return map;
}

export const namesOf = (row: Row | Own): readonly Bytes[] => ('rule' in row ? row.names : row.names.split(' '));

/** The rule for a program's name; undefined where the tables do not have it. */
export function ruleFor(name: Bytes): Rule | undefined {
  index ??= indexed();
  const found = index.get(name);
  if (found === undefined || typeof found === 'function') return found;
  const rule = 'rule' in found ? found.rule : ruleOf(found);
  index.set(name, rule);
  return rule;
}
