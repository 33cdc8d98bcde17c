/** Writes docs/effects.md from the tables: `npx tsx scripts/effects.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectsDocument } from '../src/effects/document.ts';

writeFileSync(join(import.meta.dirname, '../docs/effects.md'), effectsDocument());
