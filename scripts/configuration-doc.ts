/** Writes docs/configuration.md from the table of settings: `tsx scripts/configuration-doc.ts`. */
import fs from 'node:fs';
import { reference } from '../src/cli/config/settings.ts';

fs.writeFileSync(new URL('../docs/configuration.md', import.meta.url), reference());
