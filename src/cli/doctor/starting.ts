import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bytes, toText } from '../../platform/bytes.ts';
import type { Shell } from '../own-shell.ts';

/** What a shell that was really started said: whether belay was loaded by its start-up files. */
export type Started = 'loaded' | 'not loaded' | 'silent';

/** A start-up file may start agents and managers of versions; longer than this nobody waits for a prompt. */
const PATIENCE_MS = 20_000;

const ASK: Readonly<Record<Shell, string>> = {
  bash: '[[ -z ${__belay_here[$$]-} ]] || printf "\\n%s\\n" belay-is-loaded; printf "\\n%s\\n" asked',
  zsh: '(( ! $+functions[__belay_preexec] )) || printf "\\n%s\\n" belay-is-loaded; printf "\\n%s\\n" asked',
  fish: 'functions -q __belay_postexec; and printf "\\n%s\\n" belay-is-loaded; printf "\\n%s\\n" asked',
};

/**
 * Starts the shell as a terminal would (`login`: as ssh and tmux would) and asks it whether it has loaded belay. It gets no terminal
 * and no input, a runtime folder of its own for belay's marks, and nothing of the belay of the shell that asks.
 */
export async function start(shell: Shell, login: boolean, env: ReadonlyMap<Bytes, Bytes>): Promise<Started> {
  const marks = fs.mkdtempSync(join(tmpdir(), 'belay-doctor-'));
  try {
    const said = await output(shell, [login ? '-lic' : '-ic', ASK[shell]], ownEnvironment(env, marks));
    const lines = said.split('\n');
    return lines.includes('belay-is-loaded') ? 'loaded' : lines.includes('asked') ? 'not loaded' : 'silent';
  } finally {
    fs.rmSync(marks, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As a new terminal has it: what belay and `belay run` put there is taken out. */
function ownEnvironment(env: ReadonlyMap<Bytes, Bytes>, marks: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of env) {
    if (/^(BELAY_(?!HOME$)|BASH_ENV$|ENV$|PS0$|PROMPT_COMMAND$)/.test(name)) continue;
    if (name === 'ZDOTDIR' && value.endsWith('/shims/rc/zsh')) continue;
    out[toText(name)] = toText(value);
  }
  const zsh = env.get('BELAY_ZDOTDIR');
  if (zsh !== undefined && zsh !== '') out['ZDOTDIR'] = toText(zsh);
  return { ...out, TERM: 'dumb', XDG_RUNTIME_DIR: marks };
}

function output(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    // A session of its own: an interactive shell would else take the terminal from the one that asks.
    const cwd = env['HOME'] !== undefined && fs.existsSync(env['HOME']) ? env['HOME'] : '/';
    const child = spawn(program, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    const done = (): void => {
      clearTimeout(timer);
      child.stdout.destroy(); // something that it started may hold it open
      resolve(said);
    };
    const timer = setTimeout(() => {
      if (child.pid !== undefined) endGroup(child.pid);
      done();
    }, PATIENCE_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('\nasked\n')) done();
    });
    child.stdout.on('end', done);
    child.once('error', done);
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has just ended by itself
  }
}
