import type { Bytes } from '../platform/bytes.ts';

/**
 * An agent runs a command inside text of its own, which would only be in the way of what a person reads:
 * `source …/snapshot.sh && eval 'COMMAND' < /dev/null && pwd -P >| /tmp/…-cwd`. What is not of that shape stays as it is. For reading
 * alone: what is saved follows from the whole text, of which anybody can write something in that shape.
 */
export function unwrapped(text: Bytes): Bytes {
  const hit =
    /^(?:[^']*&&\s*)?eval (?:-- )?('(?:[^']|'\\''|'"'"')*')(?:\s*\\?<\s*\/dev\/null)?\s*(?:&&\s*pwd -P\s*>\|\s*\S+\s*)?$/s.exec(
      text,
    );
  if (hit?.[1] === undefined || !/&&\s*pwd -P\s*>\|/.test(text)) return text;
  return hit[1].slice(1, -1).replace(/'\\''|'"'"'/g, "'");
}
