import { type Bytes, toText } from '../../platform/bytes.ts';
import { lookAt, readBytesIfAny, realPath } from '../../platform/files.ts';
import { isObject } from '../json.ts';
import { isOurs } from './wiring.ts';

/** Whether an agent has been told by its person that it may run the hook, as far as its own files say so. */

const textOf = (file: Bytes): string | undefined => readBytesIfAny(file)?.toString('utf8');

const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // a damaged file names nothing: the agent reads nothing from it, either
  }
};

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
};

/**
 * Codex: for each hook a table in its settings, named by the file of hooks, the event and the places in its lists, with the hash that was
 * trusted (`[hooks.state."/home/me/.codex/hooks.json:pre_tool_use:0:0"]`). A hook that was altered since is not run, either; that hash is
 * Codex' own. `settings` is its config.toml, `hooks` the file in which ours are.
 */
export function codexTrusts(settings: Bytes, hooks: Bytes): boolean {
  const groups = listIn(isObjectIn(parsed(textOf(hooks)), 'hooks'), 'PreToolUse');
  const group = groups.findIndex((one) => listIn(one, 'hooks').some((hook) => isOurs(hook, 'codex')));
  if (group < 0) return false;
  const at = listIn(groups[group], 'hooks').findIndex((hook) => isOurs(hook, 'codex'));
  const files = [hooks, ...(lookAt(hooks) === undefined ? [] : [realPath(hooks)])];
  const names = files.map((file) => `${toText(file)}:pre_tool_use:${group}:${at}`);
  const tables = (textOf(settings) ?? '').split(/^\s*\[/m);
  return tables.some((table) => {
    const name = /^hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*\]/.exec(table);
    const key = name?.[2] ?? name?.[1]?.replace(/\\(["\\])/g, '$1');
    return (
      key !== undefined &&
      names.includes(key) &&
      /^\s*trusted_hash\s*=/m.test(table) &&
      !/^\s*enabled\s*=\s*false/m.test(table)
    );
  });
}

const isObjectIn = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Hermes: a list of the commands that were approved, event by event. */
export const hermesTrusts = (list: Bytes, command: string): boolean =>
  listIn(parsed(textOf(list)), 'approvals')
    .filter(isObject)
    .some((one) => one['event'] === 'pre_tool_call' && one['command'] === command);
