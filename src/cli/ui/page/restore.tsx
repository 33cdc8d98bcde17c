import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Kept, PathKeys, RestoreAnswer, RestoreWish, TimelineRow } from '../documents.ts';
import { isRefusal, order, Refused } from './ask.ts';
import { CommandLine } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { FEW, Reasons } from './reasons.tsx';
import { Said } from './text.tsx';
import { titleOf } from './timeline.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { count } from './words.ts';

export interface RestoreAsked {
  readonly row: TimelineRow;
  readonly what: 'rollback' | 'undo';
  readonly paths?: readonly PathKeys[];
}

interface Props {
  readonly asked: RestoreAsked;
  readonly onClose: () => void;
  /** Something was restored, or may have been. */
  readonly onDone: () => void;
  /** The checkpoint that a restore has saved first is to be restored. */
  readonly onBack: (key: string, n: number) => void;
}

interface Options {
  readonly all: boolean;
  readonly git: boolean;
  readonly force: boolean;
}

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'preview'; readonly answer: RestoreAnswer }
  | { readonly is: 'restoring'; readonly answer: RestoreAnswer }
  | { readonly is: 'done'; readonly answer: RestoreAnswer }
  /** Nothing was begun. */
  | { readonly is: 'refused'; readonly error: Error }
  /** It was agreed to, and may have come any way. */
  | { readonly is: 'failed'; readonly error: Error };

