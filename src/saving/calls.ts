import fs from 'node:fs';
import { type Bytes, toBuffer } from '../platform/bytes.ts';
import { namesInOrNone, readBytesIfAny, removeFile, writeAtomic } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { finishedHolds } from '../turns/pending.ts';
import { type EndManifest, type EndRules, manifestsOf, takeEnd } from './end.ts';

/**
 * The tool calls of an agent's turn. While none is open, whatever changes is not the turn's work: so the turn's paths are looked
 * at when a call is over, and that look is the turn's end where no other call came after it.
 */

const PREFIX = 'open-';
const BACKGROUND = 'background';

/** `background`: what the call has started goes on when it has been answered. */
export function openCall(turnFolder: Bytes, call: string, background: boolean): void {
  fs.writeFileSync(toBuffer(join(turnFolder, PREFIX + call)), background ? BACKGROUND : '', { mode: 0o600 });
}

const openCalls = (turnFolder: Bytes): Bytes[] => namesInOrNone(turnFolder).filter((name) => name.startsWith(PREFIX));

export const hasOpenCall = (turnFolder: Bytes): boolean => openCalls(turnFolder).length > 0;

/** Something that a call of the turn has started may still run. */
export const hasBackground = (turnFolder: Bytes): boolean =>
  openCalls(turnFolder).some((name) => readBytesIfAny(join(turnFolder, name))?.toString() === BACKGROUND);

/** `none`: the call was never opened, or has been closed. */
export function stateOfCall(turnFolder: Bytes, call: string): 'open' | 'background' | 'none' {
  const text = readBytesIfAny(join(turnFolder, PREFIX + call))?.toString();
  if (text === undefined) return 'none';
  return text === BACKGROUND ? 'background' : 'open';
}

/** A turn that names more than this is looked at once, when it ends: the look would cost more than it tells. */
const MANY = 2000;

/** The call has been answered. */
export function closeCall(turnFolder: Bytes, call: string, rules: EndRules): void {
  // A call that only read has opened nothing: what was changed by hand since the last one is not the turn's work.
  if (stateOfCall(turnFolder, call) !== 'open') return;
  removeFile(join(turnFolder, PREFIX + call));
  if (hasOpenCall(turnFolder)) return;
  if (manifestsOf(turnFolder).reduce((sum, { entries }) => sum + entries.length, 0) > MANY) return;
  writeAtomic(soFarFile(turnFolder), JSON.stringify(takeEnd(turnFolder, Date.now(), rules)));
}

const soFarFile = (turnFolder: Bytes): Bytes => join(turnFolder, 'so-far.json');

/** How the last call left things; undefined where a call came after it, or is still open. */
export function endSoFar(turnFolder: Bytes): EndManifest | undefined {
  const text = readBytesIfAny(soFarFile(turnFolder));
  if (text === undefined || hasOpenCall(turnFolder)) return undefined;
  const soFar = JSON.parse(text.toString('utf8')) as EndManifest;
  return soFar.holds === finishedHolds(turnFolder) ? soFar : undefined;
}
