import type { Terminal } from '../pty/terminal.ts';
import { type Room, room } from './recorder.ts';

/** A test in a room of its own, closed whatever happens. */
export const within = (body: (place: Room) => void | Promise<void>) => async (): Promise<void> => {
  const place = room();
  try {
    await body(place);
  } finally {
    place.close();
  }
};

export interface Setting {
  /** Of the shell; bash only. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Before the shell is started. */
  prepare?(place: Room): void;
}

/** A room and a shell on a terminal with the start-up file `rc`, both closed whatever happens. */
export const at = (
  shell: 'bash' | 'zsh' | 'fish',
  rc: string,
  body: (terminal: Terminal, place: Room) => Promise<void>,
  { args = [], env = {}, prepare = () => {} }: Setting = {},
): Promise<void> =>
  within(async (place) => {
    Object.assign(place.env, env);
    prepare(place);
    const terminal = await place[shell](rc, args);
    try {
      await body(terminal, place);
    } finally {
      await terminal.close();
    }
  })();
