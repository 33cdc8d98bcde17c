import type { Row } from '../row.ts';
import { archives } from './archives.ts';
import { compression } from './compress.ts';
import { download } from './download.ts';
import { interpreters } from './interpreters.ts';
import { transfer } from './transfer.ts';

/** Families of programs beyond the core utilities, in the order of docs/effects.md. */
export const programFamilies: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Interpreters', rows: interpreters },
  { title: 'Archives', rows: archives },
  { title: 'Compression', rows: compression },
  { title: 'Copying between machines', rows: transfer },
  { title: 'Downloads', rows: download },
];
