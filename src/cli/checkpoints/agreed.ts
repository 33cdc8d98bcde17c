import fs from 'node:fs';
import { projectsFolder } from '../../checkpoint/projects.ts';
import type { Store } from '../../checkpoint/store.ts';
import { type Bytes, fromText, toBuffer } from '../../platform/bytes.ts';
import { makeFolder, readBytesIfAny } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';

/** Where a person has said that this project's checkpoints may be pushed, a line each: asked once. */
const fileOf = (store: Store, key: string): Bytes => join(projectsFolder(store), `${key}.agreed`);

export const hasAgreed = (store: Store, key: string, what: string): boolean =>
  (readBytesIfAny(fileOf(store, key))?.toString('utf8') ?? '').split('\n').includes(what);

export function noteAgreed(store: Store, key: string, what: string): void {
  if (hasAgreed(store, key, what)) return;
  makeFolder(projectsFolder(store));
  fs.appendFileSync(toBuffer(fileOf(store, key)), toBuffer(`${fromText(what)}\n`), { mode: 0o600 });
}
