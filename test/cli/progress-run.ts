import { withProgress } from '../../src/cli/progress.ts';

/** Works for so many ms, as something that waits for git does: nothing else in this process can run meanwhile. */
const ms = Number(process.argv[2]);
await withProgress({ json: process.argv[3] === 'json', values: {} }, 'saving the world', ({ part }) => {
  part(3, 12);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
});
console.log('done');
