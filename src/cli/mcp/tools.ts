import { z } from 'zod';
import type { Bytes } from '../../platform/bytes.ts';
import { fromText } from '../../platform/bytes.ts';

/** The tools of `belay mcp`: what an agent reads of each, and the command line that it stands for. */

const checkpoint = z
  .string()
  .describe('A checkpoint: its number, the beginning of its id, "last", or "@K" for the K-th newest');
const paths = z.array(z.string()).optional().describe('Only these paths (git pathspecs, from the project folder)');
const all = z.boolean().optional().describe('Also files that were edited by hand since');
const dryRun = z.boolean().optional().describe('Say what would be done, change nothing');

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly writes: boolean;
  readonly words: (given: Readonly<Record<string, unknown>>) => readonly Bytes[];
}

const flag = (on: unknown, name: string): string[] => (on === true ? [name] : []);
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const one = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Options first, then `--`: what an agent names is never taken for an option. */
const line = (command: string, options: readonly string[], words: readonly string[] = []): Bytes[] =>
  [command, '--json', ...options, ...(words.length > 0 ? ['--', ...words] : [])].map(fromText);

export const TOOLS: readonly Tool[] = [
  {
    name: 'list',
    description: 'Checkpoints of this project, newest first: number, time, reason, what each changed.',
    input: {},
    writes: false,
    words: () => line('list', []),
  },
  {
    name: 'diff',
    description: 'What differs now from how things were before a checkpoint (without one: before the newest).',
    input: { checkpoint: checkpoint.optional() },
    writes: false,
    words: (given) => line('diff', [], one(given['checkpoint'])),
  },
  {
    name: 'show',
    description: 'What the turn of a checkpoint itself changed (without one: the newest).',
    input: { checkpoint: checkpoint.optional() },
    writes: false,
    words: (given) => line('show', [], one(given['checkpoint'])),
  },
  {
    name: 'session_search',
    description:
      'What was run and said in earlier sessions of this person and their agents. mode: discovery (words; ranked sessions with snippets), scroll (session, around: events around that number), read (session: all of it), browse (newest events).',
    input: {
      mode: z.enum(['discovery', 'scroll', 'read', 'browse']).optional(),
      query: z.string().optional().describe('Words (all of them), a OR b, a NOT b, "a phrase", pre*'),
      session: z.string().optional().describe('An id, the beginning of one, a title, or "last"'),
      around: z.number().int().optional(),
      limit: z.number().int().optional(),
    },
    writes: false,
    words: ({ mode = 'discovery', query, session, around: at, limit }) => {
      const most = typeof limit === 'number' ? ['--limit', String(limit)] : [];
      const of = typeof session === 'string' ? session : 'last';
      const modes: Record<string, readonly string[]> = {
        discovery: [
          'search',
          ...most,
          ...(typeof session === 'string' ? ['--in', session] : []),
          '--',
          String(query ?? ''),
        ],
        scroll: ['search', '--in', of, '--around', String(at ?? 0)],
        read: ['show', '--', of],
        browse: ['search', '--browse', ...most],
      };
      return ['sessions', '--json', ...(modes[String(mode)] ?? [])].map(fromText);
    },
  },
  {
    name: 'undo',
    description:
      'Take back the newest turn of this conversation that changed files. Edits made by hand since are kept and listed. Again: the turn before. Can itself be undone.',
    input: { all, dry_run: dryRun },
    writes: true,
    words: (given) => line('undo', [...flag(given['all'], '--all'), ...flag(given['dry_run'], '--dry-run')]),
  },
  {
    name: 'rollback',
    description:
      'Files back to before a checkpoint, or only some paths of it. Edits made by hand since are kept and listed. Can itself be undone.',
    input: { checkpoint, paths, all, dry_run: dryRun },
    writes: true,
    words: (given) =>
      line(
        'rollback',
        [...flag(given['all'], '--all'), ...flag(given['dry_run'], '--dry-run')],
        [...one(given['checkpoint']), ...list(given['paths'])],
      ),
  },
];
