import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What opens the page: known to this process and to the browser that came with the token. */
export interface Keys {
  /** In the printed address; dies with its first use. */
  token: string | undefined;
  /** The cookie: HttpOnly, SameSite=Strict. */
  readonly cookie: string;
  /** Kept by the page itself: browsers send a cookie to every port of a host, this they do not. */
  readonly page: string;
}

const random = (): string => randomBytes(24).toString('base64url');

export const newKeys = (): Keys => ({ token: random(), cookie: random(), page: random() });

export interface Asked {
  readonly method: string;
  /** As it came, before anything decodes it; without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type Verdict =
  /** The token: exchanged for the cookie. */
  | { readonly is: 'opening' }
  | { readonly is: 'file' }
  | { readonly is: 'question' }
  | { readonly is: 'order' }
  | { readonly is: 'refused'; readonly status: number; readonly why: string };

const no = (status: number, why: string): Verdict => ({ is: 'refused', status, why });

const OPENING = '/open/';
const API = '/api/';
export const KEY_HEADER = 'x-belay-key';
const POLL_HEADER = 'x-belay-poll';
export const cookieName = (port: number): string => `belay-${port}`;

/**
 * Who may ask. A name that was bent to 127.0.0.1 (DNS rebinding) comes with a foreign Host; another site's page with a foreign Origin
 * or Sec-Fetch-Site; another server of this machine may have the cookie, but never the page's key; other users have none of them.
 */
export function judge(asked: Asked, keys: Keys, port: number): Verdict {
  const { method, path, headers } = asked;
  const host = headers.host ?? '';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return no(421, `this page is at 127.0.0.1:${port} and nowhere else`);
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return no(403, 'another site may not ask here');
  const site = headers['sec-fetch-site'];
  if (path.startsWith(OPENING)) {
    if (method !== 'GET') return no(405, 'an address is opened with GET');
    if (/prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''}${headers['purpose'] ?? ''}`))
      return no(503, 'an address that works once is not opened ahead of time');
    if (keys.token === undefined || !same(path.slice(OPENING.length), keys.token))
      return no(403, 'this address has been used, or never was one: end `belay ui` and start it again for another');
    return { is: 'opening' };
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return no(403, 'another site may not ask here');
  if (!same(cookieOf(headers.cookie, cookieName(port)), keys.cookie))
    return no(403, 'this page opens with the address that `belay ui` has printed, and only in that browser');
  if (!path.startsWith(API))
    return method === 'GET' || method === 'HEAD' ? { is: 'file' } : no(405, 'a file is fetched with GET');
  const key = headers[KEY_HEADER];
  if (typeof key !== 'string' || !same(key, keys.page))
    return no(403, 'this page opens with the address that `belay ui` has printed');
  if (method === 'GET') return { is: 'question' };
  if (method !== 'POST') return no(405, 'it is GET or POST');
  if (origin === undefined) return no(403, 'a restore is asked for by the page itself');
  if (headers['content-type'] !== 'application/json') return no(415, 'a restore is asked for in JSON');
  return { is: 'order' };
}

/** A page that looks for news by itself is nobody who asks. */
export const isPoll = (headers: IncomingHttpHeaders): boolean => headers[POLL_HEADER] !== undefined;

function cookieOf(header: string | undefined, name: string): string {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return '';
}

/** Takes as long for a near miss as for a far one. */
function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
