import type { JSX } from 'preact';
import { Refused } from './ask.ts';
import { Said } from './text.tsx';

/** What belay has refused or could not do, in its own words, and what to do next. */
export function Trouble({ error, title }: { readonly error: Error; readonly title?: string }): JSX.Element {
  const hint = error instanceof Refused ? error.hint : undefined;
  return (
    <div class="note trouble" role="alert">
      {title !== undefined && <strong>{title}</strong>}
      <p>
        <Said text={sentence(error.message)} />
      </p>
      {hint !== undefined && (
        <p class="quiet">
          <Said text={hint} />
        </p>
      )}
    </div>
  );
}

/** Messages begin small, as they stand behind `belay rollback:` in a terminal. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
