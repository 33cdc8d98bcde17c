import { planLine } from '../../src/effects/plan.ts';
import { fromText } from '../../src/platform/bytes.ts';
import { parse } from '../../src/shell/parse.ts';
import { figure, type Row } from '../measure.ts';

/** What people and agents type, one kind each. */
const LINES = [
  'rm -rf d0 d1/f1.txt',
  "sed -i 's/a/b/' d0/*.txt",
  'cp -r d0/. d1 && rm -f d1/f0.txt',
  'for f in d0/*; do mv "$f" "${f%.txt}.md"; done',
  "cat > d0/f0.txt <<'EOF'\none\ntwo\nEOF",
  'jq . d0/f0.txt > d0/t && mv d0/t d0/f0.txt',
  'find d0 -name "*.txt" -print0 | xargs -0 rm',
  'cd d0 && tar czf ../all.tgz . && rm -rf ./*',
  "python3 -c \"open('d0/f0.txt','w').write('x')\"",
  'npm test 2>&1 | tee d0/f1.txt',
] as const;

/** A typical line in a process that is warm: parsed, walked, judged; nothing is held. */
export function plan(root: string, rounds: number): readonly Row[] {
  const cwd = fromText(root);
  const variables = new Map([
    ['PATH', process.env['PATH'] ?? ''],
    ['HOME', '/nonexistent-home'],
    ['PWD', cwd],
  ]);
  const whole: number[] = [];
  const parsing: number[] = [];
  for (let round = -20; round < rounds; round++)
    for (const text of LINES) {
      const begin = process.hrtime.bigint();
      parse(text, { shell: 'bash', options: new Set() });
      const parsed = process.hrtime.bigint();
      planLine({ text, shell: 'bash', cwd, variables, aliases: new Map(), functions: new Map(), options: new Set() });
      if (round < 0) continue;
      parsing.push(Number(parsed - begin) / 1e6);
      whole.push(Number(process.hrtime.bigint() - parsed) / 1e6);
    }
  return [
    {
      what: 'plan of a typical line, warm',
      figure: figure(whole),
      beside: { what: 'its parse', figure: figure(parsing) },
    },
  ];
}
