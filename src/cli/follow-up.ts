import { MESSAGES } from './messages.ts';
import { aroundPage } from './messages-around.ts';

/** A message that says so in these words need not be told again. */
const SAYS_SO = /\bnothing was (?:changed|deleted|imported|made|run|written)\b/i;

/** What follows the message: what was not changed, and what to do next. */
export function followUp(code: string, message: string, hint: string | undefined): string {
  const about = MESSAGES[code];
  if (about === undefined) return hint ?? '';
  const said = SAYS_SO.test(message) || SAYS_SO.test(hint ?? '');
  return [...(said ? [] : [about.unchanged]), hint ?? about.next].join(' ');
}

/** docs/messages.md. */
export function messagesPage(): string {
  const rows = Object.entries(MESSAGES).map(
    ([code, { exit, happened, unchanged, next }]) =>
      `| \`${code}\` | ${exit} | ${happened} | ${unchanged} | ${next} |\n`,
  );
  return `# Messages

Every refusal and error of \`belay\` says what happened, what was not changed, and what to do next. With \`--json\` it is
\`{"error": {"code", "message", "unchanged", "hint"}}\`. Exit 2: wrong usage; 3: refused before anything was touched; 4: there is no such thing;
1: everything else. These are the codes; this page and what is said are made from one table (\`npx tsx scripts/messages-doc.ts\`), and a test
compares it with the sources.

| code | exit | what happened | what was not changed | what to do next |
| --- | --- | --- | --- | --- |
${rows.join('')}
What is said beside \`belay\` itself has no document and no exit status of its own: the codes below are for talking about it, and a test compares
the texts with the sources (\`…\` is what differs from case to case).

${aroundPage()}`;
}
