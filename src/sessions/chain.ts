import { type Bytes, toText } from '../platform/bytes.ts';
import { eventsOf } from './find.ts';

/** The session, and those that it goes on from, each compressed into the next: they count as one. */
export function chainOf(home: Bytes, session: string): ReadonlySet<string> {
  const chain = new Set<string>();
  for (let now: string | undefined = session; now !== undefined && !chain.has(now); now = beforeIt(home, now))
    chain.add(now);
  return chain;
}

/** Its first event says so: no more is read. */
function beforeIt(home: Bytes, session: string): string | undefined {
  for (const event of eventsOf(home, session))
    return event.e === 'session' && event.after !== undefined ? toText(event.after) : undefined;
  return undefined;
}
