import type { JSX, RefObject } from 'preact';
import type { ProjectRow } from '../documents.ts';
import type { Filter } from './filter.ts';
import { plain } from './text.tsx';
import { nameOf } from './words.ts';

export type View = 'timeline' | 'worktrees' | 'store';

const VIEWS: readonly (readonly [view: View, name: string])[] = [
  ['timeline', 'Timeline'],
  ['worktrees', 'Worktrees'],
  ['store', 'Store'],
];

interface Props {
  readonly view: View;
  readonly setView: (view: View) => void;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly projects: readonly ProjectRow[];
  readonly sources: readonly string[];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onHelp: () => void;
}

export function Head({ view, setView, filter, setFilter, projects, sources, search, onHelp }: Props): JSX.Element {
  return (
    <header class="head">
      <div class="bar">
        <h1>
          <img src="/mark.svg" alt="" width="26" height="26" />
          belay
        </h1>
        <nav aria-label="Views">
          {VIEWS.map(([name, text]) => (
            <button
              key={name}
              type="button"
              aria-current={view === name ? 'page' : undefined}
              onClick={() => setView(name)}
            >
              {text}
            </button>
          ))}
        </nav>
        <button type="button" class="round" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
          ?
        </button>
      </div>
      {view === 'timeline' && (
        // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all browsers that are in use
        <div class="filters" role="search">
          <label class="search">
            <span class="unseen">Search</span>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
              <path d="M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zM10.300 10.300L14 14" />
            </svg>
            <input
              ref={search}
              type="search"
              placeholder="Search lines, projects, sessions"
              value={filter.text}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
            />
            <kbd>/</kbd>
          </label>
          <Choice
            label="Project"
            all="All projects"
            value={filter.project}
            options={projects.map(({ key, root }) => [key, nameOf(root), root])}
            choose={(project) => setFilter({ ...filter, project })}
          />
          <Choice
            label="By"
            all="Anybody"
            value={filter.source}
            options={sources.map((source) => [source, source, source])}
            choose={(source) => setFilter({ ...filter, source })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={filter.idle}
              onChange={() => setFilter({ ...filter, idle: !filter.idle })}
            />
            <span>unchanged too</span>
          </label>
        </div>
      )}
    </header>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string, title: string])[];
  readonly choose: (value: string) => void;
}

const Choice = ({ label, all, value, options, choose }: ChoiceProps): JSX.Element => (
  <label class="choice">
    <span class="unseen">{label}</span>
    <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{all}</option>
      {options.map(([name, text, title]) => (
        <option key={name} value={name} title={plain(title)}>
          {plain(text)}
        </option>
      ))}
    </select>
  </label>
);
