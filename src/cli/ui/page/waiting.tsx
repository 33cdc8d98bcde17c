import type { JSX } from 'preact';

/** Something is being read. */
export const Waiting = (): JSX.Element => (
  <div class="waiting" role="status">
    <span class="unseen">Reading…</span>
    <span />
    <span />
    <span />
  </div>
);
