import type { Bytes } from '../platform/bytes.ts';
import type { GitState } from './record.ts';

/** Two states of one repository with those reflogs only that lost a line from the one to the other, or began in between. */
export function withLostLogs<S extends Pick<GitState, 'logs'>>(before: S, after: S): readonly [S, S] {
  const [old, now] = [new Map(before.logs), new Map(after.logs)];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => {
    const text = old.get(name);
    return text === undefined || now.get(name)?.startsWith(text) !== true;
  });
  return [onlyLogs(before, names), onlyLogs(after, names)];
}

/** The state with the logs of these refs. */
export function onlyLogs<S extends Pick<GitState, 'logs'>>(state: S, names: Iterable<Bytes>): S {
  const all = new Map(state.logs);
  const logs = [...names].flatMap((name) => {
    const text = all.get(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const { logs: _, ...rest } = state;
  return (logs.length === 0 ? rest : { ...rest, logs }) as S;
}

type Logs = NonNullable<GitState['logs']>;

/**
 * One turn after the other: each tells only of the logs that it took from. How a log was is told by the first that does, how it was left
 * by the last.
 */
export function followLogs(
  [first, soFar]: readonly [GitState, GitState],
  [before, after]: readonly [GitState, GitState],
): readonly [Logs, Logs] {
  const [wanted, left] = [new Map(first.logs), new Map(soFar.logs)];
  const known = new Set([...wanted.keys(), ...left.keys()]);
  for (const [name, text] of before.logs ?? []) if (!known.has(name)) wanted.set(name, text);
  for (const [name] of before.logs ?? []) left.delete(name);
  for (const [name, text] of after.logs ?? []) left.set(name, text);
  return [[...wanted], [...left]];
}
