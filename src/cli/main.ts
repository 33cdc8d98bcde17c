import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Bytes, toBuffer, toText } from '../platform/bytes.ts';
import { isCompiled } from '../platform/compiled.ts';
import { codeOf } from '../platform/files.ts';
import { environment } from '../platform/home.ts';
import { isProfileName } from '../platform/profile.ts';
import { givenWords } from './arguments.ts';
import { type Answer, type Command, Failure, wrongUsage } from './command.ts';
import { commands } from './commands.ts';
import { asFailure, failureDocument } from './failure.ts';
import { forTerminal, usageOf } from './fold.ts';
import { helpOf, manualLine, overview } from './help.ts';
import { didYouMean } from './nearest.ts';
import { refuseNewer } from './newer.ts';
import { beforeDashes, installFolder, nameAt, readCall } from './read-call.ts';

/** `belay COMMAND …`: tells the answer, or why there is none. Returns the exit status. */
export async function main(words: readonly Bytes[]): Promise<number> {
  const options = beforeDashes(words);
  const json = options.includes('--json');
  const quiet = options.includes('--quiet') || options.includes('-q');
  try {
    const answer = await answerTo(words);
    return typeof answer === 'number' ? answer : await tell(answer, json, quiet);
  } catch (error) {
    return await tellFailure(error, json, words[nameAt(words)] ?? '');
  }
}

/** Finds the command, reads its options, runs it. */
export async function answerTo(words: readonly Bytes[]): Promise<Answer | number> {
  const profile = environment().get('BELAY_PROFILE') ?? '';
  if (profile !== '' && !isProfileName(profile))
    throw wrongUsage(`BELAY_PROFILE: '${toText(profile)}' is no name of a profile`, '`belay profile` lists them.');
  const at = nameAt(words);
  const name = words[at] ?? '';
  const before = words.slice(0, at);
  if (name === '' && words.some((word) => word === '--version' || word === '-V'))
    return said({ version: VERSION }, `${VERSION}\n`);
  if (name === '') {
    const wrong = words.find((word) => !['-h', '--help', '--json'].includes(word));
    if (wrong !== undefined) throw wrongUsage(`'${toText(wrong)}' is no option of belay itself`, OVERALL);
    return said({ commands: Object.keys(commands) }, overview(manualLine(installFolder(), environment())));
  }
  if (name === 'help') return help(words.slice(at + 1));
  const command = await commandOf(name);
  try {
    const call = readCall(command, [...before, ...words.slice(at + 1)]);
    if (call === 'help') return said({ usage: command.usage }, helpOf(name, command));
    refuseNewer(name);
    const answer = await command.run(call);
    if (command.writes) await (await import('./look-after.ts')).lookAfter(call.install);
    return answer;
  } catch (error) {
    throw withUsage(error, command);
  }
}

const OVERALL = 'belay COMMAND [OPTIONS]';

async function commandOf(name: Bytes): Promise<Command> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry !== undefined) return entry.load();
  const meant = didYouMean(toText(name), Object.keys(commands));
  throw wrongUsage(`there is no command '${toText(name)}'${meant || '; `belay --help` lists them'}`, OVERALL);
}

/** `belay help`, `belay help COMMAND`. */
async function help(words: readonly Bytes[]): Promise<Answer> {
  const name = words.find((word) => !word.startsWith('-'));
  if (name === undefined)
    return said({ commands: Object.keys(commands) }, overview(manualLine(installFolder(), environment())));
  const command = await commandOf(name);
  return said({ usage: command.usage }, helpOf(name, command));
}

/** Wrong usage is always told with the usage. */
function withUsage(error: unknown, command: Command): unknown {
  if (!(error instanceof Failure) || error.exit !== 2 || error.hint !== undefined) return error;
  return new Failure(2, error.code, error.message, usageOf(command.usage).slice('usage: '.length), error.more);
}

export const VERSION = '0.1.0';

const said = (json: unknown, text: string): Answer => ({ json, text });

async function tell(answer: Answer, json: boolean, quiet: boolean): Promise<number> {
  if (json) process.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`);
  else if (!quiet || (answer.exit ?? 0) !== 0) {
    if (answer.note) process.stderr.write(`${forTerminal(answer.note, process.stderr)}\n`);
    if (answer.page && process.stdout.isTTY) await (await import('./page.ts')).page(answer.text);
    else process.stdout.write(answer.bytes === undefined ? answer.text : toBuffer(answer.bytes));
  }
  return answer.exit ?? 0;
}

/** What happened; what was not changed, and what to do next. */
async function tellFailure(error: unknown, json: boolean, name: Bytes): Promise<number> {
  const failure = asFailure(error);
  if (json) {
    process.stdout.write(`${JSON.stringify(await failureDocument(failure), null, 2)}\n`);
  } else {
    const said = (text: string): unknown => process.stderr.write(`${forTerminal(text, process.stderr)}\n`);
    said(`belay${name === '' ? '' : ` ${toText(name)}`}: ${failure.message}`);
    const { exit, code, message, hint } = failure;
    const { followUp } = await import('./follow-up.ts');
    if (exit !== 2) said(followUp(code, message, hint));
    else if (hint !== undefined) process.stderr.write(`usage: ${hint}\n`);
  }
  return failure.exit;
}

/** Answers the words that this process was started with. */
export function start(): void {
  // A reader that closes the pipe early (`belay list | head`) is no error.
  process.stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') process.exit(0);
    const why = `the answer cannot be written (${codeOf(error) || error.message})`;
    void tellFailure(new Failure(1, 'not_told', why), false, '').then((status) => process.exit(status));
  });
  void main(givenWords()).then((status) => {
    process.exitCode = status;
  });
}

/** Started as a program, not imported: the bundle is by `dist/belay.cjs` (src/platform/start.ts). */
function isProgram(): boolean {
  if (isCompiled() || process.argv[1] === undefined) return false;
  const own = fs.realpathSync(fileURLToPath(import.meta.url));
  return fs.realpathSync(process.argv[1]) === own.replace(/\.bundle\.cjs$/, '.cjs');
}

if (isProgram()) start();
