import { type Bytes, toText } from '../../platform/bytes.ts';
import { configFolder, loadConfig } from '../../platform/config.ts';
import { readBytesIfAny } from '../../platform/files.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import type { Patient } from './patient.ts';

/** The user's configuration, and what in it switches belay off. */
export async function checkSettings({ env }: Patient): Promise<readonly Finding[]> {
  const { config, problems, file } = await loadConfig(env);
  const name = toText(file ?? `${configFolder(env) ?? '~/.config/belay'}/config.yaml`);
  const found: Finding[] = problems.map((problem) => {
    const place = file === undefined ? '' : position(file, problem);
    return wrong(
      'configuration',
      `${name}${place}: ${strip(problem, name)}`,
      `edit ${name}; until then the default counts`,
    );
  });
  if (problems.length === 0) found.push(fine('configuration', file === undefined ? 'none: the defaults' : name));
  if (!config.checkpoints.enabled)
    found.push(wrong('enabled', `${name} has enabled: false: nothing is saved`, `set enabled: true in ${name}`));
  if (!config.checkpoints.hold.enabled)
    found.push(
      wrong('enabled', `${name} has hold.enabled: false: named files are not held`, `set it to true in ${name}`),
    );
  if (config.checkpoints.on_unsaved === 'refuse')
    found.push(note('configuration', 'on_unsaved: refuse: a line whose targets cannot be saved is not run'));
  return found;
}

const strip = (problem: string, name: string): string =>
  problem.startsWith(`${name}: `) ? problem.slice(name.length + 2) : problem;

/** Line of a setting in its file (`:3`), found by its last name; a parser's own message has its position in it. */
function position(file: Bytes, problem: string): string {
  const setting = /^([\w.]+): (?:no such setting|expected )/.exec(problem)?.[1]?.split('.').at(-1);
  if (setting === undefined) return '';
  const lines = (readBytesIfAny(file)?.toString('utf8') ?? '').split('\n');
  const at = lines.findIndex((line) => new RegExp(`(^|[\\s{,"'])${setting}["']?\\s*:`).test(line));
  return at < 0 ? '' : `:${at + 1}`;
}
