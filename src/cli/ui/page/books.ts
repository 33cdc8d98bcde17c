import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Timeline } from '../documents.ts';
import { ask } from './ask.ts';

export type Books = Pick<Timeline, 'stamp' | 'total' | 'rows' | 'projects' | 'here' | 'off'>;

export interface Reading {
  readonly books: Books | undefined;
  readonly error: Error | undefined;
  readonly refresh: () => void;
}

/** What the first window shows, and how many come with each further question. */
const FIRST = 60;
const FURTHER = 1000;
const NEWS_MS = 10_000;

const firstWindow = (since: string, poll: boolean): Promise<Timeline> =>
  ask<Timeline>('timeline', { since, from: '0', count: `${FIRST}` }, poll);

/** Asked before anything is drawn: the answer is on its way meanwhile. */
let early: Promise<Timeline> | undefined = firstWindow('', false);
early.catch(() => undefined); // whoever takes it has the failure

/** The timeline: the first window at once, the rest behind it, news every ten seconds while somebody looks. */
export function useBooks(): Reading {
  const [books, setBooks] = useState<Books | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const stamp = useRef('');
  const run = useRef(0);

  const read = useCallback(async (poll: boolean): Promise<void> => {
    const mine = ++run.current;
    try {
      const since = stamp.current;
      const asked = early ?? firstWindow(since, poll);
      early = undefined;
      const first = await asked;
      setError(undefined);
      if (first.unchanged || mine !== run.current) return;
      let rows = first.rows;
      const { total, projects, here, off } = first;
      const show = (): void => setBooks({ stamp: first.stamp, total, rows, projects, here, off });
      // News come whole: a list that is long already does not become short for a moment.
      if (since === '') show();
      while (rows.length < total) {
        const more = await ask<Timeline>('timeline', { from: `${rows.length}`, count: `${FURTHER}` }, poll);
        if (mine !== run.current) return;
        if (more.stamp !== first.stamp || more.rows.length === 0) return read(poll);
        rows = [...rows, ...more.rows];
      }
      stamp.current = first.stamp;
      show();
    } catch (thrown) {
      if (mine === run.current) setError(thrown as Error);
    }
  }, []);

  useEffect(() => {
    void read(false);
    const news = (): void => {
      if (document.visibilityState === 'visible') void read(true);
    };
    const timer = setInterval(news, NEWS_MS);
    document.addEventListener('visibilitychange', news);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', news);
    };
  }, [read]);

  return { books, error, refresh: useCallback(() => void read(false), [read]) };
}
