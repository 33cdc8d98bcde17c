import { StoreError } from '../checkpoint/store.ts';
import { codeOf } from '../platform/files.ts';
import { belayHome, environment } from '../platform/home.ts';
import { describe, log } from '../platform/log.ts';
import { Failure } from './command.ts';

/** Whatever was thrown, as people are told of it; what no command foresaw goes to the log as well. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  log(belayHome(environment()), describe(error));
  if (error instanceof StoreError) {
    return new Failure(
      ['store_not_ours', 'store_newer', 'busy'].includes(error.code) ? 3 : 1,
      error.code,
      error.message,
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  if (codeOf(error) === 'ENOSPC') return new Failure(1, 'disk_full', message);
  return new Failure(1, 'failed', message);
}

/** What `--json` prints of it: what happened, what was not changed, what to do next. */
export async function failureDocument({ code, message, hint, more }: Failure): Promise<{ readonly error: object }> {
  const { MESSAGES } = await import('./messages.ts');
  const { unchanged, next } = MESSAGES[code] ?? {};
  return { error: { code, message, unchanged, hint: hint ?? next, ...more } };
}
