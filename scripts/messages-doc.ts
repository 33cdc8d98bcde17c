/** Writes docs/messages.md anew from the table of messages: `npx tsx scripts/messages-doc.ts`. */
import { writeFileSync } from 'node:fs';
import { messagesPage } from '../src/cli/follow-up.ts';

writeFileSync(new URL('../docs/messages.md', import.meta.url), messagesPage());
