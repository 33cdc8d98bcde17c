import { type Bytes, toText } from '../../platform/bytes.ts';
import { namesVisible } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { type Parsed, parseOptions } from './options.ts';
import { writeFile } from './outputs.ts';
import type { Repository } from './repository.ts';
import { fileOf, type Scene } from './scene.ts';
import { statOf } from './status.ts';

const FORMAT_PATCH =
  'n,numbered N,no-numbered s,signoff stdout cover-letter numbered-files suffix= start-number= v,reroll-count= filename-max-length= rfc=? ' +
  'cover-from-description= subject-prefix= o,output-directory= k,keep-subject zero-commit ignore-if-in-upstream p,no-stat add-header= to= ' +
  'cc= from=? in-reply-to= attach=? inline=? thread=? signature= base= signature-file= q,quiet progress interdiff= range-diff= ' +
  'creation-factor= root output=';

/** git-format-patch(1) writes one file a commit, named after its subject, over what stands there. */
export function formatPatch(scene: Scene): void {
  // `-3`, which is no option of a table
  const count = scene.args
    .flatMap((arg) => (arg.kind === 'known' ? (/^-(\d+)$/.exec(arg.text)?.[1] ?? []) : []))
    .at(-1);
  const parsed = parseOptions(FORMAT_PATCH, scene.args);
  if (parsed.help || parsed.has('stdout')) return;
  const single = parsed.get('output');
  if (typeof single === 'object') {
    writeFile(scene, single, 'write-in-place');
    return;
  }
  const named = parsed.text('output-directory') ?? scene.config().text('format.outputdirectory') ?? '.';
  const folder = fileOf(scene, named);
  if (folder === undefined) {
    scene.out.unknown(scene.verb, { kind: 'unknown' }, 'the folder is not known before the line runs');
    return;
  }
  const repo = scene.repository();
  const names = repo && namesOf(repo, scene, parsed, count);
  const all = names ?? looking(folder, parsed);
  for (const name of all) written(scene, join(folder, name), names === undefined);
  if (all.some((name) => statOf(join(folder, name))))
    scene.out.effect({
      verb: scene.verb,
      path: folder,
      way: 'replace',
      frame: true,
      recursive: true,
      destructive: true,
    });
}

function written(scene: Scene, path: Bytes, maybe: boolean): void {
  scene.out.effect({
    verb: scene.verb,
    path,
    way: statOf(path) ? 'replace' : 'create',
    ...(maybe ? { certainty: 'maybe' as const } : {}),
  });
}

const MOST = 2000;

/** `0001-the-subject.patch`; undefined where the commits are not those that git would take now. */
function namesOf(repo: Repository, scene: Scene, parsed: Parsed, count: string | undefined): Bytes[] | undefined {
  if (parsed.has('ignore-if-in-upstream') || parsed.bad) return undefined;
  const operands = [...parsed.before, ...(parsed.after ?? [])];
  const words = operands.flatMap((arg) => (arg.kind === 'known' ? [toText(arg.text)] : []));
  if (words.length < operands.length || scene.state(repo).head !== 'HEAD' || scene.state(repo).committed)
    return undefined;
  const [only, ...others] = words;
  // one revision alone is where the series starts (git-format-patch(1))
  const since = only !== undefined && others.length === 0 && !/\.\.|^\^/.test(only) && !parsed.has('root') && !count;
  const range = since ? [`${only}..HEAD`] : words.length > 0 ? words : ['HEAD'];
  const limit = ['--max-count', count ?? String(MOST)];
  // not `log`: `log.showSignature` would run the repository's `gpg.program`
  const asked = ['rev-list', '--no-merges', '--reverse', '--no-commit-header', '--format=%f', ...limit];
  const answer = repo.ask([...asked, '--end-of-options', ...range, '--']);
  if (!answer.ok) return undefined;
  const subjects = answer.out.toString('latin1').split('\n').slice(0, -1);
  if (subjects.length >= MOST) return undefined;
  const start = Number(parsed.text('start-number') ?? 1);
  const version = parsed.text('reroll-count');
  const lead = version === undefined ? '' : `v${version}-`;
  const suffix = parsed.text('suffix') ?? scene.config().text('format.suffix') ?? '.patch';
  const longest = Number(parsed.text('filename-max-length') ?? scene.config().text('format.filenamemaxlength') ?? 64);
  const name = (subject: Bytes, at: number): Bytes =>
    parsed.has('numbered-files')
      ? String(at)
      : `${lead}${String(at).padStart(4, '0')}-${subject}`.slice(0, longest - suffix.length - 1) + suffix;
  const names = subjects.map((subject, at) => name(subject, start + at));
  return parsed.has('cover-letter') ? [name('cover-letter', start - 1), ...names] : names;
}

/** Where which names come is not known: whatever looks like a patch of such a series. */
function looking(folder: Bytes, parsed: Parsed): Bytes[] {
  const suffix = parsed.text('suffix') ?? '.patch';
  const numbers = parsed.has('numbered-files') ? /^\d+$/ : /^(v\d+-)?\d{4,}-/;
  return namesVisible(folder).filter(
    (name) => numbers.test(name) && (parsed.has('numbered-files') || name.endsWith(suffix)),
  );
}
