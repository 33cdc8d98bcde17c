import { type Bytes, fromBuffer, toBuffer } from '../../platform/bytes.ts';
import { removeFile } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import type { CaptureRecord, LeftOut } from '../record.ts';
import type { Store } from '../store.ts';
import { captureRef } from '../write.ts';
import { type Failure, provesLoss, whyNot } from './loss.ts';

const FILES = 'files/';

export type Lessened =
  | { readonly is: 'lessened'; readonly gone: readonly LeftOut[] }
  /** Not only contents: nothing was changed. */
  | { readonly is: 'more is lost' }
  /** git could not do it (a full disk, no time), which proves no damage: nothing was changed. */
  | { readonly is: 'failed'; readonly why: Bytes };

/** Writes a capture anew without the files whose content is lost; its record says that they are left out. */
export function lessen(store: Store, key: string, m: number, bad: ReadonlySet<string>): Lessened {
  const index = join(store.base, `.store-${process.pid}-${randomHex(4)}`);
  const run = (args: readonly string[], input?: string | Uint8Array): Buffer => {
    const answer = git(args, {
      gitDir: store.gitDir,
      index,
      timeout: 120_000,
      ...(input === undefined ? {} : { input }),
    });
    if (!answer.ok) throw new Failed(answer);
    return answer.out;
  };
  const line = (args: readonly string[], input?: string | Uint8Array): string => fromBuffer(run(args, input)).trim();
  const ref = captureRef(key, m);
  try {
    const old = line(['rev-parse', '--verify', ref]);
    run(['read-tree', old]);
    const lost = entriesOf(run(['ls-files', '-s', '-z'])).filter(({ oid }) => bad.has(oid));
    if (lost.length === 0 || lost.some(({ path }) => !path.startsWith(FILES))) return { is: 'more is lost' };
    const record = JSON.parse(run(['cat-file', 'blob', `${old}:meta.json`]).toString('utf8')) as CaptureRecord;
    const gone = lost.map(({ path }) => ({ path: path.slice(FILES.length), reason: 'the store has lost it' }));
    const meta = Buffer.from(JSON.stringify(withoutThem(record, gone)), 'utf8');
    const blob = line(['hash-object', '-w', '--stdin'], meta);
    const lines = lost.map(({ path }) => `0 ${'0'.repeat(40)}\t${path}\0`).join('');
    run(['update-index', '-z', '--index-info'], toBuffer(`${lines}100644 ${blob}\tmeta.json\0`));
    const tree = line(['write-tree']);
    const commit = line(['commit-tree', tree], run(['log', '-1', '--format=%B', old]));
    run(['update-ref', ref, commit, old]);
    return { is: 'lessened', gone };
  } catch (error) {
    if (error instanceof SyntaxError) return { is: 'more is lost' };
    if (!(error instanceof Failed)) throw error;
    return provesLoss(error.answer) ? { is: 'more is lost' } : { is: 'failed', why: whyNot(error.answer) };
  } finally {
    removeFile(index);
  }
}

/** What is in no tree has no permissions and no owner, either: a restore would take its path for a folder's. */
function withoutThem(record: CaptureRecord, gone: readonly LeftOut[]): CaptureRecord {
  const paths = new Set(gone.map(({ path }) => path));
  return {
    ...record,
    modes: record.modes.filter(([path]) => !paths.has(path)),
    ...(record.owners ? { owners: record.owners.filter(([path]) => !paths.has(path)) } : {}),
    leftOut: [...record.leftOut, ...gone],
  };
}

class Failed extends Error {
  readonly answer: Failure;
  constructor(answer: Failure) {
    super('git failed');
    this.answer = answer;
  }
}

const entriesOf = (listed: Buffer): { readonly oid: string; readonly path: Bytes }[] =>
  fromBuffer(listed)
    .split('\0')
    .flatMap((entry) => {
      const hit = /^\d+ ([0-9a-f]{40}) \d\t([\s\S]+)$/.exec(entry);
      return hit?.[1] && hit[2] ? [{ oid: hit[1], path: hit[2] }] : [];
    });
