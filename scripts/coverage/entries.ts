import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';

/** One way for a command to reach the machine, as people, scripts and programs use it. */
export interface Entry {
  readonly name: string;
  /** What protects it. */
  readonly by: 'init' | 'environment' | 'run';
  /** Not at the project's place: the programs it needs. */
  readonly needs: string;
  /** The program and its arguments, in the project; may write files there (named `entry.*`) first. */
  readonly argv: (line: string, project: string) => readonly string[];
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

const sandbox = (name: string, needs: string, argv: Entry['argv']): Entry => ({
  name: `belay run --sandbox -- ${name}`,
  by: 'run',
  needs,
  argv: (line, project) => ['belay', 'run', '--sandbox', '--', ...argv(line, project)],
});

const json = JSON.stringify;

const script: Entry['argv'] = (line, project) => ['sh', file(project, 'entry.sh', `${line}\n`)];
const hashBang: Entry['argv'] = (line, project) => [`./${file(project, 'entry', `#!/bin/sh\n${line}\n`, 0o755)}`];
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
  through('bash -c', 'bash', (line) => ['bash', '-c', line]),
  through('zsh -c', 'zsh', (line) => ['zsh', '-c', line]),
  through('fish -c', 'fish', (line) => ['fish', '-c', line]),
  through('sh -c', 'sh', (line) => ['sh', '-c', line]),
  through('a script run by bash', 'bash', (line, project) => ['bash', file(project, 'entry.bash', `${line}\n`)]),
  through('a script run by sh', 'sh', script),
  through('a script with #!/bin/sh', 'sh', hashBang),
  through('make', 'make', make),
  through('npm run', 'npm', npm),
  through('xargs sh -c', 'xargs', (line) => ['sh', '-c', `echo x | xargs sh -c '${line.replaceAll("'", "'\\''")}'`]),
  through('a git alias', 'git', (line) => ['git', '-c', `alias.entry=!${line}`, 'entry']),
  through('node: execSync (/bin/sh -c)', 'node', node),
  through('python: os.system (/bin/sh -c)', 'python3', python),
  through('env -i sh -c', 'env', (line) => ['env', '-i', '/bin/sh', '-c', line]),
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
