/**
 * Keeps the documents true: what a document shows to be typed (scripts/blocks.ts) is typed, line by line, at a real prompt in the project
 * of `belay demo`; what comes is what its ```console blocks say, and what its other blocks do succeeds.
 *
 *   tsx scripts/tour.ts FILE…      writes the real output into the files
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stage, setStage, strike } from '../src/cli/demo/stage.ts';
import { Terminal } from '../src/cli/demo/terminal.ts';
import { type Block, blocksOf, linesOf } from './blocks.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The document with the output that its lines really have. All its blocks are one session. Throws where a line fails. */
export async function retold(text: string, install = root): Promise<string> {
  const stage = setStage(install, false);
  const rc = join(install, 'shims/demo-rc.bash');
  const terminal = new Terminal(['bash', '--rcfile', rc, '-i'], stage.project, stage.env);
  const settle = (): Promise<void> => settled(join(stage.folder, 'belay/checkpoints/pending'));
  try {
    await terminal.prompt();
    let out = '';
    let at = 0;
    for (const block of blocksOf(text)) {
      if (block.notRun !== undefined || block.is === 'other') continue;
      if (block.is === 'bash' || block.is === 'zsh' || block.is === 'fish') runIn(block, stage);
      else if (block.is !== 'console') {
        for (const line of linesOf(block))
          succeeded(block, line, await terminal.type(line), await terminal.type('echo $?'));
        await settle();
      } else {
        let session = '';
        for (const line of linesOf(block)) {
          session += `$ ${line}\n${(await terminal.type(line)).replace(/(?<=[^\n])$/, '\n')}`;
          await settle();
        }
        out += `${text.slice(at, block.from)}\`\`\`console\n${elsewhere(session, stage)}\`\`\``;
        at = block.to;
      }
    }
    return out + text.slice(at);
  } finally {
    terminal.close();
    strike(stage);
  }
}

function succeeded(block: Block, line: string, printed: string, status: string): void {
  const [exit = ''] = status.trim().split('\n'); // what a prompt of the page's own begins with comes behind it
  if (exit !== '0') throw new Error(`line ${block.line}: \`${line}\` ended with ${exit}\n${printed}`);
}

/** A script; nothing where its shell is not installed. */
function runIn({ is, text, line }: Block, { project, env }: Stage): void {
  const done = spawnSync(is, [...(is === 'zsh' ? ['-f'] : is === 'bash' ? ['-e'] : []), '-c', text], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  if (done.error === undefined && done.status !== 0)
    throw new Error(`line ${line}: ${is} ended with ${done.status ?? done.signal}\n${done.stdout}${done.stderr}`);
}

/** A person looks at what he did before he types on: by then every turn is settled, but those that may still run. */
export async function settled(pending: string): Promise<void> {
  const open = (): boolean =>
    filesBelow(pending)
      .filter((name) => name.endsWith('turn.json'))
      .some((name) => !mayStillRun(join(pending, dirname(name), 'end.json')));
  for (const until = Date.now() + 20_000; open() && Date.now() < until; ) await new Promise((go) => setTimeout(go, 20));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    // Nothing is pending any more; or a folder went while it was read: somebody is settling.
    return fs.existsSync(folder) && (error as NodeJS.ErrnoException).code === 'ENOENT' ? filesBelow(folder) : [];
  }
}

function mayStillRun(end: string): boolean {
  try {
    return (JSON.parse(fs.readFileSync(end, 'utf8')) as { running: boolean }).running;
  } catch {
    return false; // not ended yet, or just settled
  }
}

const elsewhere = (session: string, stage: Stage): string =>
  session
    .replaceAll(stage.project, '/home/you/shop')
    .replaceAll(`${stage.folder}/home`, '/home/you')
    .replaceAll(stage.folder, '/home/you')
    .replaceAll('\t', '  ')
    .replace(/ +$/gm, '');

/** What differs from run to run, made alike: times of day, dates, ids, durations, and the widths that follow from them. */
export const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replace(/\d\d:\d\d(:\d\d)?/g, 'TIME')
    .replace(/\b\d{8}_\d{6}_[0-9a-f]{6,8}\b/g, 'SESSION')
    .replace(/\b[0-9a-f]{7,40}\b/g, 'ID')
    .replace(/\b\d+(\.\d+)? ?(ms|s)\b/g, 'SPAN')
    .replace(/ {2,}|-{2,}/g, '  ');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of process.argv.slice(2)) {
    fs.writeFileSync(file, await retold(fs.readFileSync(file, 'utf8')));
    console.log(`${file}: retold`);
  }
}
