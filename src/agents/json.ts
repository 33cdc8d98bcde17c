import { type Bytes, fromText } from '../platform/bytes.ts';
import type { JsonObject } from './event.ts';

/** Looking into what an agent sent: another program's data, of which nothing may be taken for granted. */

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of these fields that is a text with something in it. */
export function textIn(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export function bytesIn(object: JsonObject, ...names: readonly string[]): Bytes | undefined {
  const text = textIn(object, ...names);
  return text === undefined ? undefined : fromText(text);
}

export function objectIn(object: JsonObject, ...names: readonly string[]): JsonObject {
  for (const name of names) {
    const value = object[name];
    if (isObject(value)) return value;
    // Some protocols send a tool's input as JSON in a text.
    if (typeof value !== 'string' || !value.startsWith('{')) continue;
    try {
      const parsed: unknown = JSON.parse(value);
      if (isObject(parsed)) return parsed;
    } catch {
      // a text that only begins like an object
    }
  }
  return {};
}
