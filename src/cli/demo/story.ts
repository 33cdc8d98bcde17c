/** One thing that `belay demo` does, in the order of shims/demo-session.bash. */
export type Beat =
  | { readonly what: 'tell'; readonly text: string }
  | { readonly what: 'type'; readonly line: string }
  /** How the project's files must be now: as in the beginning, or not so. */
  | { readonly what: 'expect'; readonly state: State };

/** `hurt again`: not so on purpose, because a restore was taken back. */
export type State = 'whole' | 'hurt' | 'hurt again';

/** Reads the story: `## ` tells, `#= ` expects, other comments are for whoever edits the file, the rest is typed. */
export function readStory(text: string): readonly Beat[] {
  const beats: Beat[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) beats.push({ what: 'tell', text: line.slice(3) });
    else if (line.startsWith('#= ')) beats.push({ what: 'expect', state: stateNamed(line.slice(3)) });
    else if (line !== '' && !line.startsWith('#')) beats.push({ what: 'type', line });
  }
  return beats;
}

function stateNamed(name: string): State {
  if (name === 'whole' || name === 'hurt' || name === 'hurt again') return name;
  throw new Error(`the story expects the state whole or hurt, not ${name}`);
}
