/** Shows text through `$PAGER` (default `less -FRX`), waits until it is left. Where there is no pager the text is printed. */
export async function page(text: string): Promise<void> {
  const pager = process.env['BELAY_PAGER'] ?? process.env['PAGER'] ?? 'less';
  if (pager === '' || pager === 'cat' || text.split('\n').length < (process.stdout.rows || 24)) {
    process.stdout.write(text);
    return;
  }
  const { execa } = await import('execa');
  const { exitCode } = await execa('sh', ['-c', pager], {
    input: text, // the pager may be left before it has read everything
    stdout: 'inherit',
    stderr: 'inherit',
    env: { LESS: process.env['LESS'] ?? 'FRX' },
    reject: false,
  });
  const missing = exitCode === undefined || exitCode === 127;
  if (missing) process.stdout.write(text);
}
