import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { test } from 'uvu';
import { line, see } from './lines.ts';

/** The two older parsers, as far as they are used here: they have no types. */
interface MvdanNode {
  Pos(): { Offset(): number };
  End(): { Offset(): number };
}
interface Mvdan {
  NewParser(): { Parse(text: string, name: string): MvdanNode };
  Walk(node: MvdanNode, visit: (node: MvdanNode | null) => boolean): void;
  NodeType(node: MvdanNode): string;
}
interface BashParserNode {
  readonly type: string;
  readonly name?: { readonly text: string };
  readonly [key: string]: unknown;
}

const require = createRequire(import.meta.url);
const { syntax } = require('mvdan-sh') as { syntax: Mvdan };
const bashParser = require('bash-parser') as ((text: string) => BashParserNode) & {
  default?: (text: string) => BashParserNode;
};
const parseOld = bashParser.default ?? bashParser;

/** Lines of commands only, all of which run: each simple command is seen once by the walk. */
const LINES: readonly string[] = [
  ...[
    'a',
    'a b c',
    'a; b',
    'a && b',
    'a || b',
    'a && b || c',
    'a | b | c',
    '(a; b)',
    '{ a; b; }',
    'a & b',
    '! a',
    'if a; then b; fi',
    'if a; then b; else c; fi',
    'if a; then b; elif c; then d; else e; fi',
  ],
  ...[
    'while a; do b; done',
    'until a; do b; done',
    'a > f',
    'a 2>&1 | b',
    'a < f >> g',
    '(a | b) && { c; d; } > f',
    'a "x y" \'z\' && b\\ c d',
    'a\nb\nc',
    'a;b;c # d',
    '(a) | (b)',
  ],
];

const MORE: readonly string[] = [
  'if (a); then { b | c; }; fi',
  ...[
    'a "$(b)" `c`',
    'a <(b) >(c)',
    'a <<E\n$(b)\nE',
    "a <<'E'\n$(b)\nE",
    'for x in 1; do a $(b); done',
    'case x in x) a;; esac',
    'a &> f',
    'a=$(b) c',
    'a $((1 + $(b)))',
    '[[ -n $(a) ]]',
    'coproc a',
    'time a | b',
    'a |& b',
    'a <<< "$(b)"',
    'f() { a; }; f',
    '(a) 2>/dev/null | while b; do c; done',
  ],
];

/** First words of simple commands in the order of their place in the text. */
function mvdanNames(text: string): string[] {
  const names: [number, string][] = [];
  syntax.Walk(syntax.NewParser().Parse(text, ''), (node) => {
    if (node && syntax.NodeType(node) === 'CallExpr') {
      const source = text.slice(node.Pos().Offset(), node.End().Offset()).replace(/^a=\S+ /, '');
      names.push([node.Pos().Offset(), source.replace(/\\(.)/g, '$1').split(/ (?!c )/)[0] ?? '']);
    }
    return true;
  });
  return names.sort(([left], [right]) => left - right).map(([, name]) => name);
}

function oldNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(oldNames);
  if (typeof node !== 'object' || node === null) return [];
  const one = node as BashParserNode;
  const own = one.type === 'Command' && one.name ? [one.name.text] : [];
  return [...own, ...Object.values(one).flatMap(oldNames)];
}

const walkNames = (text: string): string[] => [
  ...new Set(see(line(text)).calls.map((call) => (call.argv[0]?.kind === 'known' ? call.argv[0].text : '?'))),
];

for (const text of [...LINES, ...MORE]) {
  test(`finds the commands that mvdan-sh finds: ${JSON.stringify(text)}`, () => {
    const known = new Set(mvdanNames(text).filter((name) => name !== 'f' && !/^[a-z]=/.test(name)));
    assert.deepEqual(walkNames(text).sort(), [...known].sort());
  });
}

for (const text of LINES) {
  test(`finds the commands that bash-parser finds, on what that can parse: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(walkNames(text).sort(), [...new Set(oldNames(parseOld(text)))].sort());
  });
}

test.run();
