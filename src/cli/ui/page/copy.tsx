import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Puts a command line onto the clipboard, and says so. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [done, setDone] = useState<'' | 'copied' | 'not copied'>('');
  useEffect(() => {
    if (done === '') return undefined;
    const timer = setTimeout(() => setDone(''), 1800);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setDone('copied'),
      () => setDone('not copied'), // the browser lets nobody; the text stands there to be marked
    );
  };
  return (
    <button type="button" class="small copy" title={text} onClick={copy}>
      {done === '' ? label : done === 'copied' ? 'Copied' : 'Not copied'}
    </button>
  );
}

/** A line to type, with a button that copies it. */
export const CommandLine = ({ text }: { readonly text: string }): JSX.Element => (
  <p class="command">
    <code>{text}</code> <Copy text={text} label="Copy" />
  </p>
);
