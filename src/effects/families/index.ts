import type { Row } from '../row.ts';
import { archives } from './archives.ts';
import { compilers } from './compilers.ts';
import { compression } from './compress.ts';
import { converters } from './converters.ts';
import { databases } from './databases.ts';
import { disks } from './disks.ts';
import { documents } from './documents.ts';
import { download } from './download.ts';
import { editors } from './editors.ts';
import { formatters } from './formatters.ts';
import { histories } from './history.ts';
import { housekeeping } from './housekeeping.ts';
import { interpreters } from './interpreters.ts';
import { makes } from './make.ts';
import { media } from './media.ts';
import { nodePackages } from './node-packages.ts';
import { nodeTools } from './node-tools.ts';
import { packages } from './packages.ts';
import { pagers } from './pagers.ts';
import { patches } from './patch.ts';
import { repositories } from './repositories.ts';
import { system } from './system.ts';
import { transfer } from './transfer.ts';

/** Families of programs beyond the core utilities, in the order of docs/effects.md. */
export const programFamilies: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Interpreters', rows: interpreters },
  { title: 'Editors', rows: editors },
  { title: 'Pagers', rows: pagers },
  { title: 'Patches', rows: patches },
  { title: 'Archives', rows: archives },
  { title: 'Compression', rows: compression },
  { title: 'Copying between machines', rows: transfer },
  { title: 'Downloads', rows: download },
  { title: 'Formatters', rows: formatters },
  { title: 'Converters', rows: converters },
  { title: 'Media', rows: media },
  { title: 'Documents', rows: documents },
  { title: 'Compilers', rows: compilers },
  { title: 'Make', rows: makes },
  { title: 'Packages of Node', rows: nodePackages },
  { title: 'Tools of Node', rows: nodeTools },
  { title: 'Packages and builds', rows: packages },
  { title: 'Other version control', rows: repositories },
  { title: 'Databases', rows: databases },
  { title: 'Keeping house', rows: housekeeping },
  { title: 'The history of lines', rows: histories },
  { title: 'System', rows: system },
  { title: 'Disks', rows: disks },
];
