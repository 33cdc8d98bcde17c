import type { Row } from '../row.ts';
import { archives } from './archives.ts';
import { compression } from './compress.ts';
import { download } from './download.ts';
import { editors } from './editors.ts';
import { interpreters } from './interpreters.ts';
import { patches } from './patch.ts';
import { transfer } from './transfer.ts';

/** Families of programs beyond the core utilities, in the order of docs/effects.md. */
export const programFamilies: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Interpreters', rows: interpreters },
  { title: 'Editors', rows: editors },
  { title: 'Patches', rows: patches },
  { title: 'Archives', rows: archives },
  { title: 'Compression', rows: compression },
  { title: 'Copying between machines', rows: transfer },
  { title: 'Downloads', rows: download },
];
