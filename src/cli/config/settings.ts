import { CHOICES, DEFAULTS, RANGES } from '../../platform/config.ts';

/** What each setting is for, in one sentence: the reference and the JSON Schema are made from this. */
export const MEANINGS: Readonly<Record<string, string>> = {
  'checkpoints.enabled': 'false: nothing happens at all. `BELAY_DISABLE=1` or `belay off` does that for one shell.',
  'checkpoints.max_snapshots': 'Checkpoints of a project, 1 to 1000; turns that deleted or replaced data go last.',
  'checkpoints.max_total_size_mb': 'Megabytes of the whole store; the oldest checkpoints go. Negative: no limit.',
  'checkpoints.max_file_size_mb':
    'Larger files stay out of captures; where a line names them, they are held. Negative: no limit.',
  'checkpoints.max_files': 'A tree with more files is not captured; what a line names is held.',
  'checkpoints.budget_ms': 'A capture that would take longer is left to the background.',
  'checkpoints.retention_days': 'Older checkpoints go.',
  'checkpoints.auto_prune': 'false: nothing goes by itself, only by `belay checkpoints prune`.',
  'checkpoints.min_interval_hours': 'Between one automatic prune and the next.',
  'checkpoints.nested': 'Whether repositories inside a project are captured with it.',
  'checkpoints.opaque': 'A capture before programs that nobody can parse: when it is quick, always, never.',
  'checkpoints.opaque_budget_ms': 'How long such a capture may take with `opaque: auto`.',
  'checkpoints.precious': 'Names of files that git ignores and captures have all the same.',
  'checkpoints.on_unsaved': 'When something cannot be saved: warn, ask, or refuse to run the line.',
  'checkpoints.durability': '`power`: a hold also survives a power cut.',
  'checkpoints.hold.enabled': 'false: files that a line names are not held.',
  'checkpoints.hold.max_mb': 'Megabytes that the copies of one line may take; links cost nothing. Negative: no limit.',
  'checkpoints.hold.min_free_percent': 'Of the disk, that holds leave free.',
  'checkpoints.hold.skip':
    'Folders that are left out where git ignores them, by captures and where a line names the whole folder; single files named in them are held, and given back after a day.',
  'checkpoints.exclude': 'Patterns that captures leave out. A project may add its own in `.belayrc`.',
  notice:
    'After a line that was saved: `belay saved 214 files; undo with belay undo`. `first`: once, for the first line after belay was put into the start-up files.',
  'sessions.record': 'Which lines of a session are recorded.',
  'sessions.retention_days': 'The age that a prune of sessions proposes; nothing goes by itself.',
  'sessions.titler':
    'A command that makes the titles of sessions: JSON on its standard input, a title on its output; what it fails at is made as without it.',
  'sessions.environment':
    'Whether the exported variables of a session are kept beside its record, for `belay resume` and `belay run -c`. Only what can be seen to be no secret is.',
  'compression.enabled': 'Whether long sessions are compressed.',
  'compression.threshold': 'The share of the context from which on they are.',
  'compression.target_ratio': 'What share is left then.',
  'compression.context_tokens': 'The size of the context.',
  'compression.summarizer':
    'A command that makes the summaries: JSON on its standard input, the text on its output, for a minute at most; what it fails at is made as without it.',
  'worktrees.dir': 'Where worktrees are made: a relative path below the project.',
  'worktrees.branch_prefix': 'What the names of their branches begin with.',
  'worktrees.max_age_hours': 'From that age on a worktree is looked at by a prune.',
  'worktrees.sweep_hours': 'Between one sweep and the next.',
  'worktrees.copy': 'Ignored files that a new worktree gets.',
  'installs.roots': 'Folders whose dependency environments are kept per checkout.',
  'installs.setup': 'The command that makes such an environment.',
  'installs.tools':
    'Other tools whose things of deleted checkouts `belay gc` removes: pipenv, bazel, vscode, direnv, claude; `--all-tools` lists them.',
  'agents.restore': 'What an agent may take back: turns of its own session, any, none.',
  'agents.every_turn': 'Whether the whole project is kept at the first call of each turn that may write.',
};

export interface Setting {
  readonly name: string;
  readonly type: 'boolean' | 'number' | 'string' | 'list';
  readonly choices?: readonly string[];
  readonly byDefault: unknown;
  readonly meaning: string;
}

/** Every setting, in the order of the file. */
export const settings: readonly Setting[] = leaves(DEFAULTS, '');

function leaves(value: unknown, name: string): Setting[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, below]) => leaves(below, name === '' ? key : `${name}.${key}`));
  const choices = CHOICES[name.slice(name.lastIndexOf('.') + 1)];
  const type = Array.isArray(value) ? 'list' : (typeof value as 'boolean' | 'number' | 'string');
  return [{ name, type, byDefault: value, meaning: MEANINGS[name] ?? '', ...(choices ? { choices } : {}) }];
}

/** For editors: what may stand in `config.yaml` and `config.json`. */
export function jsonSchema(): object {
  const top = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'belay', ...table() };
  for (const { name, type, choices, byDefault, meaning } of settings) {
    const path = name.split('.');
    let at: Table = top;
    for (const key of path.slice(0, -1)) {
      at.properties[key] ??= table();
      at = at.properties[key] as Table;
    }
    const last = path.at(-1) ?? '';
    const shape =
      type === 'list'
        ? { type: 'array', items: { type: 'string' } }
        : type === 'number'
          ? { type, ...bounds(name) }
          : { type };
    at.properties[last] = { description: meaning, default: byDefault, ...shape, ...(choices ? { enum: choices } : {}) };
  }
  return top;
}

function bounds(name: string): object {
  const { least, most } = RANGES[name] ?? { least: 0, most: Number.POSITIVE_INFINITY };
  return {
    ...(Number.isFinite(least) ? { minimum: least } : {}),
    ...(Number.isFinite(most) ? { maximum: most } : {}),
  };
}

interface Table {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Record<string, unknown>;
}

const table = (): Table => ({ type: 'object', additionalProperties: false, properties: {} });

/** docs/configuration.md. */
export function reference(): string {
  const rows = settings.map(({ name, byDefault, choices, meaning }) => {
    const values = choices ? ` (${choices.map((choice) => `\`${choice}\``).join(', ')})` : '';
    return `| \`${name}\` | \`${JSON.stringify(byDefault)}\` | ${meaning}${values} |\n`;
  });
  return `# Configuration

\`~/.config/belay/config.yaml\` (or \`.json\`; \`$XDG_CONFIG_HOME\` counts), data only. A project may only add \`exclude\`, in \`.belayrc\`.
What is left out has its default; a broken setting is named by \`belay config check\` and \`belay doctor\`. It is read anew by every line:
nothing has to be restarted. \`belay config schema\` prints a JSON Schema for editors. This page is made from the same table:
\`npx tsx scripts/configuration-doc.ts\`.

| setting | default | |
| --- | --- | --- |
${rows.join('')}`;
}
