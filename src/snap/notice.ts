import { lookAt, removeFile } from '../platform/files.ts';
import { leaveNotice } from '../platform/log.ts';
import { join } from '../platform/paths.ts';
import type { Outcome } from '../saving/begin.ts';
import { runtimeOf, type World } from '../saving/world.ts';
import { sessionFolder } from '../turns/markers.ts';
import type { Request } from './request.ts';

/**
 * The line that the next prompt shows after something was saved (`notice`). The installer leaves a mark where it has put belay into a
 * person's start-up files: `first` is the first line after that.
 */
export function noteSaved({ files }: Extract<Outcome, { kind: 'saved' }>, { identity }: Request, world: World): void {
  const runtime = runtimeOf(world, true);
  if (runtime === undefined || world.home === undefined) return;
  if (world.config.notice === 'first') {
    const due = join(world.home, 'introduce');
    if (lookAt(due) === undefined) return;
    removeFile(due);
  }
  const what = files === 1 ? '1 file' : `${files} files`;
  leaveNotice(sessionFolder(runtime, identity.session), `belay saved ${what}; undo with \`belay undo\``);
}
