/**
 * Steps that one line may cost: commands, words, forks of what is known. A step is some five microseconds. Counted, never timed: the
 * same line always gets the same answer.
 */
export const MOST_STEPS = 4_000;

/** Names that the globs of one line may look at. */
export const MOST_NAMES = 20_000;

/** Functions, scripts, substitutions and aliases inside each other. */
export const MOST_DEPTH = 40;

/** Thrown when the line has cost all its steps: what was not walked is a gap. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

/** What is left for one line. */
export class Budget {
  #steps = MOST_STEPS;
  #names = MOST_NAMES;

  step(cost = 1): void {
    this.#steps -= cost;
    if (this.#steps < 0) throw new Exhausted();
  }

  /** Steps taken so far. */
  get spent(): number {
    return MOST_STEPS - this.#steps;
  }

  /** False when so many names may not be looked at any more. */
  spend(names: number): boolean {
    if (names > this.#names) return false;
    this.#names -= names;
    return true;
  }
}
