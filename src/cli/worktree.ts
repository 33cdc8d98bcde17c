import { toText } from '../platform/bytes.ts';
import { type Command, wrongUsage } from './command.ts';
import { add } from './worktrees/add.ts';
import { list } from './worktrees/list.ts';
import { prune } from './worktrees/prune.ts';
import { recordHere } from './worktrees/record.ts';
import { remove } from './worktrees/remove.ts';
import { restore } from './worktrees/restore.ts';

/** `belay worktree`: worktrees of this repository, and what may become of each. */
export const worktree: Command = {
  summary: 'worktrees: list, add, remove, prune, restore',
  usage: [
    'belay worktree [list]',
    'belay worktree add [NAME] [--start REF]',
    'belay worktree remove NAME [--forget]',
    'belay worktree prune [--dry-run] [--max-age-hours H] [--yes]',
    'belay worktree restore [ID]',
  ],
  help: `
  list      every worktree with its size, branch, and verdict: keep, archive or remove, with the reason
  add       a new worktree under worktrees.dir with the branch PREFIX/NAME; copies the ignored files that worktrees.copy names, and
            prepares its environment where installs.setup says how
  remove    removes one if its verdict allows it, whatever its age
    --forget  and all its checkpoints, for good (asks)
  prune     removes all whose verdict allows it, and that were left alone for so long (asks)
    --max-age-hours H  how old one has to be (worktrees.max_age_hours)
  restore   brings an archived one back; without ID: the archives

Uncommitted changes, unpushed commits, and trees in use are never touched. A checkpoint is taken first; untracked and ignored files are
archived, but for folders that can be made again (checkpoints.hold.skip). The verdict is made again at the moment of removal.`,
  options: {
    start: { type: 'string' },
    forget: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    'max-age-hours': { type: 'string' },
  },
  words: 2,
  run: (call) => {
    const [what = 'list', name] = call.words;
    if (name !== undefined && !['add', 'remove', 'restore'].includes(what))
      throw wrongUsage(`'${toText(name)}' is one word too many`);
    switch (what) {
      case 'list':
        return list(call);
      case 'add':
        return add(call, name);
      case 'remove':
        if (name === undefined) throw wrongUsage('which worktree? belay worktree remove NAME');
        return remove(call, name);
      case 'prune':
        return prune(call);
      case 'restore':
        return restore(name);
      case 'record':
        return recordHere(call);
      default:
        throw wrongUsage(`'${toText(what)}' is none of list, add, remove, prune, restore`);
    }
  },
};
