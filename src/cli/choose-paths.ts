import type { Goal } from '../checkpoint/plan/goals.ts';
import { BadPathspec, type Selected, type SelectRequest, select } from '../checkpoint/plan/pathspec.ts';
import { wrongUsage } from './command.ts';

/** The goals that pathspecs choose; all of them where there is none. */
export function chooseGoals(
  request: Omit<SelectRequest, 'paths' | 'folders'>,
  goals: readonly Goal[],
): readonly Goal[] {
  if (request.specs.length === 0) return goals;
  const folders = new Set(goals.filter(({ version }) => version.kind === 'folder').map(({ path }) => path));
  const found = selected({ ...request, paths: goals.map(({ path }) => path), folders });
  return goals.filter(({ path }) => found.paths.has(path));
}

/** What pathspecs choose; one that is none is wrong usage. */
export function selected(request: SelectRequest): Selected {
  if (request.specs.includes('')) throw wrongUsage('an empty PATHSPEC names nothing; `.` is the current folder');
  try {
    return select(request);
  } catch (error) {
    throw error instanceof BadPathspec ? wrongUsage(error.message) : error;
  }
}
