import { fileOid } from '../../src/checkpoint/oid.ts';
import { captureTree, readCaptures, readHistories, readObjects } from '../../src/checkpoint/read.ts';
import type { Content, Version } from '../../src/checkpoint/record.ts';
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { lookAt } from '../../src/platform/files.ts';
import { capture } from '../../src/saving/capture/capture.ts';

/** Every checkpoint and capture against what it says of itself, and whether each project can be captured as before. */
export async function compareStore(
  home: string,
  roots: readonly string[],
): Promise<{ compared: number; differences: string[] }> {
  const store = openStore(home);
  const differences: string[] = [];
  let compared = 0;
  for (const [key, { checkpoints, captures, broken }] of readHistories(store)) {
    for (const ref of broken) differences.push(`${key} ${ref}: cannot be read`);
    for (const { record } of checkpoints) {
      compared++;
      const versions = record.changes.flatMap(({ path, before, after }) => [
        { path, version: before },
        { path, version: after },
      ]);
      const wanted = versions.filter(({ version }) => contentOf(version)?.at === 'git');
      const contents = readObjects(
        store,
        wanted.map(({ version }) => oidOf(version)),
      );
      wanted.forEach(({ path, version }, i) => {
        const size = version.kind === 'file' ? version.size : -1;
        if (contents[i]?.length !== size)
          differences.push(`${key} turns/${record.n} ${path}: its content is not there`);
      });
      for (const { path, version } of versions) {
        const content = contentOf(version);
        if (content?.at !== 'hold') continue;
        const file = content.path.startsWith('/')
          ? content.path
          : `${store.base}/holds/${key}/${record.n}/${content.path}`;
        if (lookAt(file) === undefined) differences.push(`${key} turns/${record.n} ${path}: its hold is gone`);
        else if (content.oid !== undefined && fileOid(file) !== content.oid)
          differences.push(`${key} turns/${record.n} ${path}: its hold has changed`);
      }
    }
    const records = readCaptures(store, captures);
    for (const { m, id } of captures) {
      compared++;
      if (records.get(m)?.record.m !== m) differences.push(`${key} captures/${m}: its record is another one's`);
      const entries = captureTree(store, id);
      readObjects(
        store,
        entries.map(({ oid }) => oid),
      ).forEach((bytes, i) => {
        if (bytes?.length !== entries[i]?.size) differences.push(`${key} captures/${m} ${entries[i]?.path}: lost`);
      });
    }
  }
  for (const root of roots) {
    const done = await capture({ store, root, config: DEFAULTS, budget: 60_000 });
    if (done.kind !== 'captured' && done.kind !== 'unchanged') differences.push(`${root}: ${done.kind}: ${done.why}`);
  }
  return { compared, differences };
}

const contentOf = (version: Version): Content | undefined => (version.kind === 'file' ? version.content : undefined);

const oidOf = (version: Version): string => {
  const content = contentOf(version);
  return content?.at === 'git' ? content.oid : '';
};
