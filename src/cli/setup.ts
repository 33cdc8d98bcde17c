import { join } from 'node:path';
import { toText } from '../platform/bytes.ts';
import { type Command, failed } from './command.ts';

/**
 * `belay setup`: what install.sh does at its end, for a belay that npm or an archive has put somewhere: the line in the start-up files,
 * and what new shells then say. `belay uninstall` takes it out again.
 */
export const setup: Command = {
  summary: 'put the line that loads belay into the start-up files of your shells',
  usage: ['belay setup [--disabled] [--demo]'],
  help: `After \`npm install -g\`: the files stay where npm has put them, bash, zsh and fish get one marked line. Any number of times.

  --disabled  with \`enabled: false\`: nothing is saved until that is changed
  --demo      shows the main job afterwards, at a real prompt`,
  words: 0,
  options: { disabled: { type: 'boolean' }, demo: { type: 'boolean' } },
  async run({ install, values, json }) {
    const script = join(toText(install), 'install.sh');
    const words = [
      ...(values['disabled'] === true ? ['--disabled'] : []),
      ...(values['demo'] === true ? [] : ['--no-demo']),
    ];
    const { execa } = await import('execa');
    const done = await execa('sh', [script, '--setup', ...words], {
      stdin: 'ignore',
      reject: false,
      stripFinalNewline: false,
      ...(json ? {} : { stdout: 'inherit', stderr: 'inherit' }),
    });
    if (done.failed)
      throw failed('setup_not_done', 'the start-up files could not be set up', 'install.sh has said why.');
    return { json: { set_up: true, said: done.stdout }, text: '' };
  },
};
