import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Difference, FileChange, PathKeys, TimelineRow } from '../documents.ts';
import { ask } from './ask.ts';
import { useLoaded } from './loading.ts';
import { Patch } from './patch.tsx';
import { plain, Said } from './text.tsx';
import { Trouble } from './trouble.tsx';
import { count } from './words.ts';

interface Props {
  readonly row: TimelineRow;
  readonly difference: Difference;
  /** `show`: what the turn did; `diff`: what is otherwise now. */
  readonly of: 'show' | 'diff';
  readonly onRestore: (paths: readonly PathKeys[]) => void;
}

/** So many lines are opened by themselves. */
const OPEN_AT_FIRST = 400;
const MOST_FILES = 200;

/** The files of a difference, each with its lines where they are asked for. */
export function Files({ row, difference, of, onRestore }: Props): JSX.Element {
  const { files, git = [] } = difference;
  const [most, setMost] = useState(MOST_FILES);
  const opened = openAtFirst(files);
  if (files.length === 0 && git.length === 0)
    return <p class="empty small">{of === 'show' ? 'It changed nothing.' : 'Everything is as it was before it.'}</p>;
  return (
    <div class="files">
      {files.length > 0 && <Sum files={files} />}
      {git.length > 0 && (
        <div class="note">
          <strong>git’s own state</strong>
          <ul class="plain mono">
            {git.map((line) => (
              <li key={line}>
                <Said text={line} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {files.slice(0, most).map((file, i) => (
        <FileBox
          key={`${file.path_bytes ?? file.path}|${file.status}`}
          row={row}
          file={file}
          of={of}
          isOpen={i < opened}
          onRestore={onRestore}
        />
      ))}
      {files.length > most && (
        <button type="button" class="more" onClick={() => setMost(files.length)}>
          {count(files.length - most, 'more path')}
        </button>
      )}
    </div>
  );
}

function Sum({ files }: { readonly files: readonly FileChange[] }): JSX.Element {
  const plus = files.reduce((sum, { insertions }) => sum + insertions, 0);
  const minus = files.reduce((sum, { deletions }) => sum + deletions, 0);
  const folders = files.filter(({ folder }) => folder).length;
  return (
    <p class="sum">
      {[
        ...(folders < files.length || folders === 0 ? [count(files.length - folders, 'file')] : []),
        ...(folders > 0 ? [count(folders, 'folder')] : []),
      ].join(' and ')}{' '}
      <span class="plus">+{plus.toLocaleString('en')}</span> <span class="minus">−{minus.toLocaleString('en')}</span>
    </p>
  );
}

function openAtFirst(files: readonly FileChange[]): number {
  let lines = 0;
  for (let i = 0; i < files.length; i++) {
    lines += (files[i]?.insertions ?? 0) + (files[i]?.deletions ?? 0) + 6;
    if (lines > OPEN_AT_FIRST) return Math.max(1, i);
  }
  return files.length;
}

interface BoxProps {
  readonly row: TimelineRow;
  readonly file: FileChange;
  readonly of: 'show' | 'diff';
  readonly isOpen: boolean;
  readonly onRestore: (paths: readonly PathKeys[]) => void;
}

function FileBox({ row, file, of, isOpen, onRestore }: BoxProps): JSX.Element {
  const { path, status, insertions, deletions, from } = file;
  const [open, setOpen] = useState(isOpen);
  const notes = [file.mode && `mode ${file.mode}`, file.owner && `owner ${file.owner}`].filter(Boolean);
  return (
    <section class={`file ${status}`}>
      <header>
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" focusable="false">
            <path d="M5.500 3l5 5-5 5" />
          </svg>
          <span class={`status ${status}`} title={WORDS[status]}>
            {LETTERS[status]}
            <span class="unseen">{WORDS[status]}: </span>
          </span>
          <span class="path">
            {from !== undefined && (
              <>
                <Said text={from} /> <span class="quiet">→</span>{' '}
              </>
            )}
            <Said text={path} />
          </span>
        </button>
        <span class="counts">
          {file.binary ? (
            <span class="quiet">binary</span>
          ) : (
            <>
              {insertions > 0 && <span class="plus">+{insertions.toLocaleString('en')}</span>}
              {deletions > 0 && <span class="minus">−{deletions.toLocaleString('en')}</span>}
            </>
          )}
        </span>
        {row.state !== 'earlier-folder' && (
          <button
            type="button"
            class="small"
            aria-label={`Restore ${plain(path)} as it was before this`}
            onClick={() => onRestore(from === undefined ? [file] : [file, { path: from }])}
          >
            Restore…
          </button>
        )}
      </header>
      {open && (
        <>
          {notes.length > 0 && <p class="aside-line">{notes.join(', ')}</p>}
          <Lines row={row} file={file} of={of} />
        </>
      )}
    </section>
  );
}

const LETTERS = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', type: 'T' } as const;
const WORDS = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  type: 'became something else',
} as const;

function Lines({ row, file, of }: Pick<BoxProps, 'row' | 'file' | 'of'>): JSX.Element {
  const { patch, path, binary, at_hand: isAtHand, sizes } = file;
  if (patch === null) return <LateLines row={row} file={file} of={of} />;
  if (binary) return <p class="aside-line">Binary: {sizes.join(' → ')}</p>;
  if (!isAtHand) return <p class="aside-line">Its lines are not at hand: {sizes.join(' → ')}</p>;
  if (patch === '') return <p class="aside-line">{sizes.join(' → ')}</p>;
  return <Patch patch={patch} path={path} />;
}

/** Too long to come with the others: asked for by itself. */
function LateLines({ row, file, of }: Pick<BoxProps, 'row' | 'file' | 'of'>): JSX.Element {
  const path = file.path_bytes ?? base64Of(file.path);
  const found = useLoaded(`${of}|${row.id}|${path}`, () => ask<Difference>(of, { key: row.key, id: row.id, path }));
  if (found.is === 'waiting') return <p class="aside-line">Reading…</p>;
  if (found.is === 'failed') return <Trouble error={found.error} />;
  const same = found.value.files.find((one) => one.path === file.path);
  if (same === undefined || same.patch === null) return <p class="aside-line">Its lines are not at hand.</p>;
  return <Lines row={row} file={same} of={of} />;
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
