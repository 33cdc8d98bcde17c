import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/** Lines as people type them, of builtins only, so that no other program's start hides what belay adds. */
const LINES = [
  ':',
  'cd .',
  'echo "hello $USER" >/dev/null',
  "printf '%s\\n' one two three >/dev/null",
  '[ -e /etc/passwd ] && true || false',
  'test -d . ; pwd >/dev/null',
  'type -t ls >/dev/null 2>&1',
];

/** What every prompt pays: a line that can destroy nothing. */
export function harmless(place: Place, count: number): readonly Row[] {
  const lines = Array.from({ length: count }, (_, i) => LINES[i % LINES.length] ?? ':');
  const bare: number[] = [];
  const belay: number[] = [];
  for (let round = 0; round < 3; round++) {
    bare.push(...atPrompt(undefined, lines, { cwd: top, env: bareEnvironment(top) }));
    belay.push(...atPrompt(place, lines, { cwd: top, env: place.env }));
  }
  return [
    {
      what: 'harmless line at the prompt, bash',
      figure: figure(belay),
      beside: { what: 'bash without belay', figure: figure(bare) },
    },
  ];
}
