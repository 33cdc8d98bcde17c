import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { TOOLS } from './tools.ts';

/** Runs one command line and gives its JSON document. */
type Ask = (words: readonly string[]) => Promise<{ readonly document: unknown; readonly failed: boolean }>;

/** Serves until standard input ends. Nothing but the protocol goes to standard output. A bundle of its own (scripts/build.ts). */
export async function serve(version: string, ask: Ask): Promise<void> {
  const server = new McpServer({ name: 'belay', version });
  for (const { name, description, input, writes, words } of TOOLS)
    server.registerTool(
      name,
      { description, inputSchema: input, annotations: { readOnlyHint: !writes, destructiveHint: false } },
      async (given: Record<string, unknown>) => {
        const { document, failed } = await ask(words(given));
        return { content: [{ type: 'text', text: JSON.stringify(document) }], ...(failed ? { isError: true } : {}) };
      },
    );
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
}
