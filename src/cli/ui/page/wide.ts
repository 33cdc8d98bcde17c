import { useEffect, useState } from 'preact/hooks';

/** Whether the window is as the query says, now and whenever that changes. */
export function useWide(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = (): void => setIs(list.matches);
    look();
    list.addEventListener('change', look);
    return () => list.removeEventListener('change', look);
  }, [query]);
  return is;
}
