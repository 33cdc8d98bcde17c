import { type Bytes, fromText } from '../../platform/bytes.ts';
import { lookAt } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { randomHex } from '../../platform/random.ts';
import { type Added, addWorktree, treesFolder } from '../../worktrees/add.ts';
import { type Answer, type Call, Failure, failed, refused, wrongUsage } from '../command.ts';
import { prepareFor } from '../installs/prepare.ts';
import { pathKeys, shown } from '../paths.ts';
import { count } from '../style.ts';
import { openPlace, type Place } from './open.ts';

/** `belay worktree add [NAME]`. */
export async function add(call: Call, name: Bytes | undefined): Promise<Answer> {
  const place = await openPlace(call);
  const start = call.values['start'];
  const { added, environment, problem } = await addNamed(place, name, typeof start === 'string' ? start : undefined);
  const { path, branch, copied } = added;
  return {
    json: {
      ...pathKeys(path),
      branch: shown(branch),
      copied: copied.files.map(shown),
      ...(copied.problem === undefined ? {} : { not_copied: copied.problem }),
      environment: environment === undefined ? null : shown(environment),
      ...(problem === undefined ? {} : { problem }),
    },
    text: `${[
      `${shown(path)} on ${shown(branch)}`,
      ...(copied.files.length > 0
        ? [`${count(copied.files.length, 'ignored file')} copied: ${copied.files.map(shown).join(', ')}`]
        : []),
      ...(copied.problem === undefined ? [] : [`not every ignored file was copied: ${copied.problem}`]),
      ...(environment === undefined ? [] : [`its environment is ${shown(environment)}`]),
      ...(problem === undefined ? [] : [`without an environment: ${problem}`]),
    ].join('\n')}\n`,
  };
}

export interface AddedHere {
  readonly added: Added;
  readonly environment?: Bytes;
  /** Why it has no environment although `installs.setup` says how to make one. */
  readonly problem?: string;
}

/** A new worktree, and its environment where `installs.setup` says how. */
export async function addNamed(place: Place, given: Bytes | undefined, start?: Bytes): Promise<AddedHere> {
  const { world, inquiry, cwd } = place;
  const name = given ?? `wt-${randomHex(3)}`;
  if (!/^[A-Za-z0-9_][\w.-]*$/.test(name) || name.endsWith('.lock') || name.includes('..'))
    throw wrongUsage("a name has letters, digits, '_', '-', '.', and begins with none of the latter two");
  const path = join(treesFolder(inquiry.repository, inquiry.config), name);
  if (lookAt(path) !== undefined)
    throw refused('worktree_exists', `${shown(path)} is there already`, 'Choose another name.');
  const added = addWorktree({
    inquiry,
    from: cwd,
    name,
    ...(start === undefined ? {} : { start }),
  });
  if (added === undefined) throw failed('git_refused', 'git made no worktree (see above)');
  if (world.config.installs.setup.trim() === '') return { added };
  try {
    return {
      added,
      environment: (await prepareFor(world, added.path, fromText(world.config.installs.setup))).environment,
    };
  } catch (error) {
    if (error instanceof Failure) return { added, problem: error.message };
    throw error;
  }
}
