import type { Protocol } from '../event.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { hermes } from './hermes.ts';
import { opencode } from './opencode.ts';

/** Every agent whose hooks belay understands. */
export const protocols: readonly Protocol[] = [claude, codex, gemini, opencode, cursor, hermes];

export const protocolOf = (name: string): Protocol | undefined => protocols.find((one) => one.name === name);
