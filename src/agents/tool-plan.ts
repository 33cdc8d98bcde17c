import { planLine } from '../effects/plan.ts';
import { NO_SUCH_PROGRAM } from '../effects/program.ts';
import type { Plan, Target } from '../effects/types.ts';
import { type Bytes, fromText } from '../platform/bytes.ts';
import { lookAt, realAsFar, realParent } from '../platform/files.ts';
import { isInside, relativeTo, resolve } from '../platform/paths.ts';
import type { FileChange, Tool } from './event.ts';
import { unwrapped } from './wrapping.ts';

/** What a tool call can destroy, and how a person reads it. */
export interface ToolPlan {
  readonly plan: Plan;
  readonly line: Bytes;
  /** It may change something. */
  readonly writes: boolean;
  readonly cwd: Bytes;
  /** It goes on after the tool has answered. */
  readonly background: boolean;
}

export function planTool(tool: Tool, folder: Bytes, env: ReadonlyMap<Bytes, Bytes>): ToolPlan {
  switch (tool.kind) {
    case 'reads':
      return { plan: NOTHING, line: '', writes: false, cwd: folder, background: false };
    case 'opaque':
      return planned(opaquePlan(fromText(tool.name), folder), fromText(tool.name), folder);
    case 'files':
      return planned(filesPlan(tool.name, tool.files, folder), namesOf(tool.files, folder), folder);
    case 'shell': {
      const cwd = tool.cwd === undefined ? folder : realAsFar(resolve(folder, tool.cwd));
      const line = unwrapped(tool.text);
      const plan = both(planText(tool.text, cwd, env), line === tool.text ? NOTHING : planText(line, cwd, env));
      const whole = { ...plan, captures: [...plan.captures, ...unforeseen(tool, plan, cwd)] };
      return { ...planned(whole, line, cwd), background: tool.background };
    }
  }
}

const planText = (text: Bytes, cwd: Bytes, variables: ReadonlyMap<Bytes, Bytes>): Plan =>
  planLine({
    text,
    shell: 'bash',
    cwd,
    variables,
    aliases: new Map(),
    functions: new Map(),
    options: new Set(),
  });

/** What the text does, and what the command inside it would do by itself: a wrapping may hide that, by a file that is not here. */
function both(text: Plan, command: Plan): Plan {
  const paths = new Set(text.targets.map(({ path }) => path));
  const repositories = new Set(text.git.map(({ gitDir }) => gitDir));
  return {
    ...text,
    destructive: text.destructive || command.destructive,
    effects: [...text.effects, ...command.effects],
    targets: [...text.targets, ...command.targets.filter(({ path }) => !paths.has(path))],
    git: [...text.git, ...command.git.filter(({ gitDir }) => !repositories.has(gitDir))],
    captures: [...text.captures, ...command.captures],
    verbs: [...new Set([...text.verbs, ...command.verbs])],
    remarks: [...text.remarks, ...command.remarks],
  };
}

const planned = (plan: Plan, line: Bytes, cwd: Bytes): ToolPlan => ({
  plan,
  line,
  cwd,
  background: false,
  writes: plan.targets.length > 0 || plan.git.length > 0 || plan.captures.length > 0,
});

/** A shell of its own, to which the agent writes later (Codex' `write_stdin`): of that no hook is told. */
const SHELL_ALONE = /^\s*(?:exec\s+)?(?:\/\S*\/)?(?:ba|da|fi|k|z)?sh(?:\s+-{1,2}[a-z]+)*\s*$/;

/**
 * What a command that writes names may lie somewhere else in the project than where it was looked for; and a name that is no program
 * here may be one that only the agent's own shell knows (an alias or a function of the user's, Codex' `apply_patch`).
 */
function unforeseen(tool: Extract<Tool, { kind: 'shell' }>, plan: Plan, folder: Bytes): Plan['captures'] {
  const elsewhere = tool.drifts === true && plan.effects.length > 0;
  const stranger = plan.remarks.find((remark) => remark.endsWith(NO_SUCH_PROGRAM));
  const alone = SHELL_ALONE.test(tool.text);
  if (!elsewhere && !alone && stranger === undefined) return [];
  return [
    { folder, why: 'opaque', verb: alone ? tool.text.trim() : (plan.verbs[0] ?? stranger?.replace(/:.*/, '') ?? '?') },
  ];
}

const NOTHING: Plan = {
  destructive: false,
  parsed: true,
  effects: [],
  targets: [],
  git: [],
  captures: [],
  dirs: [],
  projects: [],
  verbs: [],
  unknownPrograms: [],
  remarks: [],
};

export const opaquePlan = (verb: Bytes, folder: Bytes): Plan => ({
  ...NOTHING,
  captures: [{ folder, why: 'opaque', verb }],
  verbs: [verb],
  unknownPrograms: [verb],
});

function filesPlan(name: string, files: readonly FileChange[], folder: Bytes): Plan {
  const targets = files.flatMap((file) => targetsOf(file, folder));
  return { ...NOTHING, destructive: true, targets, verbs: [fromText(name)] };
}

/** A tool may write through a link or put a file in its place: both ends are held. */
function targetsOf(file: FileChange, folder: Bytes): Target[] {
  const path = placeOf(file.path, folder);
  const plain = { recursive: file.does !== 'write', deferred: false, exposed: true };
  if (file.does === 'delete') return [{ ...plain, path, way: 'delete' }];
  const end = lookAt(path)?.type === 'link' ? realAsFar(path) : path;
  return [...new Set([path, end])].map((one) => ({ ...plain, path: one, way: 'write-in-place' }));
}

const placeOf = (path: Bytes, folder: Bytes): Bytes => realParent(resolve(folder, path));

const namesOf = (files: readonly FileChange[], folder: Bytes): Bytes =>
  files
    .map(({ path }) => resolve(folder, path))
    .map((path) => (isInside(path, folder) ? relativeTo(folder, path) : path))
    .join(', ');
