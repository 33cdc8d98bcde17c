import type { JSX } from 'preact';
import type { StoreStatus, StoreUse } from '../documents.ts';
import { ask } from './ask.ts';
import { Chart } from './chart.tsx';
import { CommandLine } from './copy.tsx';
import { useLoaded } from './loading.ts';
import { Said } from './text.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { bytes, count, span } from './words.ts';

/** What it all takes. */
export function Store({ stamp }: { readonly stamp: string }): JSX.Element {
  const use = useLoaded(`use|${stamp}`, () => ask<StoreUse>('store/use'));
  const status = useLoaded(`status|${stamp}`, () => ask<StoreStatus>('store/status'));
  return (
    <div class="sheet">
      <h2>Store</h2>
      {use.is === 'waiting' && <Waiting />}
      {use.is === 'failed' && <Trouble error={use.error} />}
      {use.is === 'there' && <Use use={use.value} />}
      <h3>By project</h3>
      {status.is === 'waiting' && <Waiting />}
      {status.is === 'failed' && <Trouble error={status.error} />}
      {status.is === 'there' && <ByProject status={status.value} />}
    </div>
  );
}

function Use({ use }: { readonly use: StoreUse }): JSX.Element {
  const {
    points,
    store_bytes: store,
    holds_bytes: holds,
    limit_bytes: limit,
    limit_mb: most,
    base,
    retention_days: days,
  } = use;
  return (
    <>
      <div class="figures">
        <Figure value={bytes(store)} text="in the store, on disk" />
        <Figure value={bytes(holds)} text="in held files, on disk" />
        <Figure value={(points.at(-1)?.checkpoints ?? 0).toLocaleString('en')} text="checkpoints" />
      </div>
      {limit !== null && (
        <div class="limit">
          <meter min={0} max={limit} high={limit * 0.9} value={Math.min(store, limit)}>
            {bytes(store)} of {most} MiB
          </meter>
          <p class="quiet">
            {bytes(store)} of at most {most} MiB (max_total_size_mb). Checkpoints go after {count(days, 'day')}{' '}
            (retention_days), the oldest first.
          </p>
        </div>
      )}
      <h3>Over time</h3>
      <Chart points={points} />
      <p class="quiet">
        Contents that the checkpoints which are still there keep, each content once, uncompressed. What has been let go
        is not in it, and captures of whole projects are not: nobody noted how large the store was in the past.
      </p>
      <p class="quiet">
        It lies in{' '}
        <span class="mono">
          <Said text={base} />
        </span>
        .
      </p>
    </>
  );
}

const Figure = ({ value, text }: { readonly value: string; readonly text: string }): JSX.Element => (
  <div class="figure">
    <strong>{value}</strong>
    <span class="quiet">{text}</span>
  </div>
);

function ByProject({ status: { projects } }: { readonly status: StoreStatus }): JSX.Element {
  if (projects.length === 0) return <p class="empty small">Nothing was saved yet.</p>;
  const sorted = [...projects].sort((a, b) => b.bytes - a.bytes);
  return (
    <>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" class="right">
              Checkpoints
            </th>
            <th scope="col">Last touched</th>
            <th scope="col" class="right">
              Alone
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ key, workdir, checkpoints, last_touch: touched, bytes: alone, state }) => (
            <tr key={key}>
              <th scope="row" class="mono">
                <Said text={workdir} /> {state !== 'live' && <span class="badge warn">{state}</span>}
              </th>
              <td class="right" data-label="Checkpoints">
                {checkpoints.toLocaleString('en')}
              </td>
              <td data-label="Last touched">{span((Date.now() - new Date(touched).getTime()) / 1000)}</td>
              <td class="right" data-label="Alone">
                {bytes(alone)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">Alone: what letting all of that project go would give back. To let go what is old:</p>
      <CommandLine text="belay checkpoints prune" />
    </>
  );
}
