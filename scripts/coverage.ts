/**
 * Writes docs/coverage.md: for each way for a command to reach the machine, what comes back after it. Every cell is run: in the
 * project of `belay demo` the command destroys, `belay undo --all --yes` is called, every byte is compared.
 *
 *   tsx scripts/coverage.ts [--check]      --check: says what differs from the page, and fails
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences, takePicture } from '../src/cli/demo/picture.ts';
import { type Stage, setStage, strike } from '../src/cli/demo/stage.ts';
import { ENTRIES, type Entry, PROBES } from './coverage/entries.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'docs/coverage.md');

export type Cell = 'back' | 'lost' | 'not run';

/** What comes back of one probe through one entry. */
export function tryCell(entry: Entry, line: string, install = root): Cell {
  if (!has(entry.needs)) return 'not run';
  const stage = setStage(install, false);
  try {
    fs.writeFileSync(join(stage.project, 'opaque'), '#!/bin/sh\nexec /bin/rm -rf src/img deploy.sh\n', { mode: 0o755 });
    const argv = entry.argv(line, stage.project);
    const before = takePicture(stage.project);
    destroy(entry, argv, line, stage, install);
    if (differences(before, takePicture(stage.project)).length === 0)
      throw new Error(`${entry.name}: ${line} destroyed nothing`);
    spawnSync('belay', ['undo', '--all', '--yes'], { cwd: stage.project, env: { ...stage.env }, timeout: 60_000 });
    return differences(before, takePicture(stage.project)).length === 0 ? 'back' : 'lost';
  } finally {
    strike(stage);
  }
}

function destroy(entry: Entry, argv: readonly string[], line: string, stage: Stage, install: string): void {
  const [program = '', ...args] = argv;
  const options = { cwd: stage.project, encoding: 'utf8', timeout: 60_000 } as const;
  if (entry.by === 'init') atPrompt(argv, line, stage, install);
  else if (entry.by === 'agent') asTool(entry.event ?? {}, argv, line, stage);
  else if (entry.by === 'run') spawnSync(program, args, { ...options, env: { ...stage.env } });
  else spawnSync(program, args, { ...options, env: { ...stage.env, ...protectedEnvironment(stage, install) } });
}

/** `belay init bash --print-env`, as a login or an agent would take it over. */
function protectedEnvironment(stage: Stage, install: string): Record<string, string> {
  const said = spawnSync(join(install, 'bin/belay'), ['init', 'bash', '--print-env'], {
    env: { ...stage.env },
    encoding: 'utf8',
  });
  return Object.fromEntries(
    said.stdout
      .split('\n')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

/** The hook is told before and after, as the agent does; what the tool runs knows nothing of belay. */
function asTool(event: Readonly<Record<string, string>>, hook: readonly string[], line: string, stage: Stage): void {
  const [program = '', ...args] = hook;
  const tell = (name: string, more = {}): void => {
    const input = JSON.stringify({
      ...event,
      session_id: 'coverage',
      cwd: stage.project,
      hook_event_name: name,
      ...more,
    });
    spawnSync(program, args, { cwd: stage.project, env: { ...stage.env }, input, timeout: 60_000 });
  };
  const call = { tool_name: 'Bash', tool_input: { command: line }, tool_use_id: 'call' };
  tell('UserPromptSubmit', { prompt: 'destroy it' });
  tell('PreToolUse', call);
  spawnSync('/bin/bash', ['-c', line], { cwd: stage.project, env: { PATH: '/usr/bin:/bin' }, timeout: 60_000 });
  tell('PostToolUse', call);
  if (event['agent_id'] !== undefined) tell('SubagentStop');
  tell('Stop');
}

/** The shell with nothing but belay in its start-up file, on a terminal; it reads the line and leaves. */
function atPrompt(argv: readonly string[], line: string, stage: Stage, install: string): void {
  const home = join(stage.folder, 'home');
  const [shell = ''] = argv;
  const isLogin = argv.includes('-l');
  const program = join(install, 'bin/belay');
  const rc = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' }[shell] ?? '.shrc';
  fs.mkdirSync(dirname(join(home, rc)), { recursive: true });
  fs.writeFileSync(
    join(home, rc),
    shell === 'fish' ? `'${program}' init fish | source\n` : `eval "$('${program}' init ${shell})"\n`,
  );
  if (isLogin) fs.writeFileSync(join(home, '.bash_profile'), '. ~/.bashrc\n');
  spawnSync('script', ['-qec', argv.join(' '), '/dev/null'], {
    cwd: stage.project,
    env: { ...stage.env, TERM: 'xterm', ...(shell === 'sh' ? { ENV: join(home, rc) } : {}) },
    input: `${line}\nexit\n`,
    timeout: 60_000,
  });
}

const has = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$1" >/dev/null', 'sh', program]).status === 0;

/** The table of the page, made by running every cell. */
export function coverageTable(install = root): string {
  const head = `| | ${PROBES.map(({ name }) => name).join(' | ')} |`;
  const rows = ENTRIES.map((entry) => {
    const cells = PROBES.map((probe) => tryCell(entry, probe.line, install));
    return `| ${entry.name} | ${cells.join(' | ')} |`;
  });
  return [head, `| --- |${' --- |'.repeat(PROBES.length)}`, ...rows].join('\n');
}

const TABLE = /^\| \|.*?(?=\n\n)/ms;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = fs.readFileSync(page, 'utf8');
  const now = coverageTable();
  console.log(now);
  if (!process.argv.includes('--check'))
    fs.writeFileSync(
      page,
      text.replace(TABLE, () => now),
    );
  else if (TABLE.exec(text)?.[0] !== now) process.exitCode = 1;
}
