import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineRow } from '../documents.ts';
import { Gone } from './ask.ts';
import { type Books, useBooks } from './books.ts';
import { Detail } from './detail.tsx';
import { chosen, isFiltered, NO_FILTER, sourceOf } from './filter.ts';
import { Head, type View } from './head.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { Restore, type RestoreAsked } from './restore.tsx';
import { Store } from './store.tsx';
import { Timeline } from './timeline.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { useWide } from './wide.ts';
import { Worktrees } from './worktrees.tsx';

/** The whole page. */
export function App(): JSX.Element {
  const { books, error, refresh } = useBooks();
  const [view, setView] = useState<View>('timeline');
  const [filter, setFilter] = useState(NO_FILTER);
  const [id, setId] = useState<string | undefined>();
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<RestoreAsked | undefined>();
  const [wantsHelp, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const isWide = useWide('(min-width: 56rem)');

  const roots = useMemo(() => new Map(books?.projects.map(({ key, root }) => [key, root])), [books?.projects]);
  const rootOf = (key: string): string => roots.get(key) ?? key;
  const rows = useMemo(() => chosen(books?.rows ?? [], filter, rootOf), [books?.rows, filter, roots]);
  const index = rows.findIndex((row) => row.id === id);
  // A wide window always has one open: the newest, until another is chosen.
  const row = rows[index] ?? (isWide ? rows[0] : undefined);
  const isDetail = row !== undefined && (isWide || isOpen);

  const go = (to: number): void => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (next !== undefined) setId(next.id);
  };
  const at = row === undefined ? -1 : rows.indexOf(row);
  const open = (one: TimelineRow): void => {
    setId(one.id);
    setOpen(true);
  };
  /** One step out: of the search, of the details, of the filter. */
  const back = (): boolean => {
    const { activeElement } = document;
    const isInside = isWide ? activeElement?.closest('.detail') : isOpen;
    if (activeElement === search.current || isInside) setOpen(false);
    else if (isFiltered(filter)) setFilter(NO_FILTER);
    else return false;
    // On a phone the list comes with the next drawing.
    setTimeout(() => document.querySelector<HTMLElement>('.rows')?.focus());
    return true;
  };
  const inTimeline = (action: () => void) => (): boolean => {
    if (view !== 'timeline') return false;
    action();
    return true;
  };
  const show = (to: View) => (): boolean => {
    setView(to);
    return true;
  };
  const restore = (what: RestoreAsked['what']): void => {
    if (row !== undefined && (what === 'rollback' || canUndo(row))) setAsked({ row, what });
  };
  const [down, up] = [inTimeline(() => go(at + 1)), inTimeline(() => go(at - 1))];
  useKeys({
    j: down,
    k: up,
    ArrowDown: isWide || !isOpen ? down : () => false,
    ArrowUp: isWide || !isOpen ? up : () => false,
    g: inTimeline(() => go(0)),
    G: inTimeline(() => go(rows.length - 1)),
    Home: inTimeline(() => go(0)),
    End: inTimeline(() => go(rows.length - 1)),
    Enter: inTimeline(() => {
      if (row === undefined) return;
      open(row);
      setTimeout(() => document.querySelector<HTMLElement>('.detail .panel .fold, .detail .actions button')?.focus());
    }),
    Escape: back,
    u: inTimeline(() => restore('undo')),
    r: inTimeline(() => restore('rollback')),
    '/': () => {
      setView('timeline');
      setTimeout(() => search.current?.select());
      return true;
    },
    '?': () => {
      setHelp(true);
      return true;
    },
    1: show('timeline'),
    2: show('worktrees'),
    3: show('store'),
  });

  const takeBack = (key: string, n: number): void => {
    const safety = books?.rows.find((one) => one.key === key && one.n === n);
    if (safety !== undefined) setAsked({ row: safety, what: 'rollback' });
  };
  return (
    <div class={`app${isDetail && !isWide ? ' reading' : ''}`}>
      <Head
        view={view}
        setView={setView}
        filter={filter}
        setFilter={setFilter}
        projects={books?.projects ?? []}
        sources={sourcesOf(books)}
        search={search}
        onHelp={() => setHelp(true)}
      />
      {error !== undefined && <Banner error={error} />}
      {books?.off && (
        <p class="banner">
          belay is switched off: nothing is saved at present. (checkpoints.enabled, or BELAY_DISABLE)
        </p>
      )}
      {view === 'timeline' && (
        <main class={`panes${isDetail ? ' with-detail' : ''}`}>
          {(isWide || !isDetail) && (
            <section class="pane list-pane" aria-label="Timeline">
              <p class="sum-line" role="status">
                {books === undefined ? 'Reading…' : sumOf(books, rows.length)}
              </p>
              {books === undefined && error === undefined && <Waiting />}
              {books !== undefined && rows.length === 0 && <Nothing books={books} />}
              {rows.length > 0 && <Timeline rows={rows} chosen={row?.id} rootOf={rootOf} onChoose={open} />}
            </section>
          )}
          {isDetail && books !== undefined && (
            <section class="pane detail-pane" aria-label="Details">
              <Detail
                key={row.id}
                row={row}
                project={books.projects.find(({ key }) => key === row.key)}
                stamp={books.stamp}
                onRestore={setAsked}
                onBack={back}
              />
            </section>
          )}
        </main>
      )}
      {view === 'worktrees' && <main>{books !== undefined && <Worktrees projects={books.projects} />}</main>}
      {view === 'store' && <main>{books !== undefined && <Store stamp={books.stamp} />}</main>}
      {asked !== undefined && (
        <Restore
          key={`${asked.row.id}${asked.what}${asked.paths?.map(({ path }) => path).join('\0') ?? ''}`}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={refresh}
          onBack={takeBack}
        />
      )}
      {wantsHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

const canUndo = ({ kind, state, idle }: TimelineRow): boolean => kind === 'turn' && state === 'whole' && !idle;

const sourcesOf = (books: Books | undefined): string[] => [...new Set(books?.rows.map(sourceOf) ?? [])].sort();

function sumOf({ total, projects }: Books, shown: number): string {
  const all = `${total.toLocaleString('en')} ${total === 1 ? 'checkpoint' : 'checkpoints'}`;
  const where = `${projects.length.toLocaleString('en')} ${projects.length === 1 ? 'project' : 'projects'}`;
  return shown === total ? `${all} in ${where}` : `${shown.toLocaleString('en')} of ${all} in ${where}`;
}

function Nothing({ books }: { readonly books: Books }): JSX.Element {
  if (books.total > 0) return <div class="empty">Nothing fits. Esc takes the filter away.</div>;
  return (
    <div class="empty">
      <p>
        <strong>Nothing was saved yet.</strong>
      </p>
      <p class="quiet">
        The next <code>rm</code>, <code>mv</code>, <code>sed -i</code>, <code>&gt;</code> or <code>git reset</code> in a
        shell that has loaded belay makes the first checkpoint, and stands here a moment later.
      </p>
      <p class="quiet">
        <code>belay doctor</code> says whether your shells have it.
      </p>
    </div>
  );
}

function Banner({ error }: { readonly error: Error }): JSX.Element {
  if (!(error instanceof Gone)) return <Trouble error={error} />;
  return (
    <div class="banner" role="alert">
      {error.message === 'belay ui has ended' ? (
        <>
          <strong>belay ui has ended.</strong> What you see is as of then; <code>belay ui</code> in a terminal starts it
          again.
        </>
      ) : (
        <>
          <strong>This tab may not ask.</strong> Open the address that <code>belay ui</code> has printed; it works once,
          so start it again for another.
        </>
      )}
    </div>
  );
}
