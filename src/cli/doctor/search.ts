import { whyNoSqlite } from '../../sessions/index/open.ts';
import { REASONS } from '../sessions/asked.ts';
import { type Finding, note } from './finding.ts';

/** SQLite is an optional package, compiled for this node: all that is saved and recorded does without. */
export async function checkSearch(look = whyNoSqlite): Promise<readonly Finding[]> {
  const why = await look();
  if (why === undefined) return [];
  const { why: reason, wayOut } = REASONS[why];
  return [note('search', `${reason}: sessions search and sessions stats do not work; all else does`, wayOut)];
}
