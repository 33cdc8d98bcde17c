import fs from 'node:fs';
import { join } from 'node:path';
import { toText } from '../platform/bytes.ts';
import type { Command } from './command.ts';
import { type Played, play, type Step } from './demo/play.ts';
import { readStory } from './demo/story.ts';
import { forTerminal } from './fold.ts';
import { styleFor } from './style.ts';

/**
 * `belay demo`: the main job, shown and proved. In a throwaway folder a real interactive bash destroys things, belay brings
 * them back, and every file is compared byte for byte, with its mode. Exit 0: all came back; 1: it did not.
 */
export const demo: Command = {
  summary: 'destroy and bring back, in a throwaway folder, at a real prompt',
  usage: ['belay demo [--keep] [--json]'],
  help: '--keep leaves the folder where it is and says where. Nothing of yours is touched.',
  words: 0,
  options: { keep: { type: 'boolean' } },
  async run({ json, values, install }) {
    const place = toText(install);
    const story = readStory(fs.readFileSync(join(place, 'shims/demo-session.bash'), 'utf8'));
    const colour = !json && Boolean(process.stdout.isTTY);
    const show = json ? () => {} : (step: Step) => process.stdout.write(asText(step));
    const played = await play(place, story, { colour, keep: values['keep'] === true }, show);
    return { json: document(played), text: verdict(played), exit: played.ok ? 0 : 1 };
  },
};

function asText(step: Step): string {
  const pc = styleFor(process.stdout);
  switch (step.what) {
    case 'tell':
      return `\n${pc.cyan(step.text)}\n\n`;
    case 'type':
      return `  ${pc.dim('shop $')} ${pc.bold(step.line)}\n${indented(step.output)}`;
    case 'expect': {
      const paths = `${step.differs.length} ${step.differs.length === 1 ? 'path is' : 'paths are'}`;
      if (!step.ok)
        return step.state === 'whole'
          ? pc.red(`  FAILED: not everything is back:\n${step.differs.map((line) => `    ${line}\n`).join('')}`)
          : pc.red('  FAILED: nothing was destroyed, so there is nothing to show\n');
      if (step.state === 'whole') return pc.green('  ✓ every byte and every mode is back\n');
      return step.state === 'hurt'
        ? pc.yellow(`  ✗ ${paths} gone or changed\n`)
        : pc.green(`  ✓ ${paths} as the accident left them, as it was asked for\n`);
    }
  }
}

const indented = (text: string): string => {
  const lines = text.replace(/\n+$/, '');
  return lines === '' ? '' : `${lines.replace(/^(?=.)/gm, '  ')}\n`;
};

function verdict(played: Played): string {
  const pc = styleFor(process.stdout);
  const seconds = (played.ms / 1000).toFixed(1);
  const shell =
    played.on === 'pty' ? 'a real bash on a terminal' : 'a real bash (no `script` here, so without a terminal)';
  if (played.ok)
    return `\n${forTerminal(`${pc.green('belay works here')}: ${shell}, ${played.files} files compared byte for byte, ${seconds} s.`, process.stdout)}\n${
      played.folder === undefined ? '' : `The folder is kept: ${played.folder}\n`
    }`;
  return `\n${pc.red('belay demo FAILED')} after ${seconds} s. \`belay doctor\` may say why; the folder is kept: ${played.folder}\n`;
}

const document = (played: Played) => ({
  ok: played.ok,
  terminal: played.on,
  files: played.files,
  took_ms: played.ms,
  steps: played.steps,
  ...(played.folder === undefined ? {} : { folder: played.folder }),
});
