import type { JSX, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UsePoint } from '../documents.ts';
import { bytes, count, moment } from './words.ts';

const HEIGHT = 240;
const EDGE = { left: 64, right: 16, top: 16, bottom: 28 } as const;

/** What checkpoints keep, over time: a step where each was made. Drawn as SVG, so that it has the page's colours in light and in dark. */
export function Chart({ points }: { readonly points: readonly UsePoint[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [at, setAt] = useState<number | undefined>();
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const watcher = new ResizeObserver(() => setWidth(Math.max(260, element.clientWidth)));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return <p class="empty small">Nothing was saved yet.</p>;
  const until = Math.max(Date.now(), last.t);
  const [inner, tall] = [width - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  const top = ceiling(last.bytes);
  const x = (t: number): number => EDGE.left + (inner * (t - first.t)) / Math.max(1, until - first.t);
  const y = (b: number): number => EDGE.top + tall - (tall * b) / top;
  const steps = points.map((point, i) => {
    const before = points[i - 1];
    const from = before === undefined ? '' : `H${x(point.t).toFixed(1)}`;
    return `${from}V${y(point.bytes).toFixed(1)}`;
  });
  const line = `M${x(first.t).toFixed(1)} ${y(0).toFixed(1)}${steps.join('')}H${x(until).toFixed(1)}`;
  const chosen = at === undefined ? undefined : points[at];
  const move = (event: TargetedPointerEvent<SVGSVGElement>): void => {
    const within = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setAt(nearest(points, within, x));
  };
  const keys = (event: TargetedKeyboardEvent<SVGSVGElement>): void => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setAt(Math.min(points.length - 1, Math.max(0, (at ?? points.length - 1) + step)));
  };
  return (
    <div class="chart" ref={box}>
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows go from point to point
        tabIndex={0}
        aria-label={`Content kept by checkpoints, from ${moment(new Date(first.t))}: ${bytes(last.bytes)} in ${count(last.checkpoints, 'checkpoint')} now`}
        onPointerMove={move}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={keys}
        onBlur={() => setAt(undefined)}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <g key={part} class="grid">
            <path d={`M${EDGE.left} ${y(top * part)}H${width - EDGE.right}`} />
            <text x={EDGE.left - 10} y={y(top * part) + 4} text-anchor="end">
              {bytes(Math.round(top * part)).replace('0 bytes', '0')}
            </text>
          </g>
        ))}
        {ticks(first.t, until, inner > 480 ? 5 : 3).map((t, i, all) => (
          <text
            key={t}
            class="tick"
            x={x(t)}
            y={HEIGHT - 8}
            text-anchor={i === 0 ? 'start' : i === all.length - 1 ? 'end' : 'middle'}
          >
            {label(t, until - first.t)}
          </text>
        ))}
        <path class="area" d={`${line}V${y(0)}Z`} />
        <path class="curve" d={line} />
        {chosen !== undefined && (
          <g class="cursor">
            <path d={`M${x(chosen.t)} ${EDGE.top}V${y(0)}`} />
            <circle cx={x(chosen.t)} cy={y(chosen.bytes)} r="4" />
          </g>
        )}
      </svg>
      <p class="reading" aria-live="polite">
        {chosen === undefined
          ? `${bytes(last.bytes)} in ${count(last.checkpoints, 'checkpoint')}`
          : `${moment(new Date(chosen.t))}: ${bytes(chosen.bytes)} in ${count(chosen.checkpoints, 'checkpoint')}`}
      </p>
    </div>
  );
}

/** The next round number above. */
function ceiling(n: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, n)));
  return ([1, 2, 4, 5, 8, 10].find((times) => times * unit >= n) ?? 10) * unit;
}

function nearest(points: readonly UsePoint[], at: number, x: (t: number) => number): number {
  let best = 0;
  points.forEach(({ t }, i) => {
    if (Math.abs(x(t) - at) <= Math.abs(x(points[best]?.t ?? 0) - at)) best = i;
  });
  return best;
}

const ticks = (from: number, to: number, n: number): number[] =>
  Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));

function label(t: number, over: number): string {
  const time = new Date(t);
  if (over < 2 * 86_400_000) return time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
