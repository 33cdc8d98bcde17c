/** Blocks inside each other: deeper ones are not translated, so that no text runs out of stack. */
const MOST_BLOCKS = 256;

export class TooDeep extends Error {}

/** How deep a reader stands. */
export class Nesting {
  #depth = 0;

  within<T>(read: () => T): T {
    if (this.#depth >= MOST_BLOCKS) throw new TooDeep('blocks nested too deep');
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }
}
