import { wiringOf, wirings } from '../agents/wiring/agents.ts';
import {
  CannotMerge,
  type Edit,
  editsToInstall,
  editsToRemove,
  eventsInPlace,
  install,
  installs,
  readRecord,
  remove,
} from '../agents/wiring/installed.ts';
import type { Piece, Place, Wiring } from '../agents/wiring/wiring.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { belayHome, environment, homeFolder } from '../platform/home.ts';
import { describe, log } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import { projectRoot } from '../platform/roots.ts';
import { type Answer, type Call, type Command, failed, refused, wrongUsage } from './command.ts';
import { shown } from './paths.ts';

const NAMES = wirings.map(({ name }) => name).join('|');

export const agent: Command = {
  summary: 'connects belay with Claude Code, Codex, Gemini CLI, opencode, Cursor, Hermes',
  usage: [
    `belay agent install ${NAMES} [--project] [--print]`,
    'belay agent remove NAME [--project] [--print]',
    'belay agent remove --all',
    'belay agent [status [NAME]] [--project]',
  ],
  help: `
Puts belay's hook into the agent's own configuration, beside what is there: comments and order stay, a backup is kept, and doing it
twice changes nothing. Where the agent has slash commands, /undo, /rollback and /diff come with it. \`remove\` takes out exactly what
was put in.

  --all       every agent, for you and for each project where it was installed
  --project   for this project alone, instead of for you everywhere
  --print     shows what it would write, changes nothing`,
  options: { all: { type: 'boolean' }, project: { type: 'boolean' }, print: { type: 'boolean' } },
  run: (call) => {
    const [what, name, ...more] = call.words.map(toText);
    if (call.values['all'] === true) return removingAll(call, what, name);
    if (more.length > 0) throw wrongUsage(`one agent at a time: belay agent ${what} NAME`);
    try {
      if (what === 'status' || what === undefined) return statusOf(call, name);
      const wiring = wiringOf(name ?? '');
      if (wiring === undefined || (what !== 'install' && what !== 'remove'))
        throw wrongUsage(`it wants install, remove or status, and an agent: ${NAMES}`);
      return what === 'install' ? installing(call, wiring) : removing(call, wiring);
    } catch (error) {
      if (error instanceof CannotMerge)
        throw refused(
          'cannot_merge',
          error.message,
          'Nothing was changed. Mend the file, or add it by hand: --print shows what.',
        );
      throw error;
    }
  },
};

function installing(call: Call, wiring: Wiring): Answer {
  const { place, home, pieces } = openPlace(call, wiring);
  const edits = editsToInstall(wiring, pieces);
  if (call.values['print'] === true) return printed(wiring, edits, pieces);
  const changed = edits.filter(({ before, after }) => before !== after);
  const backups = changed.length === 0 ? [] : install(home, wiring, place, edits);
  const nextStep = changed.length > 0 && wiring.nextStep !== undefined ? [wiring.nextStep] : [];
  return {
    json: { ...documentOf(call, wiring, edits), backups: backups.map(toText), notes: nextStep },
    text: [
      changed.length === 0
        ? `${wiring.title}: everything is in place already`
        : `${wiring.title}: belay saves before its tools write`,
      ...changed.map(({ file, before }) => `  ${before === undefined ? 'new     ' : 'added to'} ${shown(file)}`),
      ...backups.map((file) => `  backup   ${shown(file)}`),
      ...nextStep,
      '',
    ].join('\n'),
  };
}

function removing(call: Call, wiring: Wiring): Answer {
  const { place, home, pieces } = openPlace(call, wiring);
  const edits = editsToRemove(wiring, pieces, readRecord(home, wiring, place));
  if (call.values['print'] === true) return printed(wiring, edits, pieces);
  const changed = edits.filter(({ before, after }) => before !== after);
  remove(home, wiring, place, edits);
  return {
    json: documentOf(call, wiring, edits),
    text: [
      changed.length === 0 ? `${wiring.title}: nothing of belay is there` : `${wiring.title}: belay is out again`,
      ...changed.map(({ file, after }) => `  ${after === undefined ? 'removed   ' : 'taken from'} ${shown(file)}`),
      '',
    ].join('\n'),
  };
}

function removingAll(call: Call, what: string | undefined, name: string | undefined): Answer {
  const { project, print } = call.values;
  if (what !== 'remove' || name !== undefined || project === true || print === true)
    throw wrongUsage('--all goes with nothing but: belay agent remove --all');
  const env = environment();
  const home = belayHome(env);
  const done = home === undefined ? { removed: [], left: [] } : removeEverywhere(home, call.install, env);
  return { json: { ...done }, text: toldOf(done) || 'belay is in no agent\n', exit: done.left.length === 0 ? 0 : 1 };
}

/** `claude (/project)` as people know it. */
const titled = (removed: string): string => removed.replace(/^[a-z]+/, (name) => wiringOf(name)?.title ?? name);

/** What `removeEverywhere` did, in a line or two; nothing where there was nothing. */
export const toldOf = ({ removed, left }: ReturnType<typeof removeEverywhere>): string =>
  [
    ...(removed.length === 0 ? [] : [`Taken out of ${removed.map(titled).join(', ')}.\n`]),
    ...(left.length === 0 ? [] : [`Still naming belay: ${left.join(', ')}\n`]),
  ].join('');

