import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { toBuffer, toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { ask } from './ask.ts';
import { type Command, failed, refused } from './command.ts';

/**
 * `belay uninstall`: what install.sh put in is taken out again by the same script. What was saved stays, unless `--purge`
 * says otherwise and that is answered with yes.
 */
export const uninstall: Command = {
  summary: 'take the files and the start-up lines out again',
  usage: ['belay uninstall [--purge] [--yes] [--json]'],
  help: '--purge also deletes everything that was saved, after asking.',
  words: 0,
  options: { purge: { type: 'boolean' } },
  async run({ yes, values, install }) {
    const home = belayHome(environment());
    const purge = values['purge'] === true && home !== undefined && lookAt(home) !== undefined;
    if (purge && !yes && !(await ask(`Delete everything that was saved in ${toText(home)}?`)))
      throw refused('not_confirmed', 'nothing was changed: --purge wants a yes (or --yes)');
    const script = join(toText(install), 'install.sh');
    const done = spawnSync('sh', [script, '--uninstall'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (done.status !== 0) throw failed('failed', (done.error?.message ?? done.stderr).trim());
    if (purge) fs.rmSync(toBuffer(home), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    const text = `${done.stdout}${purge ? `${toText(home)} is deleted.\n` : ''}`;
    return { json: { uninstalled: true, purged: purge, ...(home === undefined ? {} : { base: toText(home) }) }, text };
  },
};
