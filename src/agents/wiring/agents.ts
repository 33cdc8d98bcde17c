import type { Bytes } from '../../platform/bytes.ts';
import { join } from '../../platform/paths.ts';
import { markdownCommands, spokenCommands, tomlCommands } from './commands.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { codexTrusts, hermesTrusts } from './trust.ts';
import type { Place, Wiring } from './wiring.ts';

/** The six agents: which file, which events, which tools. A hook may take a minute; belay takes far less. */

const SECONDS = 60;

const command = (place: Place, agent: string): string => `${place.belay} hook ${agent}`;

/** The same hook for each event, in the shape that the agent wants; tool events with the tools that can change something. */
const events = (
  names: string,
  toolNames: string,
  hook: object,
  matcher: string,
  shape: (hook: object, matcher: string | undefined) => object,
): Record<string, object> =>
  Object.fromEntries([
    ...names.split(' ').map((name) => [name, shape(hook, undefined)] as const),
    ...toolNames.split(' ').map((name) => [name, shape(hook, matcher)] as const),
  ]);

const grouped = (hook: object, matcher: string | undefined): object =>
  matcher === undefined ? { hooks: [hook] } : { matcher, hooks: [hook] };

const flat = (hook: object, matcher: string | undefined): object =>
  matcher === undefined ? hook : { matcher, ...hook };

const folderIn = (place: Place, name: Bytes, variable?: Bytes): Bytes =>
  place.project === undefined ? userFolder(place, name, variable) : join(place.project, name);

const userFolder = (place: Place, name: Bytes, variable?: Bytes): Bytes => {
  const given = variable === undefined ? undefined : place.env.get(variable);
  return given?.startsWith('/') ? given : join(place.home, name);
};

const claude: Wiring = {
  name: 'claude',
  title: 'Claude Code',
  folder: (place) => folderIn(place, '.claude', 'CLAUDE_CONFIG_DIR'),
  pieces: (place) => {
    const folder = claude.folder(place);
    // What a project shares with others is not the place for one person's hooks.
    const file = join(folder, place.project === undefined ? 'settings.json' : 'settings.local.json');
    const hook = { type: 'command', command: command(place, 'claude'), timeout: SECONDS };
    const names = 'SessionStart UserPromptSubmit Notification Stop StopFailure SubagentStop SessionEnd';
    const matcher = 'Bash|Write|Edit|MultiEdit|NotebookEdit|mcp__.*';
    return [
      {
        kind: 'json',
        file,
        events: events(names, 'PreToolUse PostToolUse PostToolUseFailure', hook, matcher, grouped),
      },
      ...markdownCommands(join(folder, 'commands'), 'claude', place.belay),
    ];
  },
};

const codex: Wiring = {
  name: 'codex',
  title: 'Codex CLI',
  folder: (place) => folderIn(place, '.codex', 'CODEX_HOME'),
  pieces: (place) => {
    const folder = codex.folder(place);
    const hook = { type: 'command', command: command(place, 'codex'), timeout: SECONDS };
    const all = events(
      'SessionStart UserPromptSubmit Stop',
      'PreToolUse PostToolUse',
      hook,
      'Bash|apply_patch|mcp__.*',
      grouped,
    );
    return [
      { kind: 'json', file: join(folder, 'hooks.json'), events: all },
      ...(place.project === undefined ? spokenCommands(join(folder, 'prompts'), 'codex', place.belay) : []),
    ];
  },
  nextStep: 'Codex runs a new hook only once you have looked at it: type /hooks in Codex and trust them.',
  trusts: (place) => {
    const { project: _, ...user } = place;
    return codexTrusts(join(codex.folder(user), 'config.toml'), join(codex.folder(place), 'hooks.json'));
  },
};

const gemini: Wiring = {
  name: 'gemini',
  title: 'Gemini CLI',
  folder: (place) => folderIn(place, '.gemini'),
  pieces: (place) => {
    const folder = gemini.folder(place);
    // Its time-outs are milliseconds. It takes any status above 1 for a no, that of a command that is not there, too.
    const hook = {
      name: 'belay',
      type: 'command',
      command: `${command(place, 'gemini')} || :`,
      timeout: SECONDS * 1000,
    };
    const names = 'SessionStart BeforeAgent AfterAgent Notification SessionEnd';
    const matcher = 'run_shell_command|write_file|replace|mcp_.*';
    return [
      {
        kind: 'json',
        file: join(folder, 'settings.json'),
        events: events(names, 'BeforeTool AfterTool', hook, matcher, grouped),
      },
      ...tomlCommands(join(folder, 'commands'), 'gemini', place.belay),
    ];
  },
};

const cursor: Wiring = {
  name: 'cursor',
  title: 'Cursor',
  folder: (place) => folderIn(place, '.cursor'),
  pieces: (place) => {
    const folder = cursor.folder(place);
    const hook = { command: command(place, 'cursor'), timeout: SECONDS };
    const names = 'sessionStart beforeSubmitPrompt beforeShellExecution afterShellExecution stop sessionEnd';
    const matcher = 'Write|StrReplace|Edit|MultiEdit|EditNotebook|TabWrite|Delete|MCP:.*';
    return [
      {
        kind: 'json',
        file: join(folder, 'hooks.json'),
        events: events(names, 'preToolUse postToolUse postToolUseFailure', hook, matcher, flat),
        also: { version: 1 },
      },
      ...spokenCommands(join(folder, 'commands'), 'cursor', place.belay),
    ];
  },
  nextStep: 'Cursor reads hooks when it starts: start it anew.',
};

const opencode: Wiring = {
  name: 'opencode',
  title: 'opencode',
  folder: (place) => {
    if (place.project !== undefined) return join(place.project, '.opencode');
    const config = place.env.get('XDG_CONFIG_HOME');
    return join(config?.startsWith('/') ? config : join(place.home, '.config'), 'opencode');
  },
  pieces: (place) => {
    const folder = opencode.folder(place);
    return [
      { kind: 'own', file: join(folder, 'plugins/belay.js'), text: opencodePlugin(place.belay) },
      ...markdownCommands(join(folder, 'commands'), 'opencode', place.belay),
    ];
  },
};

const HERMES_EVENTS = 'on_session_start pre_llm_call on_session_end on_session_finalize';

const hermes: Wiring = {
  name: 'hermes',
  title: 'Hermes Agent',
  folder: (place) => userFolder(place, '.hermes', 'HERMES_HOME'),
  pieces: (place) => {
    if (place.project !== undefined) return undefined;
    const hook = { command: command(place, 'hermes'), timeout: SECONDS };
    const all = events(
      HERMES_EVENTS,
      'pre_tool_call post_tool_call',
      hook,
      'terminal|write_file|patch|execute_code|mcp_.*',
      flat,
    );
    return [{ kind: 'yaml', file: join(hermes.folder(place), 'config.yaml'), events: all }];
  },
  nextStep: 'Hermes asks once for each hook, at its next start in a terminal: answer y.',
  trusts: (place) => hermesTrusts(join(hermes.folder(place), 'shell-hooks-allowlist.json'), command(place, 'hermes')),
};

export const wirings: readonly Wiring[] = [claude, codex, gemini, opencode, cursor, hermes];

export const wiringOf = (name: string): Wiring | undefined => wirings.find((one) => one.name === name);