/** What `belay agent install` has put in is taken out again, for the user and for projects; files that cannot be are named. */
export function removeEverywhere(
  home: Bytes,
  install: Bytes,
  env: ReadonlyMap<Bytes, Bytes>,
): { readonly removed: string[]; readonly left: string[] } {
  const user = homeFolder(env);
  const [removed, left]: [string[], string[]] = [[], []];
  for (const { agent: name, record } of installs(home)) {
    const wiring = wiringOf(name);
    const { project } = record;
    const scope = project === undefined ? {} : { project };
    const place: Place | undefined =
      user === undefined ? undefined : { home: user, env, belay: belayCommand(install), ...scope };
    const pieces = place === undefined ? undefined : wiring?.pieces(place);
    const files = record.files.map(({ file }) => toText(file));
    if (wiring === undefined || place === undefined || pieces === undefined) {
      left.push(...files);
      continue;
    }
    try {
      remove(home, wiring, place, editsToRemove(wiring, pieces, readRecord(home, wiring, place)));
      removed.push(project === undefined ? name : `${name} (${toText(project)})`);
    } catch (error) {
      log(home, `agent remove ${name}: ${describe(error)}`);
      left.push(...files); // as it is: uninstalling goes on, and says so
    }
  }
  return { removed, left };
}

function statusOf(call: Call, name: string | undefined): Answer {
  const asked = name === undefined ? wirings : wirings.filter((one) => one.name === name);
  if (asked.length === 0) throw wrongUsage(`there is no agent '${name}': ${NAMES}`);
  const found = asked.map((wiring) => {
    const { place, pieces } = openPlace(call, wiring, true);
    const here = place.project === undefined ? stateInProject(wiring, place, call.cwd) : 'not installed';
    return {
      agent: wiring.name,
      ...stateOf(wiring, place, pieces),
      ...(here === 'not installed' ? {} : { in_project: here }),
    };
  });
  const rows = found.map(({ agent: one, state, trusted, in_project: here }) => {
    const trust = trusted === false ? '  not trusted yet' : '';
    return `${one.padEnd(9)} ${state}${trust}${here === undefined ? '' : `  (for this project: ${here})`}`;
  });
  return { json: { agents: found }, text: `${rows.join('\n')}\n` };
}

/** Whether an agent is connected: `partly` where some of its events are missing. */
export function stateOf(
  wiring: Wiring,
  place: Place,
  pieces: readonly Piece[],
): { readonly state: 'installed' | 'partly' | 'not installed'; readonly trusted?: boolean } {
  const counts = pieces.filter(isHook).map((piece) => eventsInPlace(wiring, piece));
  const [have, of] = [counts.reduce((sum, one) => sum + one.have, 0), counts.reduce((sum, one) => sum + one.of, 0)];
  if (have === 0) return { state: 'not installed' };
  const trusted = wiring.trusts?.(place);
  return { state: have === of ? 'installed' : 'partly', ...(trusted === undefined ? {} : { trusted }) };
}

/** The same in the project that a folder is in, whatever there is for the user everywhere. */
export function stateInProject(
  wiring: Wiring,
  place: Place,
  cwd: Bytes | undefined,
): ReturnType<typeof stateOf>['state'] {
  const project = cwd === undefined ? undefined : (projectRoot(cwd, place.home) ?? cwd);
  const there = project === undefined ? undefined : { ...place, project };
  const pieces = there && wiring.pieces(there);
  return there === undefined || pieces === undefined ? 'not installed' : stateOf(wiring, there, pieces).state;
}

/** Not a slash command: without them belay saves all the same. */
const isHook = (piece: Piece): boolean => piece.kind !== 'own' || piece.file.endsWith('.js');

function openPlace(
  call: Call,
  wiring: Wiring,
  lenient = false,
): { readonly place: Place; readonly home: Bytes; readonly pieces: readonly Piece[] } {
  const env = environment();
  const [user, home] = [homeFolder(env), belayHome(env)];
  if (user === undefined || home === undefined) throw failed('no_home', 'HOME is not set: no agent can be found');
  const project = call.values['project'] === true ? projectOf(call, user) : undefined;
  const place: Place = {
    home: user,
    env,
    belay: belayCommand(call.install),
    ...(project === undefined ? {} : { project }),
  };
  const pieces = wiring.pieces(place);
  if (pieces === undefined && !lenient)
    throw refused(
      'no_such_scope',
      `${wiring.title} has no hooks of a project`,
      'Without --project it is for you everywhere.',
    );
  return { place, home, pieces: pieces ?? [] };
}

function projectOf(call: Call, user: Bytes): Bytes {
  if (call.cwd === undefined)
    throw failed('no_folder', 'the current folder was deleted', 'Name another one with -C DIR.');
  return projectRoot(call.cwd, user) ?? call.cwd;
}

/** As a word of a shell's line. */
export function belayCommand(root: Bytes): string {
  const path = toText(join(root, 'bin/belay'));
  return /^[\w/.:@%+-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

const documentOf = (call: Call, wiring: Wiring, edits: readonly Edit[]): Record<string, unknown> => ({
  agent: wiring.name,
  scope: call.values['project'] === true ? 'project' : 'user',
  files: edits.map(({ file, before, after }) => ({
    file: toText(file),
    change: before === after ? 'none' : before === undefined ? 'new' : after === undefined ? 'removed' : 'changed',
  })),
});

function printed(wiring: Wiring, edits: readonly Edit[], pieces: readonly Piece[]): Answer {
  const text = edits.map(({ file, after }) => `── ${shown(file)}\n${after ?? '(removed)\n'}`).join('\n');
  return {
    json: { agent: wiring.name, files: edits.map(({ file, after }) => ({ file: toText(file), text: after ?? null })) },
    text: pieces.length === 0 ? `${wiring.title}: nothing\n` : text,
  };
}
