/** Takes one capture and prints what came of it, for tests that need it in a process of its own: HOME ROOT [MAX_FILE_SIZE_MB]. */
import { openStore } from '../../src/checkpoint/store.ts';
import { DEFAULTS } from '../../src/platform/config.ts';
import { capture } from '../../src/saving/capture/capture.ts';

const [home = '', root = ''] = process.argv.slice(2);
console.log(JSON.stringify(await capture({ store: openStore(home), root, config: DEFAULTS, budget: 60_000 })));
