/**
 * Keeps the transcripts of the documents true: every ```console block of a document is typed, line by line, at a real prompt in
 * the project of `belay demo`, and what comes is what the document says.
 *
 *   tsx scripts/tour.ts FILE…      writes the real output into the files
 */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setStage, strike } from '../src/cli/demo/stage.ts';
import { Terminal } from '../src/cli/demo/terminal.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const BLOCK = /^```console\n(.*?)^```$/gms;

/** The document with the output that its lines really have. All its blocks are one session. */
export async function retold(text: string, install = root): Promise<string> {
  const stage = setStage(install, false);
  const rc = join(install, 'shims/demo-rc.bash');
  const terminal = new Terminal(['bash', '--rcfile', rc, '-i'], stage.project, stage.env);
  try {
    await terminal.prompt();
    let out = '';
    let at = 0;
    for (const block of text.matchAll(BLOCK)) {
      let session = '';
      for (const line of (block[1] ?? '').split('\n')) {
        if (!line.startsWith('$ ')) continue;
        const printed = await terminal.type(line.slice(2));
        await settled(join(stage.folder, 'belay/checkpoints/pending'));
        session += `${line}\n${printed.replace(/(?<=[^\n])$/, '\n')}`;
      }
      out += `${text.slice(at, block.index)}\`\`\`console\n${elsewhere(session, stage)}\`\`\``;
      at = block.index + block[0].length;
    }
    return out + text.slice(at);
  } finally {
    terminal.close();
    strike(stage);
  }
}

/** A person looks at what he did before he types on: by then every turn is settled, but those that may still run. */
async function settled(pending: string): Promise<void> {
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

const elsewhere = (session: string, stage: { readonly folder: string; readonly project: string }): string =>
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