/** What would be done; then, once it was agreed to, what was done and how to take it back. Nothing happens before the second button. */
export function Restore({ asked, onClose, onDone, onBack }: Props): JSX.Element {
  const [options, setOptions] = useState<Options>({ all: false, git: false, force: false });
  const [state, setState] = useState<State>({ is: 'asking' });
  const [again, setAgain] = useState(0);
  const go = useRef<HTMLButtonElement>(null);
  const wish: RestoreWish = {
    key: asked.row.key,
    id: asked.row.id,
    what: asked.what,
    ...options,
    ...(asked.paths === undefined ? {} : { paths: asked.paths }),
  };
  useEffect(() => {
    let isOver = false;
    setState({ is: 'asking' });
    order<RestoreAnswer>('restore', wish)
      .then((answer) => isOver || setState({ is: 'preview', answer }))
      .catch((error: Error) => isOver || setState({ is: 'refused', error }));
    return () => {
      isOver = true;
    };
  }, [options, again]);
  useEffect(() => {
    if (state.is === 'preview') go.current?.focus();
  }, [state.is]);

  const agree = async (answer: RestoreAnswer): Promise<void> => {
    setState({ is: 'restoring', answer });
    try {
      setState({ is: 'done', answer: await order<RestoreAnswer>('restore', { ...wish, agreed: answer.agree ?? '' }) });
      onDone();
    } catch (error) {
      const is = isRefusal(error as Error) ? 'refused' : 'failed';
      setState({ is, error: error as Error });
      if (is === 'failed') onDone();
    }
  };
  const title = titleFor(asked);
  return (
    <Dialog title={title} onClose={onClose} class="restore">
      <div class="dialog-body">
        <p class="mono cited">
          <Said text={titleOf(asked.row)} />
        </p>
        {state.is === 'asking' && <Waiting />}
        {state.is === 'refused' && <Trouble error={state.error} title="Nothing was changed" />}
        {state.is === 'failed' && <Broken error={state.error} />}
        {(state.is === 'preview' || state.is === 'restoring') && <Preview answer={state.answer} />}
        {state.is === 'done' && <Done answer={state.answer} onBack={onBack} />}
        {state.is !== 'done' && (
          <fieldset class="options" disabled={state.is === 'restoring'}>
            <legend class="unseen">What else</legend>
            <Option name="all" text="Also what was edited by hand since" options={options} set={setOptions} />
            {asked.paths === undefined && (
              <Option name="git" text="Also git’s HEAD, index, refs and stash" options={options} set={setOptions} />
            )}
            {(options.force || (state.is === 'refused' && isForceable(state.error))) && (
              <Option name="force" text="Do it all the same (--force)" options={options} set={setOptions} />
            )}
          </fieldset>
        )}
      </div>
      <div class="dialog-foot">
        {state.is === 'done' ? (
          <button type="button" class="main" ref={go} onClick={onClose}>
            Close
          </button>
        ) : (
          <>
            <button type="button" onClick={onClose}>
              {state.is === 'failed' ? 'Close' : 'Cancel'}
            </button>
            {state.is === 'refused' || state.is === 'failed' ? (
              <button type="button" class="main" onClick={() => setAgain(again + 1)}>
                Look again
              </button>
            ) : (
              <button
                type="button"
                class="main restore-now"
                ref={go}
                disabled={state.is !== 'preview' || (isNothing(state.answer) && !options.git)}
                onClick={() => state.is === 'preview' && void agree(state.answer)}
              >
                {state.is === 'restoring' ? 'Restoring…' : 'Restore'}
              </button>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** A restore that was begun and has not come to its end. */
const Broken = ({ error }: { readonly error: Error }): JSX.Element => (
  <>
    <Trouble error={error} title="The restore did not come to its end" />
    <p>
      {error instanceof Refused && error.unchanged !== undefined ? error.unchanged : 'It is not known how far it came.'}{' '}
      <span class="mono">belay list</span> shows what was saved before it.
    </p>
  </>
);

function titleFor({ row, what, paths }: RestoreAsked): string {
  if (paths !== undefined) return `Restore ${paths.length === 1 ? 'one path' : 'these paths'} from before #${row.n}?`;
  if (what === 'undo') return `Undo #${row.n}?`;
  return row.kind === 'manual' ? `Roll back to #${row.n}?` : `Roll back to before #${row.n}?`;
}

/** Where the command's own hint is to use --force. */
const isForceable = (error: Error): boolean => error instanceof Refused && /--force/.test(error.hint ?? '');

const isNothing = ({ outcome: { restored, removed, dry_run } }: RestoreAnswer): boolean =>
  !dry_run && restored.length + removed.length === 0;

interface OptionProps {
  readonly name: keyof Options;
  readonly text: string;
  readonly options: Options;
  readonly set: (options: Options) => void;
}

const Option = ({ name, text, options, set }: OptionProps): JSX.Element => (
  <label>
    <input type="checkbox" checked={options[name]} onChange={() => set({ ...options, [name]: !options[name] })} />
    {text}
  </label>
);

function Preview({ answer }: { readonly answer: RestoreAnswer }): JSX.Element {
  const { restored, removed, kept, notes } = answer.outcome;
  return (
    <>
      {isNothing(answer) && (
        <p>
          {kept.length > 0
            ? 'Nothing would be restored: what it changed has been changed since.'
            : 'Nothing would change: everything is as it was before it already.'}
        </p>
      )}
      <Paths title={`${count(restored.length, 'path')} would be written`} kind="written" paths={restored} />
      <Paths title={`${count(removed.length, 'path')} would be removed`} kind="removed" paths={removed} />
      <KeptList kept={kept} tense={kept.length === 1 ? 'stays as it is' : 'stay as they are'} />
      <Notes notes={notes} />
      <p class="quiet">Nothing has been changed yet. What is overwritten is saved first, as a checkpoint of its own.</p>
      <details class="typed">
        <summary>The same in a terminal</summary>
        <CommandLine text={answer.command} />
      </details>
    </>
  );
}

interface DoneProps {
  readonly answer: RestoreAnswer;
  readonly onBack: (key: string, n: number) => void;
}

function Done({ answer, onBack }: DoneProps): JSX.Element {
  const { restored, removed, kept, notes } = answer.outcome;
  return (
    <>
      <div class={`note ${answer.short ? 'warn' : 'good'}`} role="status">
        <strong>{answer.short ? 'Restored, but not all of it' : 'Restored'}</strong>
      </div>
      <Paths title={`${count(restored.length, 'path')} written`} kind="written" paths={restored} />
      <Paths title={`${count(removed.length, 'path')} removed`} kind="removed" paths={removed} />
      <KeptList kept={kept} tense={kept.length === 1 ? 'stayed as it was' : 'stayed as they were'} />
      <Notes notes={notes} />
      {(answer.back ?? []).map(({ key, n, command }) => (
        <div key={`${key}${n}`} class="takeback">
          <p>What was there was saved first, as checkpoint #{n}. To take this back:</p>
          <CommandLine text={command} />
          <button type="button" onClick={() => onBack(key, n)}>
            Take it back…
          </button>
        </div>
      ))}
    </>
  );
}

/** So many names are told. */
const MOST_NAMES = 200;

interface PathsProps {
  readonly title: string;
  readonly kind: string;
  readonly paths: readonly string[];
}

function Paths({ title, kind, paths }: PathsProps): JSX.Element | null {
  if (paths.length === 0) return null;
  return (
    <details class={`paths ${kind}`} open={paths.length <= FEW}>
      <summary>{title}</summary>
      <ul class="plain mono">
        {paths.slice(0, MOST_NAMES).map((path) => (
          <li key={path}>
            <Said text={path} />
          </li>
        ))}
        {paths.length > MOST_NAMES && <li class="quiet">and {count(paths.length - MOST_NAMES, 'more path')}</li>}
      </ul>
    </details>
  );
}

function KeptList({ kept, tense }: { readonly kept: readonly Kept[]; readonly tense: string }): JSX.Element | null {
  if (kept.length === 0) return null;
  return (
    <details class="paths kept" open={kept.length <= FEW}>
      <summary>
        {count(kept.length, 'path')} {tense}
      </summary>
      <Reasons some={kept.slice(0, MOST_NAMES)} all={kept.length} />
    </details>
  );
}

const Notes = ({ notes }: { readonly notes: readonly string[] }): JSX.Element => (
  <>
    {notes.map((note) => (
      <p key={note} class="note-line">
        <Said text={note} />
      </p>
    ))}
  </>
);
