import { toText } from '../platform/bytes.ts';
import { basename } from '../platform/paths.ts';
import { CHARACTERS } from './grown.ts';
import type { Story, TurnStory } from './story.ts';
import { titleFor } from './titles.ts';

/**
 * What an agent, or a person, has to know to go on: the newest turns whole, older ones as what was asked and what changed, within so
 * many tokens. The same record gives the same text.
 */
export function briefOf(session: string, story: Story, tokens: number): string {
  const title = story.title === undefined ? titleFor(story) : toText(story.title);
  const head = [
    `Session ${session}: ${title ?? 'nothing done yet'}`,
    ...(story.beginning === undefined ? [] : [`Began in ${toText(story.beginning.cwd)} (${story.beginning.source})`]),
    ...(story.summary === undefined ? [] : [`Before that: ${toText(story.summary)}`]),
  ];
  const room = tokens * CHARACTERS - head.join('\n').length;
  const turns = [...story.turns].reverse();
  const out: string[] = [];
  let used = 0;
  let isWhole = true;
  for (const [i, turn] of turns.entries()) {
    const whole = wholeTurn(turn);
    // At most half of it for the newest turns as they were: the rest is for what led there.
    isWhole &&= used + whole.length <= room / 2;
    const text = isWhole ? whole : shortTurn(turn);
    if (used + text.length + 1 > room) {
      const left = turns.length - i;
      out.push(`(${left} earlier ${left === 1 ? 'turn' : 'turns'} left out: belay sessions show ${session})`);
      break;
    }
    out.push(text);
    used += text.length + 1;
  }
  return `${[...head, ...out.reverse()].join('\n')}\n`;
}

const line = (text: string, most: number): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
};

const nameOf = ({ label, commands }: TurnStory, most: number): string =>
  line(toText(label ?? commands.map((one) => one.line).join('; ')), most);

const changesOf = ({ checkpoints, writes, undone }: TurnStory): string => {
  const files = [
    ...new Set([...checkpoints.flatMap(({ paths }) => paths), ...writes.map(({ path }) => basename(path))]),
  ];
  const named = files.slice(0, 8).map(toText).join(', ') + (files.length > 8 ? `, and ${files.length - 8} more` : '');
  const numbers = checkpoints.map(({ n }) => n);
  return [
    ...(files.length === 0 ? [] : [`changed ${named}`]),
    ...(numbers.length === 0 ? [] : [`checkpoint ${numbers.join(', ')}`]),
    ...(undone ? ['undone since'] : []),
  ].join('; ');
};

const shortTurn = (turn: TurnStory): string => {
  const changes = changesOf(turn);
  return `- turn ${turn.turn}: ${nameOf(turn, 120)}${changes === '' ? '' : ` (${changes})`}`;
};

function wholeTurn(turn: TurnStory): string {
  const changes = changesOf(turn);
  const commands = turn.label === undefined ? [] : turn.commands;
  return [
    `turn ${turn.turn}: ${nameOf(turn, 2000)}${changes === '' ? '' : ` (${changes})`}`,
    ...commands.map(({ line: text, exit }) => `  $ ${line(toText(text), 500)}${exit ? ` → exit ${exit}` : ''}`),
    ...turn.messages
      .filter(({ role, text }) => role === 'assistant' && text !== '')
      .map(({ text }) => `  said: ${line(toText(text), 1500)}`),
  ].join('\n');
}
