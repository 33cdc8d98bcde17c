/** One curve of a panel: a value a day. */
export interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly values: readonly number[];
}

export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  /** A line across: what must not be passed. */
  readonly limit?: { readonly name: string; readonly value: number };
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 64;
const RIGHT = 16;
const TOP = 34;
const BOTTOM = 26;

/** Panels below each other, days from left to right, each from zero to a little more than its largest value. */
export function svgOf(panels: readonly Panel[]): string {
  const height = panels.length * HEIGHT;
  const body = panels.map((panel, i) => `<g transform="translate(0 ${i * HEIGHT})">${panelOf(panel)}</g>`).join('\n');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    body,
    '</svg>\n',
  ].join('\n');
}

function panelOf({ title, unit, curves, limit }: Panel): string {
  const most = Math.max(limit?.value ?? 0, ...curves.flatMap(({ values }) => values)) * 1.1 || 1;
  const days = Math.max(...curves.map(({ values }) => values.length));
  const x = (day: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * day) / Math.max(1, days - 1);
  const y = (value: number): number => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / most;
  const round = (value: number): string => value.toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = (most / 1.1) * part;
    const label = value >= 10 ? value.toFixed(0) : value.toFixed(1);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="#ddd"/><text x="${LEFT - 6}" y="${round(y(value) + 4)}" text-anchor="end" fill="#555">${label}</text>`;
  });
  const names = curves.map(
    ({ name, colour }, i) => `<text x="${LEFT + 260 + i * 150}" y="18" fill="${colour}">— ${name}</text>`,
  );
  const lines = curves.map(({ values, colour }) => {
    const points = values.map((value, day) => `${round(x(day))},${round(y(value))}`).join(' ');
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.6" points="${points}"/>`;
  });
  const line =
    limit === undefined
      ? ''
      : `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(limit.value))}" y2="${round(y(limit.value))}" stroke="#c00" stroke-dasharray="5 4"/><text x="${WIDTH - RIGHT}" y="${round(y(limit.value) - 4)}" text-anchor="end" fill="#c00">${limit.name}</text>`;
  const days5 = Array.from({ length: Math.ceil(days / 5) }, (_, i) => i * 5);
  const ticks = days5.map(
    (day) => `<text x="${round(x(day))}" y="${HEIGHT - 8}" text-anchor="middle" fill="#555">day ${day + 1}</text>`,
  );
  return [
    `<text x="${LEFT}" y="18" font-weight="bold">${title}, ${unit}</text>`,
    ...names,
    ...grid,
    line,
    ...lines,
    ...ticks,
  ].join('');
}
