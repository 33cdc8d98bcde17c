import { join } from 'node:path';
import { toText } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { removeEverywhere, toldOf } from './agent.ts';
import { ask } from './ask.ts';
import { type Command, failed, refused } from './command.ts';
import { purge, whyNotPurged } from './purge.ts';

/**
 * `belay uninstall`: what install.sh put in is taken out again by the same script. What was saved stays, unless `--purge`
 * says otherwise and that is answered with yes.
 */
export const uninstall: Command = {
  summary: 'take the files and the start-up lines out again',
  usage: ['belay uninstall [--purge] [--yes] [--json]'],
  help: `--purge also deletes everything that was saved, after asking: in belay's own folder only what belay made, its held files on
other file systems (.belay-UID in mount points and above projects; elsewhere a volume that is not mounted keeps its own), its markers.
Your settings (config.yaml) stay either way.`,
  words: 0,
  options: { purge: { type: 'boolean' } },
  async run({ yes, values, install }) {
    const env = environment();
    const home = belayHome(env);
    const wanted = values['purge'] === true && home !== undefined && lookAt(home) !== undefined;
    const why = wanted ? whyNotPurged(home) : undefined;
    if (why !== undefined)
      throw refused(
        'not_ours',
        `${toText(home ?? '')} is not deleted: ${why}`,
        'Uninstall without --purge, or set BELAY_HOME.',
      );
    if (wanted && !yes && !(await ask(`Delete everything that was saved in ${toText(home)}?`)))
      throw refused('not_confirmed', 'nothing was changed: --purge wants a yes (or --yes)');
    const agents = home === undefined ? { removed: [], left: [] } : removeEverywhere(home, install, env);
    const script = join(toText(install), 'install.sh');
    const { execa } = await import('execa');
    const done = await execa('sh', [script, '--uninstall'], {
      env: wanted ? { BELAY_PURGE: '1' } : {},
      stdin: 'ignore',
      reject: false,
      stripFinalNewline: false,
    });
    if (done.failed) throw failed('failed', done.stderr?.trim() || (done.shortMessage ?? ''));
    const left = wanted ? purge(home, env).left.map(toText) : [];
    const said =
      left.length === 0 ? 'is deleted' : `: what belay kept is deleted; not its own, and left: ${left.join(', ')}`;
    const text = `${toldOf(agents)}${done.stdout}${wanted ? `${toText(home)} ${said}.\n` : ''}`.replace(' :', ':');
    return {
      json: { uninstalled: true, purged: wanted, agents, ...(home === undefined ? {} : { base: toText(home) }), left },
      text,
    };
  },
};
