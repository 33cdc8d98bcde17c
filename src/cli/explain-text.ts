import type { Effect, Plan, Way } from '../effects/types.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { isInside, relativeTo } from '../platform/paths.ts';
import type { Span } from '../shell/types.ts';
import { styleFor } from './style.ts';

const SAYS: Record<Way, string> = {
  delete: 'deletes',
  replace: 'replaces',
  'write-in-place': 'overwrites',
  move: 'moves away',
  append: 'adds to',
  create: 'makes',
  metadata: 'changes mode, owner or attributes of',
  'git-state': 'changes what git keeps in',
};

let pc = styleFor(process.stdout);

/** More effects of the same command and way are told as a number. */
const SHOWN = 8;

/** The answer of `belay explain` for people: the line with what it names underlined, a sentence an effect, what would be saved. */
export function explainText(line: Bytes, plan: Plan, cwd: Bytes | undefined): string {
  pc = styleFor(process.stdout); // by then --color has been read
  const name = (path: Bytes): string => {
    if (path === '?') return 'what cannot be known before it runs';
    if (path === cwd) return `${toText(path)} (this folder)`;
    return toText(cwd !== undefined && isInside(path, cwd) ? relativeTo(cwd, path) : path);
  };
  const out = [marked(line, plan.effects), ''];
  if (!plan.parsed)
    out.push(
      pc.yellow(
        plan.captures.length > 0
          ? 'Not all of it could be read as shell language; belay would save more than it may need.'
          : 'This is not shell language that could be read; nothing destructive is to be seen in it.',
      ),
    );
  for (const group of groups(plan.effects.filter((effect) => !isTold(effect, plan))))
    out.push(...sentences(group, plan, name));
  for (const program of plan.unknownPrograms)
    out.push(`${pc.yellow('?')} ${pc.bold(toText(program))}: unknown program; what it does cannot be read beforehand`);
  for (const remark of plan.remarks) out.push(pc.dim(`· ${toText(remark)}`));
  if (plan.parsed && !plan.destructive && plan.unknownPrograms.length === 0)
    out.push(pc.green(plan.effects.length === 0 ? 'Nothing is lost or changed.' : 'Nothing that exists is lost.'));
  out.push(...saved(plan, name));
  return `${out.join('\n')}\n`;
}

/** The line, the words that destroy something in red and underlined. */
function marked(line: Bytes, effects: readonly Effect[]): string {
  const spans = effects
    .flatMap((effect): Span[] => (effect.span && effect.destructive ? [effect.span] : []))
    .sort((a, b) => a[0] - b[0]);
  let out = '';
  let at = 0;
  for (const [start, end] of spans) {
    if (start < at || end > line.length) continue;
    out += toText(line.slice(at, start)) + pc.underline(pc.red(toText(line.slice(start, end))));
    at = end;
  }
  return out + toText(line.slice(at));
}

function groups(effects: readonly Effect[]): Effect[][] {
  const out = new Map<string, Effect[]>();
  for (const effect of effects) {
    const key = [effect.verb, effect.way, effect.destructive, effect.certainty, effect.deferred, effect.note].join(
      '\0',
    );
    const group = out.get(key);
    if (group) group.push(effect);
    else out.set(key, [effect]);
  }
  return [...out.values()];
}

/** `find . -exec rm {} +` may reach more by the time it runs: where all it names now is held, that is what is told. */
const isTold = (effect: Effect, plan: Plan): boolean =>
  effect.certainty === 'unknown' && effect.note === undefined && plan.captures.length === 0 && plan.targets.length > 0;

function sentences(group: readonly Effect[], plan: Plan, name: (path: Bytes) => string): string[] {
  const lines = group.slice(0, SHOWN).map((effect) => sentence(effect, plan, name));
  if (group.length > SHOWN) lines.push(`  … and ${group.length - SHOWN} more`);
  return lines;
}

/** Some things in a folder, not the folder: a few of them, and how many. */
function partsOf(effect: Effect, plan: Plan, name: (path: Bytes) => string): string {
  const inside = plan.targets.filter((target) => target.way === effect.way && isInside(target.path, effect.path));
  if (!effect.destructive || inside.length === 0 || plan.targets.some((target) => target.path === effect.path))
    return pc.cyan(name(effect.path));
  const few = inside.slice(0, 3).map((target) => pc.cyan(name(target.path)));
  const more = inside.length > few.length ? ` and ${inside.length - few.length} more` : '';
  return `${few.join(', ')}${more} in ${pc.cyan(name(effect.path))}`;
}

function sentence(effect: Effect, plan: Plan, name: (path: Bytes) => string): string {
  const sign = effect.destructive ? pc.red('✗') : pc.green('+');
  const may = effect.certainty === 'known' ? '' : 'may ';
  const verb = may === '' ? SAYS[effect.way] : SAYS[effect.way].replace(/s\b/, '');
  // Said of a whole folder: which of the things in it, nobody can say.
  if (effect.certainty === 'unknown' && effect.path !== '?') return somewhere(effect, name);
  const when = effect.deferred ? ', perhaps after the line has returned' : '';
  const note = effect.note === undefined ? '' : pc.dim(` (${toText(effect.note)})`);
  return `${sign} ${pc.bold(toText(effect.verb))} ${may}${verb} ${partsOf(effect, plan, name)}${when}${note}`;
}

const somewhere = (effect: Effect, name: (path: Bytes) => string): string =>
  `${pc.red('✗')} ${pc.bold(toText(effect.verb))} may reach anything below ${pc.cyan(name(effect.path))}${effect.note === undefined ? '' : pc.dim(` (${toText(effect.note)})`)}`;

function saved(plan: Plan, name: (path: Bytes) => string): string[] {
  const held = plan.targets.filter((target) => target.way !== 'create').length;
  const parts: string[] = [];
  if (held > 0) parts.push(`hold ${held} ${held === 1 ? 'path' : 'paths'}`);
  for (const repository of plan.git)
    parts.push(`keep the git state of ${name(repository.workTree ?? repository.gitDir)}`);
  for (const capture of plan.captures) parts.push(`capture the project at ${name(capture.folder)}`);
  return parts.length === 0 ? [] : ['', `belay would ${parts.join('; ')}.`];
}
