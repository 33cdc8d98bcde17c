import { collect } from '../checkpoint/collect.ts';
import { forget as forgetPaths, recordedPaths, stillThere } from '../checkpoint/forget.ts';
import { projectKey } from '../checkpoint/projects.ts';
import { openStore } from '../checkpoint/store.ts';
import { toText } from '../platform/bytes.ts';
import { basesOf } from '../saving/place.ts';
import { pendingTurns } from '../turns/pending.ts';
import { confirm } from './ask.ts';
import { locked, unmarked } from './checkpoints/locked.ts';
import { selected } from './choose-paths.ts';
import { type Command, notThere, wrongUsage } from './command.ts';
import { openContext } from './context.ts';
import { fromRoot, shown } from './paths.ts';
import { count } from './style.ts';

const SHOWN = 10;

/** `belay forget PATHSPEC…`: a path leaves every checkpoint and capture, and it is proved that its contents left the store. */
export const forget: Command = {
  summary: 'erase a path from every checkpoint',
  usage: ['belay forget PATHSPEC… [--yes]'],
  help: `
Every checkpoint of any project and every capture of this one is written anew without the path; its held files and its contents
are deleted, and it is looked whether they are gone. A content stays where another file had the same bytes: that file is named.
Nothing of the path can be undone afterwards; its name stays in
command lines, and where it says what is missing. What is there now is captured again, unless \`checkpoints.exclude\` names it.`,
  run: async (call) => {
    if (call.words.length === 0) throw wrongUsage('which path? belay forget PATHSPEC…');
    const context = await openContext(call);
    const none = notThere('no_path', 'no checkpoint and no capture knows such a path');
    if (context.store === undefined) throw none;
    const store = openStore(context.home);
    const { root } = context;
    const key = projectKey(store, root);
    const known = recordedPaths(store, root, key);
    const chosen = selected({
      store,
      root,
      cwd: context.cwd,
      paths: [...known.keys()],
      folders: new Set([...known].filter(([, folder]) => folder).map(([path]) => path)),
      specs: call.words,
      literal: false,
    }).paths;
    if (chosen.size === 0) throw none;
    const names = [...chosen].sort().map((path) => shown(fromRoot(root, path)));
    const list = [...names.slice(0, SHOWN), ...(names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : [])];
    await confirm(
      call,
      `Erase ${count(names.length, 'path')} from every checkpoint, for good?\n  ${list.join('\n  ')}\n`,
    );
    const done = locked(store, () => {
      const forgotten = unmarked(context.world, () => forgetPaths(store, key, root, chosen));
      collect(store);
      return { ...forgotten, left: stillThere(store, forgotten.oids) };
    });
    const shared = [...done.left].flatMap(([, path]) => (path === undefined ? [] : [path]));
    const unproved = done.left.size - shared.length;
    const running = basesOf(context.home).flatMap((base) => pendingTurns(base)).length;
    return {
      exit: unproved === 0 ? 0 : 1,
      json: {
        forgotten: names,
        checkpoints: done.checkpoints,
        captures: done.captures,
        gone: unproved === 0,
        same_bytes_elsewhere: shared.map(toText),
        ...(running > 0 ? { turns_running: running } : {}),
      },
      text: `${[
        `${count(names.length, 'path')} erased from ${count(done.checkpoints, 'checkpoint')} and ${count(done.captures, 'capture')}`,
        unproved > 0
          ? `${count(unproved, 'content')} may still be in the store: somebody was writing there. Run this again.`
          : done.left.size === 0
            ? 'the store has none of the contents any more'
            : `the store has the same bytes as ${[...new Set(shared)].slice(0, SHOWN).map(shown).join(', ')}; everything else is gone`,
        ...(running > 0 ? [`${count(running, 'turn')} not settled yet may hold it: run this again when they are`] : []),
      ].join('\n')}\n`,
    };
  },
};
