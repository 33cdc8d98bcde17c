import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What most lines that destroy something are made of: each is a reason to have its code ready. */
const LINE =
  'cd sub && rm -f ../a "$X" *.o; mv b ../c; cp -r ../d . ; echo text > ../e; for f in *.txt; do rm "$f"; done | cat';

/** What programs beyond the core utilities destroy, and what nobody knows: code that is loaded late. */
export const LATE_LINE = 'sed -i s/a/b/ a; git checkout -- .; find . -name "*.o" -delete; tar xf d; make';

export interface Sampled {
  readonly env?: Readonly<Record<string, string>>;
  /** A belay-snap that saves and ends such a turn before, so that there is something to list. */
  readonly snap?: readonly string[] | undefined;
  readonly line?: string | undefined;
}

/**
 * Starts a program once in a throwaway project, with a typical line for `belay-snap hold` on its standard input: the build learns from it
 * what code is needed early.
 */
export function sample(
  command: readonly string[],
  { env = {}, snap, line = LINE }: Sampled = {},
): SpawnSyncReturns<string> {
  const top = mkdtempSync(join(tmpdir(), 'belay-build-'));
  try {
    for (const name of ['run', 'work/.git', 'work/sub']) mkdirSync(join(top, name), { recursive: true, mode: 0o700 });
    for (const name of ['a', 'c', 'd', 'e', 'sub/b', 'sub/x.o', 'sub/y.txt'])
      writeFileSync(join(top, 'work', name), name);
    const fields = { shell: 'bash', session: '20260101_000000_abcdef', turn: '1', line, cwd: join(top, 'work') };
    const run = ([program = '', ...args]: readonly string[]): SpawnSyncReturns<string> =>
      spawnSync(program, args, {
        cwd: join(top, 'work'),
        input: Object.entries({ ...fields, interactive: '1', var: 'X=z', alias: 'll=ls -l' })
          .map(([key, value]) => `${key}=${value}\0`)
          .join(''),
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: top,
          BELAY_HOME: join(top, 'belay'),
          XDG_RUNTIME_DIR: join(top, 'run'),
          ...env,
        },
        encoding: 'utf8',
        timeout: 20_000,
      });
    if (snap !== undefined) {
      run([...snap, 'hold']);
      rmSync(join(top, 'work/sub/x.o'));
      writeFileSync(join(top, 'work/e'), 'text\nmore\n');
      run([...snap, 'end', fields.session, fields.turn, String(Date.now() / 1000)]);
      run(command.slice(0, 2).concat('checkpoint'));
    }
    return run(command);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
