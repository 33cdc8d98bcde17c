import fs from 'node:fs';
import { codeOf } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { recordedOwner, SET_ID } from '../owner.ts';
import type { Step } from '../plan/steps.ts';
import type { Owner } from '../record.ts';
import { setMode } from './content.ts';
import type { Work } from './work.ts';

/**
 * Owner, then mode: chown(2) takes setuid away. A setuid or setgid bit is a right of whoever owns the file, so it is set only with the
 * owner that the record names; without it root's own file would become a program that makes everybody root. `fd`: the entry, where
 * it is open.
 */
export function giveOwnerAndMode(work: Work, at: Buffer, step: Step, mode: number, fd?: number): void {
  const owner = giveOwner(work, at, step);
  const set = (wanted: number): void => (fd === undefined ? setMode(at, wanted) : fs.fchmodSync(fd, wanted));
  if ((mode & SET_ID) === 0 || (owner === 'given' && recordedOwner(step.becomes))) {
    set(mode);
    return;
  }
  set(mode & ~SET_ID);
  const why = owner === 'given' ? 'whose it was is not known' : 'its owner could not be given back';
  work.kept.push({ path: step.path, why: 'failed', reason: `not setuid or setgid again: ${why}` });
}

/** The recorded owner, where it is not the entry's already; what cannot be given is said. */
export function giveOwner(work: Work, at: Buffer, step: Step): 'given' | 'refused' {
  const { path } = step;
  const recorded = recordedOwner(step.becomes);
  const owner = recorded ?? (isNew(step) ? ownerFor(work, step) : undefined);
  if (owner === undefined) return 'given';
  const [uid, gid] = owner;
  const now = fs.lstatSync(at);
  if (now.uid === uid && now.gid === gid) return 'given';
  try {
    fs.lchownSync(at, uid, gid);
    return 'given';
  } catch (error) {
    if (codeOf(error) !== 'EPERM' || (recorded === undefined && IS_ROOT)) throw error;
    if (recorded === undefined) return 'refused'; // the group that the folder hands on is no loss: no record names another
    work.kept.push({ path, why: 'failed', reason: `its owner (${uid}:${gid}) could not be given back` });
    return 'refused';
  }
}

const isNew = (step: Step): boolean =>
  step.do !== 'mode' && step.do !== 'move' && !(step.do === 'file' && step.inPlace);

const IS_ROOT = process.getuid?.() === 0;

/**
 * Root restores for others: what replaces a file belongs to whom that belonged, what is new to whom its folder belongs. Anybody else's had his
 * own group where the record names none, whatever group a setgid folder would hand on.
 */
function ownerFor(work: Work, { path, seen }: Step): Owner | undefined {
  const folder = work.door.owner(dirname(path));
  if (!IS_ROOT) {
    const own: Owner = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
    return folder.gid === own[1] ? undefined : own;
  }
  const [uid, gid] = [seen === undefined ? folder.uid : seen.uid, folder.gid];
  return uid !== 0 || gid !== 0 ? [uid, gid] : undefined;
}
