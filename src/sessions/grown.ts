import type { Bytes } from '../platform/bytes.ts';
import { lookAt } from '../platform/files.ts';
import type { World } from '../saving/world.ts';
import { journalFile } from '../turns/journal.ts';

/** A token is about four characters of what stands in a record. */
export const CHARACTERS = 4;

/** Whether a session's record has passed `compression.threshold` of `compression.context_tokens`. */
export function isGrown({ home, config }: Pick<World, 'config'> & { readonly home: Bytes }, session: string): boolean {
  const { enabled, threshold, context_tokens } = config.compression;
  const size = lookAt(journalFile(home, session))?.size ?? 0;
  return enabled && size / CHARACTERS > threshold * context_tokens;
}
