import type { Refusal } from '../documents.ts';

/** belay has refused, in its own words. */
export class Refused extends Error implements Refusal {
  readonly code: string;
  readonly hint?: string;
  readonly unchanged?: string;
  /** HTTP's: below 500 it was refused before anything was touched. */
  readonly status: number;

  constructor({ code, message, hint, unchanged }: Refusal, status: number) {
    super(message);
    this.code = code;
    this.status = status;
    if (hint !== undefined) this.hint = hint;
    if (unchanged !== undefined) this.unchanged = unchanged;
  }
}

/** Nobody answers any more: `belay ui` has ended, or this browser has not come with its address. */
export class Gone extends Error {
  /** The gate has said so: what was asked for was not begun. Else the connection broke, and nobody knows. */
  readonly isTurnedAway: boolean;

  constructor(message: string, isTurnedAway: boolean) {
    super(message);
    this.isTurnedAway = isTurnedAway;
  }
}

/** Whether what was ordered was not even begun. */
export const isRefusal = (error: Error): boolean =>
  (error instanceof Refused && error.status < 500) || (error instanceof Gone && error.isTurnedAway);

const STORED = 'belay-key';

/** The page's own key comes behind the address and is kept for further tabs: no server ever sees it there. */
function takeKey(): string {
  const given = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    localStorage.setItem(STORED, given);
    history.replaceState(null, '', '/');
  }
  return given ?? localStorage.getItem(STORED) ?? '';
}

const key = takeKey();

/** The document at /api/NAME. `poll`: the page itself looks for news, which keeps no server alive. */
export async function ask<T>(name: string, words: Record<string, string> = {}, poll = false): Promise<T> {
  const query = new URLSearchParams(words).toString();
  return answered(
    await reached(`/api/${name}${query === '' ? '' : `?${query}`}`, {
      headers: { 'x-belay-key': key, ...(poll ? { 'x-belay-poll': '1' } : {}) },
    }),
  );
}

export async function order<T>(name: string, given: unknown): Promise<T> {
  return answered(
    await reached(`/api/${name}`, {
      method: 'POST',
      headers: { 'x-belay-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(given),
    }),
  );
}

async function reached(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch {
    throw new Gone('belay ui has ended', false); // a connection that fails on this machine has nobody at its other end
  }
}

async function answered<T>(response: Response): Promise<T> {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) {
    const said = (await response.text()).replace(/^belay: /, '').trim();
    throw response.status === 403
      ? new Gone(said, true)
      : new Refused({ code: 'failed', message: said }, response.status);
  }
  const document = await response.json();
  if (!response.ok) throw new Refused((document as { error: Refusal }).error, response.status);
  return document as T;
}
