import { type Command, failed } from './command.ts';

export const diff: Command = {
  summary: 'what differs now from before a checkpoint',
  usage: ['belay diff [N]'],
  run: () => {
    throw failed('not_yet', 'not built yet');
  },
};
