import { codeOf } from '../../platform/files.ts';
import { type Call, refused } from '../command.ts';
import { openContext } from '../context.ts';
import { count, styleFor } from '../style.ts';
import { answersFor } from './answers.ts';
import { openInBrowser } from './browser.ts';
import { pageFiles } from './files.ts';
import { newKeys } from './gate.ts';
import { type Listening, listen } from './server.ts';

export interface Serving {
  /** 0: any free one. */
  readonly port: number;
  /** Without a question for so long it ends; 0: never by itself. */
  readonly minutes: number;
  readonly open: boolean;
}

/** Serves the page until ^C, or until nobody has asked anything for long enough. Gives the exit status. */
export async function serveUntilEnd(call: Call, { port, minutes, open }: Serving): Promise<number> {
  await openContext(call); // what keeps belay from reading at all is said here, not in the page
  const server = await listening(port, call);
  const { url } = server;
  const end = ended(server, minutes * 60_000); // from here on a signal ends it in an orderly way
  if (call.json) process.stdout.write(`${JSON.stringify({ url, port: server.port })}\n`);
  else process.stdout.write(greeting(url, minutes, open));
  const close = open ? openInBrowser(url) : undefined;
  const why = await end;
  close?.();
  await server.close();
  if (!call.json)
    process.stdout.write(why === 'idle' ? `Ended: nobody asked for ${count(minutes, 'minute')}.\n` : '\n');
  return 0;
}

async function listening(port: number, call: Call): Promise<Listening> {
  try {
    return await listen(port, newKeys(), pageFiles(call.install), answersFor(call));
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES')
      throw refused('port_taken', `port ${port} cannot be had (${codeOf(error)})`);
    throw error;
  }
}

function greeting(url: string, minutes: number, open: boolean): string {
  const style = styleFor(process.stdout);
  const end = minutes === 0 ? '' : `, or by itself after ${count(minutes, 'minute')} without a question (--idle)`;
  const empty = open
    ? 'Where the browser stays empty (from a snap or flatpak), give it the address itself: it works as well.\n'
    : '';
  return `${style.bold(url)}\n\nThe address works once, in one browser of this machine.\n^C ends it${end}.\n${empty}`;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function ended(server: Listening, idle: number): Promise<'asked' | 'idle'> {
  return new Promise((resolve) => {
    const stop = (why: 'asked' | 'idle'): void => {
      clearInterval(clock);
      for (const signal of SIGNALS) process.off(signal, onSignal);
      resolve(why);
    };
    const onSignal = (): void => stop('asked');
    const look = (): void => {
      if (idle > 0 && Date.now() - server.lastAsked() >= idle) stop('idle');
    };
    const clock = setInterval(look, Math.min(5000, Math.max(50, idle / 4)));
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
