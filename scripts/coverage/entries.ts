import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

/** One way for a command to reach the machine, as people, scripts and programs use it. */
export interface Entry {
  readonly name: string;
  /** What protects it. */
  readonly by: 'init' | 'environment' | 'run' | 'agent';
  /** Not at the project's place: the programs it needs. */
  readonly needs: string;
  /** The program and its arguments, in the project; may write files there (named `entry.*`) first. */
  readonly argv: (line: string, project: string) => readonly string[];
  /** Of an agent: what its events have besides the tool and its text. */
  readonly event?: Readonly<Record<string, string>>;
}

const file = (project: string, name: string, text: string, mode = 0o644): string => {
  fs.writeFileSync(join(project, name), text, { mode });
  return name;
};

const typed = (shell: string): Entry => ({
  name: `typed at a prompt of ${shell}`,
  by: 'init',
  needs: shell,
  argv: () => [shell, '-i'],
});

const through = (name: string, needs: string, argv: Entry['argv']): Entry => ({
  name,
  by: 'environment',
  needs,
  argv,
});

const run = (name: string, needs: string, argv: Entry['argv']): Entry => ({
  name: `belay run -- ${name}`,
  by: 'run',
  needs,
  argv: (line, project) => ['belay', 'run', '--', ...argv(line, project)],
});

/** The shell tool of an agent whose hooks are connected; a helper of it is told by what the event has besides. */
const agent = (name: string, event: Readonly<Record<string, string>>): Entry => ({
  name,
  by: 'agent',
  needs: 'bash',
  argv: () => ['belay', 'hook', 'claude'],
  event,
});

const sandbox = (name: string, needs: string, argv: Entry['argv']): Entry => ({
  name: `belay run --sandbox -- ${name}`,
  by: 'run',
  needs,
  argv: (line, project) => ['belay', 'run', '--sandbox', '--', ...argv(line, project)],
});

const json = JSON.stringify;

const script: Entry['argv'] = (line, project) => ['sh', file(project, 'entry.sh', `${line}\n`)];
const begins =
  (shell: string): Entry['argv'] =>
  (line, project) => [`./${file(project, 'entry', `#!${shell}\n${line}\n`, 0o755)}`];
const hashBang = begins('/bin/sh');
const make: Entry['argv'] = (line, project) => ['make', '-s', '-f', file(project, 'entry.mk', `all:\n\t${line}\n`)];
const npm: Entry['argv'] = (line, project) => {
  file(project, 'package.json', json({ name: 'entry', version: '1.0.0', scripts: { entry: line } }));
  return ['npm', 'run', '--silent', 'entry'];
};
const node: Entry['argv'] = (line) => ['node', '-e', `require('child_process').execSync(${json(line)})`];
/** Itself, not a version manager's shell script of that name, which bash would read under belay's eyes. */
const python: Entry['argv'] = (line) => [
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim(),
  '-c',
  `import os; os.system(${json(line)})`,
];

export const ENTRIES: readonly Entry[] = [
  typed('bash'),
  typed('zsh'),
  typed('fish'),
  typed('sh'),
  { ...typed('bash'), name: 'typed at a login bash, as over ssh', argv: () => ['bash', '-l'] },
  through('bash -c', 'bash', (line) => ['bash', '-c', line]),
  through('zsh -c', 'zsh', (line) => ['zsh', '-c', line]),
  through('fish -c', 'fish', (line) => ['fish', '-c', line]),
  through('sh -c', 'sh', (line) => ['sh', '-c', line]),
  through('a script run by bash', 'bash', (line, project) => ['bash', file(project, 'entry.bash', `${line}\n`)]),
  through('a script run by sh', 'sh', script),
  through('a script with #!/bin/bash', 'bash', begins('/bin/bash')),
  through('a script with #!/usr/bin/env sh', 'sh', begins('/usr/bin/env sh')),
  through('a script with #!/bin/sh', 'sh', hashBang),
  through('make', 'make', make),
  through('npm run', 'npm', npm),
  through('xargs sh -c', 'xargs', (line) => ['sh', '-c', `echo x | xargs sh -c '${line.replaceAll("'", "'\\''")}'`]),
  through('find -exec sh -c', 'find', (line) => ['find', '.', '-maxdepth', '0', '-exec', 'sh', '-c', line, ';']),
  through('a git alias', 'git', (line) => ['git', '-c', `alias.entry=!${line}`, 'entry']),
  through('node: execSync (/bin/sh -c)', 'node', node),
  through('python: os.system (/bin/sh -c)', 'python3', python),
  through('/bin/sh -c', 'sh', (line) => ['/bin/sh', '-c', line]),
  through('/bin/bash -c', 'bash', (line) => ['/bin/bash', '-c', line]),
  through('as cron starts it, the variables in the crontab', 'bash', (line) => ['setsid', '/bin/bash', '-c', line]),
  through('as cron starts it', 'env', (line) => [
    'env',
    '-i',
    'HOME=/',
    'PATH=/usr/bin:/bin',
    'SHELL=/bin/sh',
    '/bin/sh',
    '-c',
    line,
  ]),
  through('sudo', 'sudo', (line) => ['sudo', 'bash', '-c', line]),
  through('env -i sh -c', 'env', (line) => ['env', '-i', '/bin/sh', '-c', line]),
  agent("an agent's shell tool", {}),
  agent("the shell tool of an agent's helper", { agent_id: 'helper-1', agent_type: 'reviewer' }),
  run('bash -c', 'bash', (line) => ['bash', '-c', line]),
  run('sh -c', 'sh', (line) => ['sh', '-c', line]),
  run('sh SCRIPT', 'sh', script),
  run('make', 'make', make),
  run('node', 'node', node),
  run('python3', 'python3', python),
  sandbox('a script with #!/bin/sh', 'unshare', hashBang),
  sandbox('make', 'make', make),
  sandbox('node', 'node', node),
  sandbox('python3', 'python3', python),
];

/** What is destroyed, each another way to be seen. */
export const PROBES: readonly { readonly name: string; readonly line: string; readonly needs: string }[] = [
  { name: 'named files', line: 'rm -rf src .env', needs: 'rm' },
  { name: 'a redirection', line: 'echo lost > notes.txt', needs: 'sh' },
  { name: 'an opaque program', line: './opaque', needs: 'sh' },
];
