import { type Document, isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { type HookFormat, isOurs, type Piece } from './wiring.ts';

/** The same for YAML: lists `hooks.<event>`, comments kept. */

type YamlPiece = Extract<Piece, { kind: 'json' | 'yaml' }>;

function withHooks(text: string | undefined, piece: YamlPiece, agent: string): string {
  const document = read(text ?? '');
  let changed = false;
  for (const [event, value] of Object.entries(piece.events)) {
    const list = listOf(document, event);
    const ours = indexOfOurs(list, agent);
    if (list !== undefined && ours >= 0 && JSON.stringify(list.toJSON()[ours]) === JSON.stringify(value)) continue;
    changed = true;
    const node = document.createNode(value);
    if (list === undefined) document.setIn(['hooks', event], document.createNode([value]));
    else if (ours >= 0) list.set(ours, node);
    else list.add(node);
  }
  return changed ? print(document) : (text ?? '');
}

function withoutHooks(text: string, agent: string): string {
  const document = read(text);
  let changed = false;
  for (const event of eventNames(document)) {
    const list = listOf(document, event);
    for (let i = indexOfOurs(list, agent); list !== undefined && i >= 0; i = indexOfOurs(list, agent)) {
      list.delete(i);
      changed = true;
      if (list.items.length === 0) document.deleteIn(['hooks', event]);
    }
  }
  if (!changed) return text;
  if (eventNames(document).length === 0) document.delete('hooks');
  return document.contents === null || (isMap(document.contents) && document.contents.items.length === 0)
    ? ''
    : print(document);
}

function eventsWithHook(text: string, agent: string): string[] {
  const document = read(text);
  return eventNames(document).filter((event) => indexOfOurs(listOf(document, event), agent) >= 0);
}

function read(text: string): Document {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new Error(document.errors[0]?.message.split('\n')[0] ?? 'it is no YAML');
  if (document.contents !== null && !isMap(document.contents)) throw new Error('it is not a map of settings');
  return document;
}

function eventNames(document: Document): string[] {
  const hooks = document.get('hooks');
  return isMap(hooks) ? hooks.items.map(({ key }) => String(key)) : [];
}

function listOf(document: Document, event: string): YAMLSeq | undefined {
  const list = document.getIn(['hooks', event]);
  if (list === undefined || list === null) return undefined;
  if (!isSeq(list)) throw new Error(`its \`hooks.${event}\` is not a list`);
  return list;
}

const indexOfOurs = (list: YAMLSeq | undefined, agent: string): number =>
  list === undefined ? -1 : (list.toJSON() as unknown[]).findIndex((entry) => isOurs(entry, agent));

/** Long lines stay long. */
const print = (document: Document): string => document.toString({ lineWidth: 0 });

export const yamlHooks: HookFormat = { withHooks, withoutHooks, eventsWithHook };
