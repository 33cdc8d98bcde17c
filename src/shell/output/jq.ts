import { fromText, isText, toText } from '../../platform/bytes.ts';
import type { Printer } from './table.ts';

/** `.a`, `."a b"`, `.[]`, `[]`, `[0]`, `["a"]`, each with or without `?`; `|` goes on with what came out. */
const STEP = /^\s*(?:\|\s*)?(?:\.?(?:"([^"\\]*)"|([A-Za-z_]\w*))|\.?\[(?:"([^"\\]*)"|(\d+)|)\])(\??)/;

/** jq(1) as a filter of names: a path into one document, and what lies there. Undefined for anything else. */
export const jq: Printer = ({ args, input }) => {
  const raw = args.some((arg) => /^-(r|-raw-output)$/.test(arg));
  const words = args.filter((arg) => !/^-(r|c|-raw-output|-compact-output)$/.test(arg));
  const [path, ...more] = words;
  if (input === undefined || path === undefined || more.length > 0 || path.startsWith('-') || !isText(input))
    return undefined;
  let document: unknown;
  try {
    document = JSON.parse(toText(input));
  } catch {
    return undefined; // several documents, or none: what it prints is not known
  }
  const found = at(path, document);
  const lines = found?.map((value) => (raw && typeof value === 'string' ? value : JSON.stringify(value)));
  // Objects and lists are laid out in lines of their own.
  if (lines === undefined || found?.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return { text: fromText(lines.map((line) => `${line}\n`).join('')), status: 'ok' };
};

function at(path: string, document: unknown): unknown[] | undefined {
  let values: unknown[] = [document];
  for (let rest = path.trim(); rest !== '' && rest !== '.'; ) {
    const step = STEP.exec(rest);
    if (!step || !/^\s*(\||\.|\[|$)/.test(rest)) return undefined;
    const [whole, quoted, name, index, place] = step;
    const key = quoted ?? name ?? index ?? place;
    const next = key === undefined ? values.map(items) : values.map((value) => item(value, key));
    if (!next.every((value) => value !== undefined)) return undefined;
    values = next.flat();
    rest = rest.slice(whole.length).trim();
  }
  return values;
}

const items = (value: unknown): unknown[] | undefined =>
  typeof value === 'object' && value !== null ? Object.values(value) : undefined;

function item(value: unknown, key: string): unknown[] | undefined {
  if (value === null) return [null];
  if (typeof value !== 'object') return undefined;
  return [(value as Readonly<Record<string, unknown>>)[key] ?? null];
}
