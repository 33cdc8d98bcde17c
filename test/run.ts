/**
 * Runs every `test/**\/*.test.ts` in a process group of its own, three at a time, and counts single tests.
 *
 *   npm run test:only -- [PATTERN…] only files whose path contains one of the patterns
 *
 * A file that fails is run once more, alone, after all others; if it passes then, it is named `unsteady` and counts
 * as passed. `*.e2e.test.ts` runs once a build of belay-snap: compiled (where dist/belay-snap is there) and node.
 * The last line is exactly `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Job = { readonly file: string; readonly snap?: 'compiled' | 'node' };
type Outcome = { readonly job: Job; readonly passed: number; readonly failed: number; readonly output: string };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** For two cores: about a third of what the files take is waiting, for a disk or a prompt. */
const LANES = 3;
const LIMIT_MS = 240_000;

/** They begin before the others, so that none of them is at work alone at the end. */
const LONG = [
  'documents',
  'faults/campaign',
  'bench',
  'lint',
  'install/install',
  'install/packed',
  'shims/same',
  'cli/model-',
  'cli/promises',
  'cli/git-state',
  'coverage',
].map((name) => `test/${name}`);

const running = new Set<number>();

/** A file that is there once what the tests run was built (test/built.ts), so that not each of them looks. */
const scratch = mkdtempSync(join(tmpdir(), 'belay-tests-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The developer's own belay, git and shell settings must steer no test. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(BELAY_(?!TEST_)|GIT_|BUN_|XDG_(?!RUNTIME_DIR))/.test(name) &&
      !['BASH_ENV', 'ENV', 'ZDOTDIR', 'NODE_OPTIONS'].includes(name),
  ),
);

/** A test file that leaves processes behind (shells, background settles) must not outlive its turn. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function jobs(patterns: readonly string[]): Job[] {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort();
  const long = files.filter((file) => LONG.some((start) => file.startsWith(start)));
  const ordered = [...long, ...files.filter((file) => !long.includes(file))];
  const compiled = existsSync(join(root, 'dist/belay-snap'));
  return ordered.flatMap((file): Job[] => {
    if (!file.endsWith('.e2e.test.ts')) return [{ file }];
    return compiled
      ? [
          { file, snap: 'compiled' },
          { file, snap: 'node' },
        ]
      : [{ file, snap: 'node' }];
  });
}

function title(job: Job): string {
  return job.snap ? `${job.file} (${job.snap})` : job.file;
}

/**
 * uvu prints `Total: 3` and `Passed: 3` once a process; a file that dies before that, or afterwards, failed once. A file that cannot
 * try anything on this machine says so in a line `skipped: REASON`.
 */
function count(output: string, status: string): { passed: number; failed: number } {
  const plain = output.replace(/\x1b\[[0-9;]*m/g, '');
  const sum = (word: string): number =>
    [...plain.matchAll(new RegExp(`^ {2}${word}: +(\\d+)$`, 'gm'))].reduce((total, hit) => total + Number(hit[1]), 0);
  const total = sum('Total');
  const passed = sum('Passed');
  const skipped = sum('Skipped');
  const failed = Math.max(0, total - passed - skipped);
  if (status === '0' && total > 0) return { passed, failed };
  if (status === '0' && /^skipped: ./m.test(plain)) return { passed, failed };
  return { passed, failed: Math.max(1, failed) };
}

function run(job: Job): Promise<Outcome> {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(process.execPath, ['--import', './test/typescript.mjs', job.file], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment,
        BELAY_TEST_BUILT: join(scratch, 'built'),
        ...(job.snap ? { BELAY_TEST_SNAP: job.snap } : {}),
      },
    });
    const pid = child.pid;
    if (pid !== undefined) running.add(pid);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    let late = false;
    let over = false;
    const timer = setTimeout(() => {
      late = true;
      if (pid !== undefined) killGroup(pid);
    }, LIMIT_MS);
    const finish = (status: string): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      if (pid !== undefined) {
        killGroup(pid);
        running.delete(pid);
      }
      // A daemonised grandchild may keep the pipes open for ever: what it would still say is not waited for.
      child.stdout.destroy();
      child.stderr.destroy();
      const said = Buffer.concat(chunks).toString('utf8');
      const output = late ? `${said}\nlonger than ${LIMIT_MS / 1000} s: killed` : said;
      const counted = count(output, late ? 'late' : status);
      console.log(
        `${counted.failed ? 'FAIL' : 'ok  '} ${title(job)}  ${counted.passed} passed, ${counted.failed} failed  ${((Date.now() - started) / 1000).toFixed(1)} s`,
      );
      resolve({ job, ...counted, output: counted.failed ? `${output}\n(status ${status})` : output });
    };
    child.once('error', (error) => finish(error.message));
    child.once('exit', (code, signal) => {
      const status = String(code ?? signal);
      if (pid !== undefined) killGroup(pid);
      const patience = setTimeout(() => finish(status), 2_000);
      child.once('close', () => {
        clearTimeout(patience);
        finish(status);
      });
    });
  });
}

async function main(): Promise<void> {
  const queue = jobs(process.argv.slice(2));
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job; job = queue.shift()) outcomes.push(await run(job));
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  const final: Outcome[] = [];
  const unsteady: Job[] = [];
  for (const first of outcomes) {
    if (first.failed === 0) {
      final.push(first);
      continue;
    }
    console.log(`\n──── ${title(first.job)}\n${first.output}\n──── once more, alone`);
    const second = await run(first.job);
    if (second.failed === 0) unsteady.push(first.job);
    else console.log(`\n──── ${title(first.job)}, second time\n${second.output}`);
    final.push(second);
  }

  for (const job of unsteady) console.log(`unsteady: ${title(job)}`);
  for (const outcome of final) if (outcome.failed) console.log(`failed: ${title(outcome.job)}`);
  const passed = final.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = final.reduce((sum, outcome) => sum + outcome.failed, 0);
  if (final.length === 0) console.log('no test file matches');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed || final.length === 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const pid of running) killGroup(pid);
    process.exit(130);
  });
}

await main();
