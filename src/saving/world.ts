import type { Bytes } from '../platform/bytes.ts';
import { type Config, DEFAULTS, loadConfig } from '../platform/config.ts';
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
}

/** Makes nothing on disk. */
export async function openWorld(env: ReadonlyMap<Bytes, Bytes> = environment()): Promise<World> {
  const home = belayHome(env);
  const userHome = homeFolder(env);
  const disabled = env.get('BELAY_DISABLE');
  if (disabled !== undefined && disabled !== '' && disabled !== '0')
    return { env, home, userHome, config: DEFAULTS, off: true };
  const { config, problems } = await loadConfig(env);
  const off = !config.checkpoints.enabled && env.get('BELAY_ENABLE') !== '1'; // `belay run --checkpoints`
  if (!off) for (const problem of problems) log(home, `configuration: ${problem}`);
  return { env, home, userHome, config, off };
}

/** The folder of markers; undefined where there is no safe one. */
export const runtimeOf = (world: World, make: boolean): Bytes | undefined => runtimeFolder(world.env, make);
