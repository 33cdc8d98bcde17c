import { useEffect, useRef } from 'preact/hooks';

/** What a key does on the page; false: nothing, the browser has it. */
export type Keys = Readonly<Record<string, () => boolean>>;

/** Keys for the whole page: not while somebody types, not in a window over it, not with Ctrl, Alt or Meta. */
export function useKeys(keys: Keys): void {
  // One listener that always has the newest: keys that come faster than the page is drawn count, too.
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const { target, key } = event;
      if (isTypedIn(target) && key !== 'Escape') return;
      // A button does what it does.
      if (key === 'Enter' && target instanceof Element && target.closest('button, a, summary, select') !== null) return;
      const action = Object.hasOwn(newest.current, key) ? newest.current[key] : undefined;
      if (action?.()) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? target.type !== 'checkbox'
    : target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
