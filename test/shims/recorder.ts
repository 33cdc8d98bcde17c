import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROMPT, Terminal } from '../pty/terminal.ts';

/**
 * A stand-in for belay-snap that writes down what the shims hand over, and answers with a status of the test's choice:
 * the shims are tested for what they ask and when, not for what is saved.
 */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Asked {
  readonly args: readonly string[];
  /** The request's fields in order; repeated keys stay repeated. */
  readonly fields: readonly (readonly [key: string, value: string])[];
}

export interface Room {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** What a shell is started by, where that is no terminal's own program. */
  readonly under: string[];
  /** Every call of belay-snap since the last look, oldest first. */
  asked(): Asked[];
  /** How many lines were left to belay-snap to be recorded since the last look. */
  recordings(): number;
  /** The lines handed over since the last look. */
  lines(): string[];
  /** For each line handed over so far, whether the runtime's compiler was left on. */
  compiled(): boolean[];
  answer(status: number): void;
  bash(rc?: string, args?: readonly string[]): Promise<Terminal>;
  zsh(rc?: string): Promise<Terminal>;
  fish(rc?: string): Promise<Terminal>;
  close(): void;
}

const SCRIPT = `#!/bin/sh
PATH=/usr/bin:/bin
case $1 in
  environment) ;; # beside what is tested here (test/sessions/environment)
  record) { printf '%s\n' "$*"; } >> "$BELAY_TEST_RECORD.lines" ;;
  hold) echo "\${BUN_JSC_useJIT:-1}" >> "$BELAY_TEST_RECORD.jit"
    # As one write: others write meanwhile.
    { printf '\\001%s\\000' "$*"; cat; printf '\\002'; } > "$BELAY_TEST_RECORD.$$"
    cat "$BELAY_TEST_RECORD.$$" >> "$BELAY_TEST_RECORD"
    rm "$BELAY_TEST_RECORD.$$" ;;
  *) printf '\\001%s\\000\\002' "$*" >> "$BELAY_TEST_RECORD" ;;
esac
exit "$(cat "$BELAY_TEST_RECORD.status" 2>/dev/null || echo 0)"
`;

export const snippet = (shell: 'bash' | 'zsh' | 'fish'): string =>
  shell === 'fish' ? `'${root}/bin/belay' init fish | source` : `eval "$('${root}/bin/belay' init ${shell})"`;

export function room(): Room {
  const folder = mkdtempSync(join(tmpdir(), 'belay-shim-'));
  const record = join(folder, 'record');
  for (const name of ['home', 'run', 'work']) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, 'snap'), SCRIPT);
  chmodSync(join(folder, 'snap'), 0o755);
  const env = {
    HOME: join(folder, 'home'),
    BELAY_HOME: join(folder, 'belay'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    BELAY_SNAP: join(folder, 'snap'),
    BELAY_TEST_RECORD: record,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    HISTFILE: '',
  };
  const under: string[] = [];
  let recorded = 0;
  let heard = 0;
  const asked = (): Asked[] => {
    if (!existsSync(record)) return [];
    // The file stays: somebody may be about to write in it.
    const text = readFileSync(record, 'latin1');
    const end = text.lastIndexOf('\x02') + 1;
    const calls = text.slice(heard, end).split('\x02').slice(0, -1);
    heard = Math.max(heard, end);
    return calls.map((call) => {
      const [head, ...fields] = call.slice(1).split('\0');
      return {
        args: (head ?? '').split(' '),
        fields: fields.slice(0, -1).map((field) => {
          const at = field.indexOf('=');
          return [field.slice(0, at), field.slice(at + 1)] as const;
        }),
      };
    });
  };
  return {
    folder,
    env,
    under,
    asked,
    recordings: () => {
      const file = `${record}.lines`;
      const all = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
      const count = all - recorded; // the file stays: somebody may be about to write in it
      recorded = all;
      return count;
    },
    lines: () =>
      asked()
        .filter((call) => call.args[0] === 'hold')
        .map((call) => call.fields.find(([key]) => key === 'line')?.[1] ?? ''),
    compiled: () =>
      readFileSync(`${record}.jit`, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((said) => said === '1'),
    answer: (status) => writeFileSync(`${record}.status`, String(status)),
    bash: (rc = '', args = []) => {
      writeFileSync(join(folder, 'rc'), `PS1='${PROMPT}'; PS2='> '\n${rc.replaceAll('{belay}', snippet('bash'))}\n`);
      return Terminal.open([...under, 'bash', '--noprofile', ...args, '--rcfile', join(folder, 'rc'), '-i'], {
        cwd: join(folder, 'work'),
        env,
      });
    },
    zsh: (rc = '') => {
      const plain = 'setopt promptsubst interactivecomments; unsetopt promptsp promptcr beep';
      writeFileSync(
        join(folder, 'home/.zshrc'),
        `${plain}; __n=0; PROMPT='@@$((++__n)):%?@@ '\n${rc.replaceAll('{belay}', snippet('zsh'))}\n`,
      );
      return Terminal.open([...under, 'zsh', '-d', '-i'], {
        cwd: join(folder, 'work'),
        env: { ...env, ZDOTDIR: join(folder, 'home') },
      });
    },
    fish: (rc = '') => {
      writeFileSync(
        join(folder, 'rc.fish'),
        `function fish_greeting; end
set -g __n 0
function __tick --on-event fish_prompt; set -g __n (math $__n + 1); end
function fish_prompt; set -l s $status; printf '@@%s:%s@@ ' $__n $s; end
function fish_right_prompt; end
${rc.replaceAll('{belay}', snippet('fish'))}
`,
      );
      return Terminal.open([...under, 'fish', '-i', '-C', `source '${join(folder, 'rc.fish')}'`], {
        cwd: join(folder, 'work'),
        env,
      });
    },
    close: () => remove(folder),
  };
}

/** What settles in the background may still write there. node's own retries wait longer each time, minutes in all. */
function remove(folder: string): void {
  for (let tries = 0; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === 300) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

export const values = (call: Asked | undefined, key: string): string[] =>
  (call?.fields ?? []).filter(([name]) => name === key).map(([, value]) => value);
