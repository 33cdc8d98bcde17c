import type { CheckpointRecord } from '../checkpoint/record.ts';
import { spoken } from '../checkpoint/spoken.ts';
import { reasonOf } from '../checkpoint/write.ts';
import type { Bytes } from '../platform/bytes.ts';
import { shown } from './paths.ts';
import { cut } from './style.ts';

/** Cells of a line that an answer tells: a here-document of 100 KB is no title. */
const LONGEST = 200;

/** A line as an answer says it. */
export const lineTitle = (line: Bytes): string => cut(shown(spoken(line)), LONGEST);

/** Why a checkpoint was made, as an answer says it. */
export const reasonTitle = (record: CheckpointRecord): string => lineTitle(reasonOf(record));
