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
    const hint =
      error.code === 'store_broken' ? '`belay checkpoints verify --repair` mends what can be mended.' : undefined;
    return new Failure(['store_not_ours', 'busy'].includes(error.code) ? 3 : 1, error.code, error.message, hint);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (codeOf(error) === 'ENOSPC') return new Failure(1, 'disk_full', message, 'Make room and run it again.');
  return new Failure(1, 'failed', message);
}
