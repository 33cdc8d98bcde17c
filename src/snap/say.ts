import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { log } from '../platform/log.ts';
import { namedLeftOut, type Outcome } from '../saving/begin.ts';
import type { World } from '../saving/world.ts';
import type { Request } from './request.ts';

/** Links to more than this are worth a word; to more than that where less than so much of the disk is free. */
const MUCH = 1 << 30;
const SOME = 10 << 20;
const LITTLE_PERCENT = 20;

/** Programs that are run so that nothing stays. */
const SHREDS = /(?:^|[\s;&|(/])(?:shred|srm|wipe)\s/;

/**
 * What the line would destroy and belay could not save is said before it runs: on the terminal at a prompt, else in the log
 * (never on the command's own streams). The answer is belay-snap's exit status: 3 cancels the line.
 */
export function sayUnsaved(outcome: Outcome, request: Request, world: World): number {
  if (outcome.kind !== 'saved') return 0;
  const lines: string[] = [];
  if (outcome.leftOut.length > 0) lines.push(`belay: not saved: ${namedLeftOut(outcome.leftOut)}`);
  const note = spaceNote(outcome.linkedBytes, outcome.freePercent ?? 100);
  if (note !== undefined) lines.push(note);
  if (SHREDS.test(request.line.text))
    lines.push('belay: a copy of what this line erases is held; `belay forget PATH` erases that, too');
  for (const line of lines) {
    log(world.home, line, 'warn');
    if (request.interactive) say(`${line}\n`);
  }
  return outcome.leftOut.length === 0 ? 0 : answerUnsaved(world, request);
}

/** That a deleted file's space is not free yet matters where it is much, or where there is little. */
function spaceNote(linked: number, freePercent: number): string | undefined {
  const isLittle = freePercent < LITTLE_PERCENT;
  if (linked <= MUCH && !(isLittle && linked >= SOME)) return undefined;
  const size = linked > MUCH ? `${(linked / 2 ** 30).toFixed(1)} GB` : `${Math.round(linked / 2 ** 20)} MB`;
  const free = isLittle ? ` (${Math.floor(freePercent)} % of the disk is free)` : '';
  return `belay: ${size} stay taken until the checkpoint goes${free}; \`belay free\` gives them back`;
}

/** On standard error, past `process.stderr`, which takes longer to make than the line takes to be saved. */
export function say(text: string): void {
  try {
    fs.writeSync(2, text);
  } catch {
    // a closed or full terminal: the log has it
  }
}

/** What `on_unsaved` makes of a line that is not wholly saved. */
export function answerUnsaved(world: World, request: Request | undefined): number {
  const rule = world.config.checkpoints.on_unsaved;
  if (rule !== 'warn' && request?.interactive && request.identity.shell === 'fish') {
    say('belay: fish lets nobody cancel a line: it runs all the same\n');
    return 0;
  }
  if (rule === 'refuse') return 3;
  if (rule !== 'ask' || !request?.interactive) return 0;
  return ask(request.tty ?? '/dev/tty', 'belay: run it all the same? [y/N] ') ? 0 : 3;
}

/** On the terminal itself, whatever the descriptors are. Without one the answer is yes: nobody is there to be warned. */
function ask(tty: Bytes, question: string): boolean {
  try {
    const fd = fs.openSync(toBuffer(tty), 'r+');
    try {
      fs.writeSync(fd, question);
      const answer = Buffer.alloc(256);
      const size = fs.readSync(fd, answer, 0, answer.length, null);
      return /^\s*y(es)?\s*$/i.test(answer.toString('utf8', 0, size));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return true;
  }
}
