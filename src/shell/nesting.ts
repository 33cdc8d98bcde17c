/** Blocks inside each other: deeper ones are not translated, so that no text runs out of stack. */
const MOST_BLOCKS = 256;

export class TooDeep extends Error {}

/** Text that is read again, or made longer, because it lies inside another: four times what one line may be long. */
const MOST_REREAD = 262_144;

/** What a reader may still read again: each level of a substitution reads all that lies in it, so that depth times length is what it costs. */
export class Rereading {
  #left = MOST_REREAD;

  spend(length: number): void {
    this.#left -= length;
    if (this.#left < 0) throw new TooDeep('too much text inside other text');
  }
}

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
