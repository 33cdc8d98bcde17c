import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { Piece } from './pieces.ts';

/** Syntax colours: a file of its own, fetched once the first difference is shown. Trees, never markup: nothing of a file becomes HTML. */
const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** The pieces of each line of a text. */
export function coloured(text: string, language: string): Piece[][] {
  const lines: Piece[][] = [[]];
  const add = (part: string, kind: string): void => {
    part.split('\n').forEach((line, i) => {
      if (i > 0) lines.push([]);
      if (line !== '') lines.at(-1)?.push({ text: line, kind });
    });
  };
  type Node = ReturnType<typeof lowlight.highlight>['children'][number];
  const walk = (nodes: readonly Node[], kind: string): void => {
    for (const node of nodes) {
      if (node.type === 'text') add(node.value, kind);
      else if (node.type === 'element') {
        const { className } = node.properties;
        const own = Array.isArray(className) ? String(className[0] ?? '').replace(/^hljs-/, '') : '';
        walk(node.children, own || kind);
      }
    }
  };
  walk(lowlight.highlight(language, text).children, '');
  return lines;
}
