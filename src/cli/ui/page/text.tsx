import type { JSX } from 'preact';

/** Control characters, and those that turn, hide or join text: a hostile name is seen as what it is. */
const STRANGE = /([\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb])/;

const spelt = (char: string): string => {
  const code = char.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Text of which nobody knows where it comes from, in a direction of its own. */
export function Said({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{marked(text)}</bdi>;
}

/** The same without an element around it. */
export function marked(text: string): (string | JSX.Element)[] | string {
  if (!STRANGE.test(text)) return text;
  return text.split(STRANGE).map((part, i) =>
    i % 2 === 1 ? (
      <span key={i} class="strange">
        {spelt(part)}
      </span>
    ) : (
      part
    ),
  );
}

/** For what takes text only (a title, a label). */
export const plain = (text: string): string =>
  text
    .split(STRANGE)
    .map((part, i) => (i % 2 === 1 ? spelt(part) : part))
    .join('');
