import fs from 'node:fs';
import { join } from 'node:path';
import { run, top } from './place.ts';

/** A git project of `count` files of about 1 KB, a hundred to a folder, all committed. */
export function tree(name: string, count: number): string {
  const root = join(top, name);
  for (let i = 0; i < count; i++) {
    const folder = join(root, `d${Math.floor(i / 100)}`);
    if (i % 100 === 0) fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, `f${i % 100}.txt`), `${i}\n`.repeat(Math.ceil(1000 / `${i}\n`.length)));
  }
  run('git', ['init', '-q'], { cwd: root });
  run('git', ['add', '-A'], { cwd: root });
  run('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'one'], { cwd: root });
  return root;
}

/** A project of `count` empty files that git was never told of. */
export function untoldTree(name: string, count: number): string {
  const root = join(top, name);
  fs.mkdirSync(join(root, '.git'), { recursive: true });
  for (let i = 0; i < count; i++) {
    const folder = join(root, `d${Math.floor(i / 1000)}`);
    if (i % 1000 === 0) fs.mkdirSync(folder);
    fs.closeSync(fs.openSync(join(folder, `f${i % 1000}.txt`), 'w'));
  }
  fs.writeFileSync(join(root, 'd0/f0.txt'), 'the one that is named\n');
  return root;
}

export const names = (count: number): string => `${count} named ${count === 1 ? 'file' : 'files'}`;

/** Files that git does not know, to be removed: `x/<round>/<i>`. */
export function victims(root: string, rounds: number, count: number): readonly (readonly string[])[] {
  return Array.from({ length: rounds }, (_, round) => {
    fs.mkdirSync(join(root, `x/${round}`), { recursive: true });
    return Array.from({ length: count }, (_, i) => {
      const name = `x/${round}/v${i}`;
      fs.writeFileSync(join(root, name), `victim ${round} ${i}\n`);
      return name;
    });
  });
}
