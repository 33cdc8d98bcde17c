/** What was printed, and when: seconds since the beginning. */
export interface Event {
  readonly at: number;
  readonly text: string;
}

export interface Cast {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly events: readonly Event[];
}

/** asciicast v2: a header, then an event a line. */
export const writeCast = ({ width, height, title, events }: Cast): string =>
  [
    { version: 2, width, height, title, env: { SHELL: '/bin/bash', TERM: 'xterm-256color' } },
    ...events.map(({ at, text }) => [at, 'o', text]),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

export function readCast(text: string): Cast {
  const [head = '{}', ...lines] = text.trimEnd().split('\n');
  const { width, height, title } = JSON.parse(head) as Cast;
  const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
  return { width, height, title, events: events.map(([at, , printed]) => ({ at, text: printed })) };
}
