import { planLine } from '../effects/plan.ts';
import { type Bytes, toText } from '../platform/bytes.ts';
import { environment } from '../platform/home.ts';
import { resolve } from '../platform/paths.ts';
import { type Command, wrongUsage } from './command.ts';
import { explainJson } from './explain-json.ts';
import { asShell, lineToExplain } from './explain-line.ts';
import { explainText } from './explain-text.ts';

/** What a line would destroy and what belay would save; runs nothing. */
export const explain: Command = {
  summary: 'what a command line would destroy; runs nothing',
  usage: ["belay explain [--cwd DIR] [--shell bash|zsh|fish|sh] [--json] -- 'LINE'"],
  strayOption: "the line goes behind --, in quotes: belay explain -- 'rm -rf build'",
  options: {
    cwd: { type: 'string' },
    shell: { type: 'string' },
  },
  run: ({ words, values, cwd: here }) => {
    const shell = asShell(typeof values['shell'] === 'string' ? values['shell'] : 'bash');
    if (shell === undefined)
      throw wrongUsage(`--shell is bash, zsh, fish or sh, not '${toText(String(values['shell']))}'`);
    if (words.length === 0) throw wrongUsage("a line to explain is missing: belay explain -- 'rm -rf build'");
    const cwd = typeof values['cwd'] === 'string' ? resolve(here ?? '/', values['cwd']) : here;
    const line: Bytes = words.join(' ');
    const plan = planLine(lineToExplain(line, shell, cwd, environment()));
    return { json: explainJson(plan), text: explainText(line, plan, cwd) };
  },
};
