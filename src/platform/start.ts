import fs from 'node:fs';
import vm from 'node:vm';

/** Names the text of the bundle; written in by scripts/build.ts. */
declare const belayBuild: string;

/**
 * How node starts belay and belay-snap: the bundle beside this file (`belay.cjs`: `belay.bundle.cjs`), and the code that V8 made of it.
 * To compile it anew takes three times as long as all else that node does to save a line. Code made by another version of node is
 * refused: then V8 compiles as ever, and what it made is kept for the next time, where the folder can be written. V8 tells the code
 * of another text by its length alone, so the file bears the name of the text.
 */
const bundle = __filename.replace(/\.cjs$/, '.bundle.cjs');
const kept = bundle.replace(/cjs$/, `${belayBuild}.code`);

function codeOf(name: string): Buffer | undefined {
  try {
    return fs.readFileSync(name);
  } catch {
    return undefined; // never made: only slower
  }
}

const cachedData = codeOf(kept);
// The bundle is ASCII: read as latin1 it stays one byte a character.
const script = new vm.Script(fs.readFileSync(bundle, 'latin1'), {
  filename: bundle,
  ...(cachedData && { cachedData }),
});

/** Before code is made, which takes longer than the start that it saves: most often the folder is somebody else's. */
function canKeep(): boolean {
  try {
    fs.accessSync(__dirname, fs.constants.W_OK);
    return true;
  } catch {
    return false; // it stays slower, unless whoever owns it has it warmed (install.sh does)
  }
}

/** After a command that is often used, so that its code is among what was made. Nobody but its owner writes there; everybody may read it. */
if (script.cachedDataRejected !== false && ['hold', 'list'].includes(process.argv[2] ?? '') && canKeep()) {
  process.on('exit', () => {
    const aside = `${kept}.${process.pid}`;
    try {
      const file = fs.openSync(aside, 'wx');
      try {
        fs.writeFileSync(file, script.createCachedData());
        fs.fchmodSync(file, 0o644); // whatever the umask says
      } finally {
        fs.closeSync(file);
      }
      fs.renameSync(aside, kept);
    } catch {
      fs.rmSync(aside, { force: true }); // a full disk, another one at the same time: only slower
    }
  });
}
script.runInThisContext()(require, bundle);
