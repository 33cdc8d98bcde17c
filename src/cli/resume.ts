import { createInterface } from 'node:readline/promises';
import { type Bytes, fromText, toText } from '../platform/bytes.ts';
import { loadConfig } from '../platform/config.ts';
import { goOnIn } from '../sessions/compact.ts';
import { keptIn, restoredFrom } from '../sessions/environment/kept.ts';
import { newest } from '../sessions/find.ts';
import { takeHandoff } from '../sessions/handoff.ts';
import { noteResumed, resumePoint } from '../sessions/resume.ts';
import { type Answer, type Call, type Command, failed, notThere, wrongUsage } from './command.ts';
import { type Asked, askedBy, rowsOf, sessionOf, textOf } from './sessions/asked.ts';
import { nameOf } from './sessions/list.ts';
import { ago, count } from './style.ts';

/**
 * `belay resume [NAME]`: this shell goes on in an earlier session. The shell's own function asks for what to do (`--for SHELL`);
 * shims/run.bash asks for where to go on (`--point`).
 */
export const resume: Command = {
  summary: 'go on in an earlier session, in this shell',
  usage: ['belay resume [NAME]'],
  help: `
NAME is an id, the beginning of one, a title or a part of one, or last. Without it: a list to choose from. The shell has that session's id,
turns and folder from then on. \`belay run --continue [NAME] -- CMD\` runs a program in one.`,
  words: 1,
  options: {
    for: { type: 'string' },
    point: { type: 'boolean' },
    environment: { type: 'boolean' },
    source: { type: 'string' },
    pid: { type: 'string' },
    handed: { type: 'boolean' },
  },
  run: async (call) => {
    const asked = askedBy(call, call.words);
    const shell = textOf(call, 'for');
    const isPoint = call.values['point'] === true;
    if (shell === undefined && !isPoint)
      throw failed(
        'not_loaded',
        'this shell has not loaded belay, so it cannot be resumed in',
        'belay run --continue NAME',
      );
    const source = textOf(call, 'source') ?? 'cli';
    if (call.values['environment'] === true && shell !== undefined)
      return printed(settings(shell, await goesWith(asked, asked.words[0] ?? '')));
    const session = await wanted(asked, call, source, isPoint);
    const point = resumePoint(asked.home, session);
    const isHanded = call.values['handed'] === true;
    noteResumed(asked.home, session, source, pidOf(call), isPoint && !isHanded);
    // Whom it is handed to is somewhere else: the variables are not his.
    const carried = isHanded ? new Map<Bytes, Bytes>() : await goesWith(asked, session, true);
    const cwd = point.cwd ?? '';
    const json = { ...point, cwd: toText(cwd), environment: [...carried.keys()].map(toText) };
    if (shell === undefined) {
      const entries = [...carried].map(([name, value]) => `${name}=${value}`);
      const fields = [fromText(session), String(point.turn), cwd, ...entries];
      return printed(fields.map((field) => `${field}\0`).join(''), json);
    }
    const there = cwd === '' ? '' : `cd ${shell === 'fish' ? '' : '-- '}${word(shell, cwd)}\n`;
    const adopted = `__belay_adopt ${word(shell, fromText(session))} ${point.turn}\n`;
    return printed(`${adopted}${there}${settings(shell, carried)}`, json);
  },
};

const printed = (bytes: Bytes, json = {}): Answer => ({ json, text: toText(bytes), bytes });

/** The variables with which somebody goes on in the session; a person hears how many. */
async function goesWith(asked: Asked, session: string, isTold = false): Promise<ReadonlyMap<Bytes, Bytes>> {
  const { config } = await loadConfig(asked.env);
  const kept = config.sessions.environment ? keptIn(asked.home, session) : undefined;
  if (kept === undefined) return new Map();
  const set = restoredFrom(kept, asked.env);
  if (isTold && process.stderr.isTTY && set.size + kept.leftOut > 0)
    process.stderr.write(`belay: ${told(set.size, kept.leftOut)}\n`);
  return set;
}

const told = (set: number, leftOut: number): string =>
  `${count(set, 'variable')} of the session set again` +
  (leftOut === 0 ? '' : `; ${leftOut} not kept, for ${leftOut === 1 ? 'it' : 'they'} may be secret or too long`);

/** The shell evaluates this: nothing of a record, which may come from elsewhere, may be more than a word in it. */
const word = (shell: string, text: Bytes): Bytes =>
  shell === 'fish' ? `'${text.replace(/[\\']/g, '\\$&')}'` : `'${text.replaceAll("'", "'\\''")}'`;

/** One that this shell refuses (it is read-only there, or a number) keeps the others from nothing. */
const setting = (shell: string, name: Bytes, value: Bytes): Bytes => {
  if (shell === 'fish') return `set -gx ${name} ${word(shell, value)}\n`;
  const set = `export ${name}=${word(shell, value)}`;
  return shell === 'zsh' ? `{ ${set} } always { TRY_BLOCK_ERROR=0 } 2>/dev/null || :\n` : `${set} || \\builtin :\n`;
};

const settings = (shell: string, set: ReadonlyMap<Bytes, Bytes>): Bytes =>
  [...set].map(([name, value]) => setting(shell, name, value)).join('');

async function wanted(asked: Asked, call: Call, source: string, isPoint: boolean): Promise<string> {
  if (call.values['handed'] === true) {
    const handed = takeHandoff(asked.home, source);
    if (handed === undefined) throw notThere('no_session', `no session was handed to ${source}`);
    return handed;
  }
  const { config } = await loadConfig(asked.env);
  return goOnIn({ home: asked.home, config }, await named(asked, isPoint));
}

async function named(asked: Asked, isPoint: boolean): Promise<string> {
  const [name] = asked.words;
  if (name !== undefined && name !== '') return sessionOf(asked, name);
  if (isPoint || !process.stdin.isTTY || !process.stderr.isTTY) {
    const last = newest(asked.home, ({ turns }) => turns.length > 0);
    if (last === undefined) throw notThere('no_session', 'no session was recorded yet');
    return last;
  }
  return chosen(asked);
}

/** On standard error: the shell takes what is printed. */
async function chosen(asked: Asked): Promise<string> {
  const { rows, note } = await rowsOf(asked, { limit: 15 });
  if (note !== undefined) process.stderr.write(`${note}\n`);
  if (rows.length === 0) throw notThere('no_session', 'no session was recorded yet');
  for (const [i, row] of rows.entries())
    process.stderr.write(`${String(i + 1).padStart(3)}  ${ago(row.last, Date.now()).padEnd(10)} ${nameOf(row)}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question('Which one? [1] ')).trim() || '1';
    const row = rows[Number(answer) - 1];
    if (row === undefined) throw wrongUsage(`'${answer}' is none of them`);
    return row.session;
  } finally {
    lines.close();
  }
}

/** The shell, by what its function says of it. */
function pidOf(call: Call): number | undefined {
  const pid = Number(textOf(call, 'pid') ?? process.env['BELAY_LOADED']?.split(':')[1]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}
