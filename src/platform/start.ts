import fs from 'node:fs';
import vm from 'node:vm';

/** Name the text of the bundle, and of what it asks for late (`''`: it has everything itself); written in by scripts/build.ts. */
declare const belayBuild: string;
declare const belayRest: string;

type Modules = Readonly<Record<string, unknown>>;
type Part = (
  ask: (name: string) => unknown,
  file: string,
  other: unknown,
) => { readonly modules: Record<string, () => unknown> };

function codeOf(name: string): Buffer | undefined {
  try {
    return fs.readFileSync(name);
  } catch {
    return undefined; // never made: only slower
  }
}

/** Before code is made, which takes longer than the start that it saves: most often the folder is somebody else's. */
function canKeep(): boolean {
  try {
    fs.accessSync(__dirname, fs.constants.W_OK);
    return true;
  } catch {
    return false; // it stays slower, unless whoever owns it has it warmed (install.sh does)
  }
}

/** Nobody but its owner writes there; everybody may read it. */
function keep(script: vm.Script, kept: string): void {
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
}

/**
 * How node starts belay and belay-snap: the bundle beside this file (`belay.cjs`: `belay.bundle.cjs`), and the code that V8 made of it.
 * To compile it anew takes three times as long as all else that node does to save a line. Code made by another version of node is
 * refused: then V8 compiles as ever, and what it made is kept for the next time, where the folder can be written. V8 tells the code
 * of another text by its length alone, so the file bears the name of the text.
 */
function run(part: 'bundle' | 'rest', build: string, ask: (name: string) => unknown, other: unknown): ReturnType<Part> {
  const text = __filename.replace(/cjs$/, part === 'rest' ? `rest.${build}.cjs` : 'bundle.cjs');
  const kept = __filename.replace(/cjs$/, `${part}.${build}.code`);
  const cachedData = codeOf(kept);
  // The bundle is ASCII: read as latin1 it stays one byte a character.
  const script = new vm.Script(fs.readFileSync(text, 'latin1'), {
    filename: text,
    ...(cachedData && { cachedData }),
  });
  // After a command that is often used, so that its code is among what was made.
  if (script.cachedDataRejected !== false && ['hold', 'list'].includes(process.argv[2] ?? '') && canKeep())
    process.on('exit', () => keep(script, kept));
  return (script.runInThisContext() as Part)(ask, text, other);
}

let late: ReturnType<Part>['modules'] | undefined;
let gather = (): Modules => ({});
let shared: Modules | undefined;

/** What most lines do not need lies in a part of its own (scripts/build/parts.ts). */
function ask(name: string): unknown {
  if (!name.startsWith('#rest/')) return require(name);
  late ??= run('rest', belayRest, require, (file: string) => {
    shared ??= gather();
    return shared[file];
  }).modules;
  return late[name]?.();
}

run('bundle', belayBuild, belayRest === '' ? require : ask, (gathers: () => Modules) => {
  gather = gathers;
});
