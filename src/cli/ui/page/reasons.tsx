import type { JSX } from 'preact';
import type { LeftOut } from '../documents.ts';
import { Said } from './text.tsx';
import { count } from './words.ts';

interface Props {
  readonly some: readonly LeftOut[];
  /** How many there are, of which these are told. */
  readonly all: number;
}

/** A list of no more stands open. */
export const FEW = 12;

/** Paths, each with the reason why it is not like the others. */
export const Reasons = ({ some, all }: Props): JSX.Element => (
  <ul class="plain">
    {some.map(({ path, reason }) => (
      <li key={path}>
        <span class="mono">
          <Said text={path} />
        </span>
        <span class="quiet">
          {' '}
          <Said text={reason} />
        </span>
      </li>
    ))}
    {all > some.length && <li class="quiet">and {count(all - some.length, 'more path')}</li>}
  </ul>
);
