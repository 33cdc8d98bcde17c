import { spawn } from 'node:child_process';

/** Shows text through `$PAGER` (default `less -FRX`), waits until it is left. Where there is no pager the text is printed. */
export async function page(text: string): Promise<void> {
  const pager = process.env['BELAY_PAGER'] ?? process.env['PAGER'] ?? 'less';
  if (pager === '' || pager === 'cat' || text.split('\n').length < (process.stdout.rows || 24)) {
    process.stdout.write(text);
    return;
  }
  const shown = await new Promise<boolean>((resolve) => {
    const child = spawn('sh', ['-c', pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, LESS: process.env['LESS'] ?? 'FRX' },
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code !== 127));
    child.stdin.on('error', () => {}); // the pager was left before it had read everything
    child.stdin.end(text);
  });
  if (!shown) process.stdout.write(text);
}
