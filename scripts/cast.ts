/**
 * The recording of the tour: a real bash on a terminal of its own is typed into, line by line, as the README's tour has it, and what it
 * prints is kept as an asciicast (docs/tour.cast) and drawn as an animated SVG (docs/tour.svg). The output is real; the clock is not: a
 * person's pauses are made up, so that two recordings differ only in dates and ids.
 *
 *   tsx scripts/cast.ts            records and draws (wants dist/, npm run build)
 *   tsx scripts/cast.ts --draw     draws docs/tour.cast again
 */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCast, writeCast } from './cast/asciicast.ts';
import { draw } from './cast/draw.ts';
import { record } from './cast/record.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [cast, picture] = [join(root, 'docs/tour.cast'), join(root, 'docs/tour.svg')];
if (!process.argv.includes('--draw')) fs.writeFileSync(cast, writeCast(await record(root)));
fs.writeFileSync(picture, await draw(readCast(fs.readFileSync(cast, 'utf8'))));
for (const file of [cast, picture]) console.log(`${file}: ${fs.statSync(file).size} bytes`);
