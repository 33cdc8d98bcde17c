import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Worktrees as Document, ProjectRow } from '../documents.ts';
import { ask } from './ask.ts';
import { CommandLine } from './copy.tsx';
import { plain, Said } from './text.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { bytes, nameOf, span } from './words.ts';

type Tree = Document['worktrees'][number];

interface Repository {
  readonly project: ProjectRow;
  readonly trees: readonly Tree[];
}

/** What may become of each worktree, and why: the verdicts of `belay worktree list`. */
export function Worktrees({ projects }: { readonly projects: readonly ProjectRow[] }): JSX.Element {
  const [found, setFound] = useState<readonly Repository[]>([]);
  const [isDone, setDone] = useState(false);
  const [trouble, setTrouble] = useState<Error | undefined>();
  useEffect(() => {
    let isOver = false;
    const known = new Set<string>();
    const look = async (): Promise<void> => {
      for (const project of projects.filter(({ state }) => state === 'live')) {
        if (isOver) return;
        if (known.has(project.root)) continue; // it came with its repository
        const { worktrees: trees } = await ask<Document>('worktrees', { key: project.key });
        if (trees.some(({ path }) => known.has(path))) continue;
        for (const { path } of trees) known.add(path);
        if (trees.length > 0 && !isOver) setFound((before) => [...before, { project, trees }]);
      }
      if (!isOver) setDone(true);
    };
    setFound([]);
    setDone(false);
    look().catch((error: Error) => isOver || setTrouble(error));
    return () => {
      isOver = true;
    };
  }, [projects]);
  const several = found.filter(({ trees }) => trees.length > 1);
  const single = found.filter(({ trees }) => trees.length === 1);
  return (
    <div class="sheet">
      <h2>Worktrees</h2>
      {several.map(({ project, trees }) => (
        <section key={project.key} class="repository">
          <h3 class="mono">
            <Said text={trees.find(({ main }) => main)?.path ?? project.root} />
          </h3>
          <ul class="trees">
            {trees
              .filter(({ main }) => !main)
              .map((tree) => (
                <TreeRow key={tree.path} tree={tree} />
              ))}
          </ul>
        </section>
      ))}
      {trouble !== undefined && <Trouble error={trouble} />}
      {!isDone && trouble === undefined && <Waiting />}
      {isDone && several.length === 0 && (
        <div class="empty">
          <p>No project here has worktrees beside its own.</p>
          <p class="quiet">One for an agent or a second branch:</p>
          <CommandLine text="belay worktree add NAME" />
        </div>
      )}
      {isDone && single.length > 0 && several.length > 0 && (
        <p class="quiet">
          Without further worktrees: {single.map(({ project }) => plain(nameOf(project.root))).join(', ')}.
        </p>
      )}
      {isDone && several.length > 0 && (
        <p class="quiet">
          <strong>keep</strong>: something in it is nowhere else, or it is in use. <strong>archive</strong>: may go,
          what is untracked is put aside. <strong>remove</strong>: everything in it is elsewhere, too. Nothing is
          removed from here: <code>belay worktree prune</code> asks, and judges again.
        </p>
      )}
    </div>
  );
}

function TreeRow({ tree }: { readonly tree: Tree }): JSX.Element {
  const { path, branch, age_s: age, bytes: size, ahead, behind, verdict, reason } = tree;
  return (
    <li class="tree">
      <span class={`verdict ${verdict}`}>{verdict}</span>
      <div class="what">
        <div class="line">
          <Said text={nameOf(path)} /> <span class="quiet mono">{branch !== null && <Said text={branch} />}</span>
          {(ahead ?? 0) > 0 && <span class="plus"> ↑{ahead}</span>}
          {(behind ?? 0) > 0 && <span class="minus"> ↓{behind}</span>}
        </div>
        <div class="quiet">
          <Said text={reason} />
        </div>
      </div>
      <div class="side quiet">
        {size !== null && <span>{bytes(size)}</span>}
        {age !== null && <span>{span(age)}</span>}
      </div>
    </li>
  );
}
