import fs from 'node:fs';
import vm from 'node:vm';

/**
 * How node starts belay and belay-snap: the bundle beside this file (`belay.cjs`: `belay.bundle.cjs`), and the code that V8 made of it
 * when it was built. To compile it anew takes three times as long as all else that node does to save a line. Code made by another
 * version of node is refused: then V8 compiles as ever.
 */
const bundle = __filename.replace(/\.cjs$/, '.bundle.cjs');

function codeOf(name: string): Buffer | undefined {
  try {
    return fs.readFileSync(name);
  } catch {
    return undefined; // never made: only slower
  }
}

const cachedData = codeOf(bundle.replace(/\.cjs$/, '.code'));
// The bundle is ASCII: read as latin1 it stays one byte a character.
const script = new vm.Script(fs.readFileSync(bundle, 'latin1'), {
  filename: bundle,
  ...(cachedData && { cachedData }),
});
script.runInThisContext()(require, bundle);
