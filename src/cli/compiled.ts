/**
 * What is compiled: belay-snap; and as `belay-snap belay list` also belay itself, for the commands that people wait for most (bin/belay).
 * Node takes 20 ms to start and as long to read belay's code, the compiled program 6 ms for both.
 */
if (process.argv[2] === 'belay') {
  process.argv.splice(2, 1);
  (await import('./main.ts')).start();
} else await import('../snap/main.ts');

export {};
