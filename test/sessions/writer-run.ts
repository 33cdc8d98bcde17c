import { appendEvents } from '../../src/turns/journal.ts';

/** One of several writers of a journal: HOME SESSION NAME. Says the number of each event once it is written. */
const [home = '', session = '', name = ''] = process.argv.slice(2);
for (let i = 0; i < 250; i++) {
  appendEvents(home, session, [{ e: 'command', t: 1, turn: name, line: `${name}-${i}`, cwd: '/' }]);
  process.stdout.write(`${i}\n`);
}
