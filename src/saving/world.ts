import type { Bytes } from '../platform/bytes.ts';
import { type Config, loadConfig } from '../platform/config.ts';
import { notWritable } from '../platform/format.ts';
import { belayHome, environment, homeFolder, runtimeFolder } from '../platform/home.ts';
import { log } from '../platform/log.ts';

/** Where belay works and how, found once a process. */
export interface World {
  readonly env: ReadonlyMap<Bytes, Bytes>;
  /** `BELAY_HOME` and its defaults; undefined where there is neither that nor a `$HOME`. */
  readonly home: Bytes | undefined;
  /** `$HOME`: never a project. */
  readonly userHome: Bytes | undefined;
  readonly config: Config;
  /** Nothing is to be done: no hold, no git, no folder. */
  readonly off: boolean;
  /** Why it is not wholly known what the user wants: then nothing is deleted by the rules of `config`. */
  readonly unsure?: string;
  /** Why nothing may be written in `home`: it is another user's, or a newer belay's. Then `off` is set, too. */
  readonly foreign?: string;
}

/** Makes nothing on disk. */
export async function openWorld(env: ReadonlyMap<Bytes, Bytes> = environment()): Promise<World> {
  const home = belayHome(env);
  const userHome = homeFolder(env);
  const { config, problems, unsure } = await loadConfig(env);
  const foreign = home === undefined ? undefined : notWritable(home);
  const disabled = env.get('BELAY_DISABLE');
  const off =
    foreign !== undefined ||
    (disabled !== undefined && disabled !== '' && disabled !== '0') ||
    (!config.checkpoints.enabled && env.get('BELAY_ENABLE') !== '1'); // `belay run --checkpoints`
  if (!off) for (const problem of problems) log(home, `configuration: ${problem}`, 'warn');
  return {
    env,
    home,
    userHome,
    config,
    off,
    ...(unsure === undefined ? {} : { unsure }),
    ...(foreign === undefined ? {} : { foreign }),
  };
}

/** The folder of markers; undefined where there is no safe one. */
export const runtimeOf = (world: World, make: boolean): Bytes | undefined => runtimeFolder(world.env, make);
