import { type Bytes, fromBuffer, fromText, toText } from '../../platform/bytes.ts';
import { lookAt, namesInOrNone, readBytesIfAny } from '../../platform/files.ts';
import { git } from '../../platform/git.ts';
import { isAbsolute, join, normalize } from '../../platform/paths.ts';

/** The history that another program keeps of one folder: a chain of commits, each the whole folder. */
export interface Shadow {
  readonly from: 'hermes' | 'legacy';
  /** What it is called there: sixteen hex digits or more. */
  readonly name: string;
  /** The repository that its commits lie in. */
  readonly gitDir: Bytes;
  /** The newest commit. */
  readonly tip: string;
  /** The folder that it is of; undefined where nothing says so. */
  readonly workdir: Bytes | undefined;
}

/** One commit of it. */
export interface Snapshot {
  readonly id: string;
  readonly tree: string;
  /** Milliseconds since 1970. */
  readonly when: number;
  readonly subject: Bytes;
}

const NAME = /^[0-9a-f]{8,64}$/;

/**
 * What can be taken over from a folder: a store of Hermes Agent (`refs/hermes/<hash>`, `projects/<hash>.json`) or the folder that it lies
 * in; a folder of repositories, one for each project, called by a hash (an older layout, archived or not); one such repository.
 */
export function shadowsIn(folder: Bytes): Shadow[] {
  const store = [folder, join(folder, 'store')].find((path) => isRepository(path) && hasHermes(path));
  if (store !== undefined) return hermes(store);
  if (isRepository(folder)) return legacy(folder, folder.slice(folder.lastIndexOf('/') + 1));
  return namesInOrNone(folder)
    .filter((name) => NAME.test(name) && isRepository(join(folder, name)))
    .flatMap((name) => legacy(join(folder, name), name));
}

const isRepository = (path: Bytes): boolean =>
  lookAt(path)?.type === 'folder' && ['HEAD', 'objects'].every((name) => lookAt(join(path, name)) !== undefined);

const hasHermes = (path: Bytes): boolean =>
  refsIn(path, 'refs/hermes/').length > 0 || lookAt(join(path, 'projects')) !== undefined;

function hermes(gitDir: Bytes): Shadow[] {
  return refsIn(gitDir, 'refs/hermes/').flatMap(([ref, tip]) => {
    const name = ref.slice('refs/hermes/'.length);
    if (!NAME.test(name)) return [];
    return [
      {
        from: 'hermes' as const,
        name,
        gitDir,
        tip,
        workdir: workdirIn(join(join(gitDir, 'projects'), `${name}.json`)),
      },
    ];
  });
}

/** One repository of an older layout: its folder stands in a file beside its refs, or in its configuration. */
function legacy(gitDir: Bytes, name: Bytes): Shadow[] {
  const tip = git(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], { gitDir });
  if (!tip.ok) return [];
  const marker = ['HERMES_WORKDIR', 'WORKDIR'].map((file) => readBytesIfAny(join(gitDir, file))).find((said) => said);
  const workdir = marker === undefined ? undefined : plainFolder(fromBuffer(marker).trim());
  return [{ from: 'legacy', name: NAME.test(name) ? name : '', gitDir, tip: fromBuffer(tip.out).trim(), workdir }];
}

function refsIn(gitDir: Bytes, prefix: string): (readonly [ref: string, id: string])[] {
  const answer = git(['for-each-ref', '--format=%(refname) %(objectname)', prefix], { gitDir });
  return fromBuffer(answer.out)
    .split('\n')
    .flatMap((line) => {
      const [ref, id] = line.split(' ');
      return ref && id && /^[0-9a-f]{40}$/.test(id) ? [[ref, id] as const] : [];
    });
}

function workdirIn(file: Bytes): Bytes | undefined {
  const bytes = readBytesIfAny(file);
  if (bytes === undefined || bytes.length > 1 << 20) return undefined;
  try {
    const data = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as { readonly workdir?: unknown } | null;
    return typeof data?.workdir === 'string' ? plainFolder(fromText(data.workdir)) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // it is told as a history that nobody knows the folder of
    throw error;
  }
}

const plainFolder = (path: Bytes): Bytes | undefined =>
  isAbsolute(path) && !path.includes('\0') && path !== '/' ? normalize(path) : undefined;

/** The newest commits of it, oldest first. */
export function snapshotsOf({ gitDir, tip }: Shadow, most: number): Snapshot[] {
  const answer = git(
    ['rev-list', '--first-parent', `--max-count=${most}`, '--no-commit-header', '--format=%H %T %ct %s', tip],
    {
      gitDir,
      timeout: 120_000,
    },
  );
  if (!answer.ok) throw new Error(toText(answer.err.trim()));
  return fromBuffer(answer.out)
    .split('\n')
    .flatMap((line) => {
      const hit = /^([0-9a-f]{40}) ([0-9a-f]{40}) (\d{1,12}) (.*)$/.exec(line);
      return hit?.[1] && hit[2]
        ? [{ id: hit[1], tree: hit[2], when: Number(hit[3]) * 1000, subject: hit[4] ?? '' }]
        : [];
    })
    .reverse();
}
