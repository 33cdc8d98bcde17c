import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Difference, PathKeys, ProjectRow, TimelineRow } from '../documents.ts';
import { ask } from './ask.ts';
import { Badges, isAgent, Kind } from './badges.tsx';
import { Copy } from './copy.tsx';
import { Files } from './files.tsx';
import { useLoaded } from './loading.ts';
import { FEW, Reasons } from './reasons.tsx';
import type { RestoreAsked } from './restore.tsx';
import { Said } from './text.tsx';
import { titleOf } from './timeline.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { count, moment, span, whose } from './words.ts';

interface Props {
  readonly row: TimelineRow;
  readonly project: ProjectRow | undefined;
  readonly stamp: string;
  readonly onRestore: (asked: RestoreAsked) => void;
  readonly onBack: () => void;
}

/** One checkpoint: what it was, what it changed, what was left out, and the ways back. */
export function Detail({ row, project, stamp, onRestore, onBack }: Props): JSX.Element {
  const [of, setOf] = useState<'show' | 'diff'>('show');
  const time = new Date(row.time);
  const canUndo = row.kind === 'turn' && row.state === 'whole' && !row.idle;
  return (
    <article class="detail" aria-label={`Checkpoint ${row.n}`}>
      <div class="top">
        <button type="button" class="back" onClick={onBack}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
            <path d="M10 3L5 8l5 5" />
          </svg>
          Timeline
        </button>
        <div class="heading">
          <Kind row={row} />
          <h2 class={isAgent(row) ? '' : 'mono'}>
            <Said text={titleOf(row)} />
          </h2>
        </div>
        <dl class="facts">
          <div>
            <dt>Checkpoint</dt>
            <dd>
              #{row.n} <span class="quiet mono">{row.id.slice(0, 8)}</span>
            </dd>
          </div>
          <div>
            <dt>When</dt>
            <dd>
              <time dateTime={row.time}>{moment(time)}</time>{' '}
              <span class="quiet">{span((Date.now() - time.getTime()) / 1000)}</span>
            </dd>
          </div>
          <div>
            <dt>Project</dt>
            <dd class="mono">
              <Said text={project?.root ?? row.key} />
              {project !== undefined && project.state !== 'live' && (
                <span class="badge warn">{GONE[project.state]}</span>
              )}
            </dd>
          </div>
          <div>
            <dt>By</dt>
            <dd>
              {whose(row.source)} <span class="quiet mono">{row.session}</span>
            </dd>
          </div>
        </dl>
        <div class="badges">
          <Badges row={row} />
        </div>
        <Actions row={row} canUndo={canUndo} onRestore={onRestore} />
      </div>
      <LeftOutBox row={row} />
      <div class="tabs" role="tablist">
        <Tab of="show" chosen={of} choose={setOf} text={row.kind === 'manual' ? 'What it saved' : 'What it changed'} />
        <Tab of="diff" chosen={of} choose={setOf} text="Now, against before it" />
      </div>
      <div role="tabpanel" class="panel">
        <Changes row={row} of={of} stamp={stamp} onRestore={onRestore} />
      </div>
    </article>
  );
}

const GONE = { orphan: 'folder deleted', unreachable: 'not reachable now' } as const;

interface TabProps {
  readonly of: 'show' | 'diff';
  readonly chosen: 'show' | 'diff';
  readonly choose: (of: 'show' | 'diff') => void;
  readonly text: string;
}

const Tab = ({ of, chosen, choose, text }: TabProps): JSX.Element => (
  <button type="button" role="tab" aria-selected={of === chosen} onClick={() => choose(of)}>
    {text}
  </button>
);

interface ActionProps {
  readonly row: TimelineRow;
  readonly canUndo: boolean;
  readonly onRestore: (asked: RestoreAsked) => void;
}

function Actions({ row, canUndo, onRestore }: ActionProps): JSX.Element {
  const where = row.kind === 'manual' ? 'to it' : 'to before it';
  return (
    <div class="actions">
      {canUndo && (
        <button type="button" class="main" onClick={() => onRestore({ row, what: 'undo' })}>
          Undo this turn… <kbd>u</kbd>
        </button>
      )}
      <button type="button" class={canUndo ? '' : 'main'} onClick={() => onRestore({ row, what: 'rollback' })}>
        Roll back {where}… <kbd>r</kbd>
      </button>
      <Copy text={`belay show ${row.n}`} label="Copy `belay show`" />
    </div>
  );
}

function LeftOutBox({ row }: { readonly row: TimelineRow }): JSX.Element | null {
  const { left_out: left, left_out_count: all, nested_not_captured: nested, as_of: asOf } = row;
  if (all === 0 && nested.length === 0 && asOf === undefined) return null;
  return (
    <div class="note warn">
      {all > 0 && (
        <details open={all <= FEW}>
          <summary>
            <strong>{count(all, 'path')} left out</strong> <span class="quiet">— not saved, and cannot come back</span>
          </summary>
          <Reasons some={left} all={all} />
        </details>
      )}
      {nested.length > 0 && (
        <p>
          <strong>Repositories inside it that were not captured:</strong> <Said text={nested.join(', ')} />
        </p>
      )}
      {asOf !== undefined && <p>What the line does not name is as of the prompt at {moment(new Date(asOf))}.</p>}
    </div>
  );
}

interface ChangesProps {
  readonly row: TimelineRow;
  readonly of: 'show' | 'diff';
  readonly stamp: string;
  readonly onRestore: (asked: RestoreAsked) => void;
}

function Changes({ row, of, stamp, onRestore }: ChangesProps): JSX.Element {
  // What a turn changed never changes; what is otherwise now does with every further one.
  const name = of === 'show' ? `show|${row.id}` : `diff|${row.id}|${stamp}`;
  const found = useLoaded(name, () => ask<Difference>(of, { key: row.key, id: row.id }));
  if (found.is === 'waiting') return <Waiting />;
  if (found.is === 'failed') return <Trouble error={found.error} />;
  const restore = (paths: readonly PathKeys[]): void => onRestore({ row, what: 'rollback', paths });
  return <Files key={name} row={row} difference={found.value} of={of} onRestore={restore} />;
}
