import { type Command, wrongUsage } from './command.ts';

export const ui: Command = {
  summary: 'a page in your browser: timeline, differences, restore',
  usage: ['belay ui [--open] [--port N] [--idle MINUTES]'],
  help: `
Serves a page to this machine alone (127.0.0.1) and prints its address, which works once. The page has the timeline of all
projects, what each turn changed, restores with a preview, what the store takes, and the verdicts on worktrees.
It ends with ^C, and by itself when nobody has asked anything for --idle minutes.

  --open          opens it in your browser ($BROWSER); one from a snap or flatpak may have to be given the address itself
  --port N        that port (default: any free one)
  --idle MINUTES  how long it waits for somebody to ask (default 30; 0: for ever)
  --json          prints {"url", "port"} when it is ready`,
  words: 0,
  options: { open: { type: 'boolean' }, port: { type: 'string' }, idle: { type: 'string' } },
  run: async (call) => {
    const port = numberIn(call.values['port'], 'port', 0, 65_535);
    if (!Number.isInteger(port)) throw wrongUsage('--port takes a whole number');
    const minutes = numberIn(call.values['idle'], 'idle', 30, 100_000);
    const { serveUntilEnd } = await import('./ui/serve.ts');
    return serveUntilEnd(call, { port, minutes, open: call.values['open'] === true });
  },
};

function numberIn(given: unknown, name: string, byDefault: number, most: number): number {
  const value = given === undefined ? byDefault : Number(given);
  if (given !== '' && value >= 0 && value <= most) return value;
  throw wrongUsage(`--${name} takes a number up to ${most}, not '${String(given)}'`);
}
