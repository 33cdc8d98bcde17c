import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { blobOid } from '../../src/checkpoint/oid.ts';
import type { Change, Version } from '../../src/checkpoint/record.ts';
import type { Store } from '../../src/checkpoint/store.ts';
import { writeRecord } from '../../src/checkpoint/write.ts';
import { absent, file, turn as given } from '../../test/checkpoint/given.ts';
import { type Random, randomFrom } from '../../test/checkpoint/model.ts';

/** One project that somebody works on: its files as they are, and a generator that decides what happens next. */
export interface Project {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly random: Random;
}

const WORDS = 'const return if else for of import export function value name path line count state next';

function lineOf(random: Random): string {
  const words = WORDS.split(' ');
  const some = Array.from({ length: 4 + Math.floor(random() * 8) }, () => words[Math.floor(random() * words.length)]);
  return `  ${some.join(' ')} ${Math.floor(random() * 1e6)};`;
}

const textOf = (random: Random, lines: number): string =>
  `${Array.from({ length: lines }, () => lineOf(random)).join('\n')}\n`;

/** A small project: 24 files of 40 to 240 lines. */
export function begin(root: string, seed: number): Project {
  const random = randomFrom(seed);
  const files = new Map<string, string>();
  for (let i = 0; i < 24; i++)
    files.set(`src/part${i % 8}/file${i}.ts`, textOf(random, 40 + Math.floor(random() * 200)));
  fs.mkdirSync(join(root, '.git'), { recursive: true });
  for (const [path, text] of files) put(root, path, text);
  return { root, files, random };
}

function put(root: string, path: string, text: string): void {
  fs.mkdirSync(join(root, path, '..'), { recursive: true });
  fs.writeFileSync(join(root, path), text);
}

interface Done {
  readonly line: string;
  readonly changes: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
}

/**
 * What people and agents do all day: of a hundred lines some sixty edit a few lines of one or two files, fifteen run something that
 * only writes a report anew, ten make a file, ten delete one, five throw away a folder or rewrite a large file.
 */
function act({ root, files, random }: Project, count: number): Done {
  const paths = [...files.keys()];
  const pick = (): string => paths[Math.floor(random() * paths.length)] ?? '';
  const set = (path: string, after: string | undefined) => {
    const before = files.get(path);
    if (after === undefined) {
      files.delete(path);
      fs.rmSync(join(root, path), { force: true });
    } else {
      files.set(path, after);
      put(root, path, after);
    }
    return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  };
  const dice = random();
  if (dice < 0.6) {
    const edited = new Set(Array.from({ length: 1 + Math.floor(random() * 2) }, pick));
    return {
      line: `sed -i s/x/y/ ${[...edited].join(' ')}`,
      changes: [...edited].map((path) => set(path, edit(files.get(path) ?? '', random))),
    };
  }
  if (dice < 0.75) return { line: 'npm test', changes: [set('report.txt', `run ${count}\n${textOf(random, 30)}`)] };
  if (dice < 0.85 || files.size < 16)
    return {
      line: 'cp a b',
      changes: [set(`src/part${Math.floor(random() * 8)}/new${count}.ts`, textOf(random, 120))],
    };
  if (dice < 0.95) {
    const path = pick();
    return { line: `rm ${path}`, changes: [set(path, undefined)] };
  }
  if (dice < 0.97) {
    const folder = `src/part${Math.floor(random() * 8)}/`;
    const gone = paths.filter((path) => path.startsWith(folder)).slice(0, 6);
    return { line: `rm -rf ${folder}`, changes: gone.map((path) => set(path, undefined)) };
  }
  return { line: 'npm run fixtures > data.json', changes: [set('data.json', textOf(random, 4000))] };
}

function edit(text: string, random: Random): string {
  const lines = text.split('\n');
  for (let i = 1 + Math.floor(random() * 4); i > 0; i--) lines[Math.floor(random() * lines.length)] = lineOf(random);
  if (random() < 0.3) lines.splice(Math.floor(random() * lines.length), 0, lineOf(random));
  return lines.join('\n');
}

const version = (text: string | undefined): Version => (text === undefined ? absent : file(Buffer.from(text)));

/** One turn at a moment of the simulated month, recorded as a settle records it. */
export function turn(
  store: Store,
  project: Project,
  order: number,
  when: number,
  captureBefore: number | undefined,
): void {
  const { line, changes } = act(project, order);
  const contents = new Map<string, Uint8Array>();
  for (const { before, after } of changes)
    for (const text of [before, after])
      if (text !== undefined) contents.set(blobOid(Buffer.from(text)), Buffer.from(text));
  const named: Change[] = changes.map(({ path, before, after }) => ({
    path,
    before: version(before),
    after: version(after),
    by: 'named',
  }));
  const draft = given({
    scope: captureBefore === undefined ? 'targets' : 'full',
    session: `20260101_000000_${createHash('sha1').update(project.root).digest('hex').slice(0, 6)}`,
    turn: String(order),
    order,
    started: when,
    ended: when + 500,
    line,
    verbs: [line.split(' ')[0] ?? ''],
    cwd: project.root,
    changes: named,
    ...(captureBefore === undefined ? {} : { captureBefore }),
  });
  writeRecord(store, project.root, draft, contents);
}
