// Says, once its input ends, the most that the files below each of its folders ever took on disk.
import fs from 'node:fs';
import { join } from 'node:path';

const folders = process.argv.slice(2);
const most = folders.map(() => 0);
const sizeOf = (path) => {
  try {
    const stat = fs.lstatSync(path);
    if (!stat.isDirectory()) return stat.blocks * 512;
    return fs.readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    return 0; // gone meanwhile
  }
};
const look = () => {
  folders.forEach((folder, i) => {
    most[i] = Math.max(most[i], sizeOf(folder));
  });
};
const timer = setInterval(look, 5);
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  look();
  process.stdout.write(JSON.stringify(most));
});
process.stdout.write('\n');
