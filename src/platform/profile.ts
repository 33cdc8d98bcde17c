import type { Bytes } from './bytes.ts';
import { join } from './paths.ts';

/** Where belay keeps its data: `BELAY_HOME`, else `$XDG_DATA_HOME/belay`, else `~/.local/share/belay`. */
export function belayHome(env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined {
  const own = env.get('BELAY_HOME');
  if (own?.startsWith('/')) return own;
  const data = env.get('XDG_DATA_HOME');
  if (data?.startsWith('/')) return join(data, 'belay');
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, '.local/share/belay');
}

/** `$HOME`; undefined where it is unset or not absolute. */
export function homeFolder(env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined {
  const home = env.get('HOME');
  return home?.startsWith('/') ? home : undefined;
}

/** What a profile may be called: it is the name of a folder. */
export const isProfileName = (name: Bytes): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);

/** The profile that this environment is in. `default`, and what is no name, is none. */
export function profileOf(env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined {
  const name = env.get('BELAY_PROFILE');
  return name === undefined || name === 'default' || !isProfileName(name) ? undefined : name;
}

export const profileHome = (base: Bytes, name: Bytes): Bytes => join(base, `profiles/${name}`);

/** belay's home without a profile. A program that was started within one has its folder as `BELAY_HOME`. */
export function baseHome(env: ReadonlyMap<Bytes, Bytes>): Bytes | undefined {
  const home = belayHome(env);
  const [within, name] = /^(.+)\/profiles\/([^/]+)$/.exec(home ?? '')?.slice(1) ?? [];
  return within !== undefined && name !== undefined && isProfileName(name) ? within : home;
}
