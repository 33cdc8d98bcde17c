import { spawnSync } from 'node:child_process';
import { figure, type Row } from '../measure.ts';
import { bareEnvironment, type Place, top } from '../place.ts';
import { atPrompt } from '../prompt.ts';

/** Lines as people type them, of builtins only, so that no other program's start hides what belay adds. */
const LINES = [
  'true',
  'cd .',
  'echo "hello $USER" >/dev/null',
  "printf '%s\\n' one two three >/dev/null",
  '[ -e /etc/passwd ] && true || false',
  'test -d . ; pwd >/dev/null',
  'type ls >/dev/null 2>&1',
];

/** What every prompt pays for a line that can destroy nothing: to judge it, and with the record of it. */
export function harmless(place: Place, count: number): readonly Row[] {
  const shells = (['bash', 'zsh', 'fish'] as const).filter(
    (shell) => spawnSync(shell, ['-c', shell === 'fish' ? 'command -q script' : ':']).status === 0,
  );
  const lines = Array.from({ length: count }, (_, i) => LINES[i % LINES.length] ?? ':');
  return shells.flatMap((shell) => {
    const [bare, judged, recorded]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < 3; round++) {
      bare.push(...atPrompt(undefined, lines, { cwd: top, env: bareEnvironment(top), shell }));
      judged.push(...atPrompt(place, lines, { cwd: top, env: place.env, shell, record: 'off' }));
      recorded.push(...atPrompt(place, lines, { cwd: top, env: place.env, shell }));
    }
    const beside = { what: `${shell} without belay`, figure: figure(bare) };
    return [
      { what: `harmless line at the prompt, ${shell}`, figure: figure(judged), beside },
      { what: `harmless line and its record, ${shell}`, figure: figure(recorded), beside },
    ];
  });
}
