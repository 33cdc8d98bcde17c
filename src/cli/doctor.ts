import { type Bytes, toText } from '../platform/bytes.ts';
import { environment, homeFolder } from '../platform/home.ts';
import { processesAbove } from '../platform/processes.ts';
import { settleAll } from '../saving/settle/settle.ts';
import { openWorld } from '../saving/world.ts';
import type { Command } from './command.ts';
import { checkAgents } from './doctor/agents.ts';
import type { Finding } from './doctor/finding.ts';
import { checkLog, checkPending } from './doctor/past.ts';
import type { Patient } from './doctor/patient.ts';
import { checkPrograms } from './doctor/programs.ts';
import { checkSearch } from './doctor/search.ts';
import { checkSettings } from './doctor/settings.ts';
import { checkShell } from './doctor/shell.ts';
import { checkStartUp, judge, newShells, newShellsText } from './doctor/start-up.ts';
import { checkFolders } from './doctor/store.ts';
import { forTerminal, wrapped } from './fold.ts';
import { parentName } from './own-shell.ts';
import { styleFor } from './style.ts';

/**
 * `belay doctor`: everything that can keep belay from saving, each with the line that mends it. Exit 0: all is well; 1:
 * something is wrong.
 */
export const doctor: Command = {
  summary: 'what keeps belay from saving, and the line that mends it',
  usage: ['belay doctor [--new-shells] [--json]'],
  help: `
Every shell that is installed is really started, as a terminal does and as ssh and tmux do (its start-up files run), and asked whether
it has loaded belay.

  --new-shells   only what new shells do`,
  words: 0,
  options: { 'new-shells': { type: 'boolean' } },
  async run({ install, values }) {
    const patient = patientOf(install);
    if (values['new-shells'] === true) {
      const shells = await newShells(patient);
      const found = shells.flatMap(judge);
      const ok = found.every(({ level }) => level !== 'wrong');
      return {
        json: { ok, findings: found },
        text: forTerminal(newShellsText(shells), process.stdout),
        exit: ok ? 0 : 1,
      };
    }
    const found = await examine(patient);
    const ok = found.every(({ level }) => level !== 'wrong');
    return { json: { ok, findings: found }, text: asText(found, ok), exit: ok ? 0 : 1 };
  },
};

const patientOf = (install: Bytes): Patient => ({
  env: environment(),
  install,
  atTerminal: Boolean(process.stdin.isTTY),
  parent: parentName(),
  ancestors: processesAbove(),
});

async function examine(patient: Patient): Promise<readonly Finding[]> {
  const world = await openWorld();
  const found: Finding[] = [...checkPrograms(patient), ...(await checkStartUp(patient)), ...checkShell(patient)];
  found.push(...checkFolders(patient, world.home), ...(await checkSearch()));
  found.push(...(await checkSettings(patient)), ...checkAgents(patient));
  if (world.home !== undefined) {
    if (!found.some(({ check, level }) => check === 'store' && level === 'wrong'))
      await settleAll(world, { wait: 2000 });
    if (world.foreign === undefined) found.push(...checkPending(world.home), ...checkLog(world.home, Date.now()));
  }
  return found;
}

/** A person knows the home folder as ~. */
function atHome(text: string): string {
  const home = homeFolder(environment());
  return home === undefined || home === '/' ? text : text.replaceAll(`${toText(home)}/`, '~/');
}

function asText(found: readonly Finding[], ok: boolean): string {
  const pc = styleFor(process.stdout);
  const width = Math.max(...found.map(({ check }) => check.length));
  const marks = { fine: pc.green('ok  '), note: pc.yellow('note'), wrong: pc.red('BAD ') };
  const { isTTY, columns } = process.stdout;
  const room = isTTY ? Math.max(40, (columns || 80) - width - 7) : Number.POSITIVE_INFINITY;
  const lines = found.map((finding) => {
    const text = wrapped(isTTY ? atHome(finding.text) : finding.text, room).replaceAll(
      '\n',
      `\n${' '.repeat(width + 7)}`,
    );
    const mend = 'mend' in finding && finding.mend !== undefined ? `\n${' '.repeat(width + 7)}→ ${finding.mend}` : '';
    return `${marks[finding.level]} ${finding.check.padEnd(width)}  ${text}${mend}\n`;
  });
  const bad = found.filter(({ level }) => level === 'wrong').length;
  const notes = found.filter(({ level }) => level === 'note').length;
  const verdict = ok
    ? pc.green(
        notes === 0
          ? 'All is well.'
          : `Nothing is wrong; the ${notes === 1 ? 'note' : 'notes'} above may matter to you.`,
      )
    : pc.red(bad === 1 ? 'One thing is wrong.' : `${bad} things are wrong.`);
  return `${lines.join('')}${verdict}\n`;
}
