/**
 * Runs a bundle once, as `src/platform/start.ts` does, and writes down the code that V8 made meanwhile: what this run
 * used is compiled ahead, everything else when it is needed.
 *
 *   node keep-code.cjs BUNDLE CODE ARGUMENTS…
 */
const fs = require('node:fs');
const vm = require('node:vm');

const [bundle, code, ...args] = process.argv.slice(2);
const script = new vm.Script(fs.readFileSync(bundle, 'latin1'), { filename: bundle });
process.argv = [process.argv[0], bundle, ...args];
process.on('exit', () => fs.writeFileSync(code, script.createCachedData()));
script.runInThisContext()(require, bundle);
