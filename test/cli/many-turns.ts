import { ImportStream, runImport } from '../../src/checkpoint/fast-import.ts';
import { blobOid } from '../../src/checkpoint/oid.ts';
import { touchProject, updateProject } from '../../src/checkpoint/projects.ts';
import type { CheckpointRecord } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { contentEntries, turnRef } from '../../src/checkpoint/write.ts';
import { absent, file, turn } from '../checkpoint/given.ts';
import { nextOrder } from './turns.ts';

/** So many turns of one project in one git process: each deleted a file of three lines. They began half an hour apart. */
export function manyTurns(home: string, root: string, count: number, line: (n: number) => string): void {
  const store = openStore(home);
  const project = touchProject(store, root);
  const stream = new ImportStream();
  const first = project.next;
  const records = Array.from({ length: count }, (_, i): CheckpointRecord => {
    const bytes = Buffer.from(`one\ntwo\n${i}\n`);
    stream.blob(blobOid(bytes), bytes);
    const started = Date.now() - (count - i) * 1_800_000;
    const draft = turn({
      order: nextOrder(home),
      line: line(i),
      verbs: ['rm'],
      cwd: root,
      started,
      ended: started + 500,
      changes: [{ path: `file${i}.txt`, before: file(bytes), after: absent, by: 'named' }],
    });
    return { v: 1, n: first + i, generation: project.generation, root: project.workdir, ...draft } as CheckpointRecord;
  });
  for (const record of records)
    stream.commit({
      ref: turnRef(project.key, record.n),
      subject: `${record.line}\n`,
      when: record.started,
      entries: [...contentEntries(record), { path: 'meta.json', data: Buffer.from(JSON.stringify(record)) }],
    });
  const done = runImport(store, stream);
  if (done.is !== 'written') throw new Error(`the turns were not written: ${done.why}`);
  updateProject(store, project.key, root, { next: first + count });
}
