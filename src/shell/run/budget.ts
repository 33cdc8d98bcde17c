/** Steps that one line may cost: commands, words, names looked at. A step is a few microseconds. */
export const MOST_STEPS = 12_000;

/** Names that the globs of one line may look at. */
export const MOST_NAMES = 60_000;

/** Functions, scripts, substitutions and aliases inside each other. */
export const MOST_DEPTH = 40;

/** The last resort, in milliseconds: the deterministic limits above end every walk that was measured long before it. */
const LAST_RESORT_MS = 250;

/** Thrown when the line has cost all its steps: what was not walked is a gap. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

/** What is left for one line. */
export class Budget {
  #steps = MOST_STEPS;
  #names = MOST_NAMES;
  readonly #started = performance.now();

  step(cost = 1): void {
    this.#steps -= cost;
    if (this.#steps < 0) throw new Exhausted();
    if ((this.#steps & 255) === 0 && performance.now() - this.#started > LAST_RESORT_MS) throw new Exhausted();
  }

  /** Steps are left for so many more rounds of something. */
  spare(steps: number): boolean {
    return this.#steps > steps;
  }

  /** False when so many names may not be looked at any more. */
  spend(names: number): boolean {
    if (names > this.#names) return false;
    this.#names -= names;
    return true;
  }
}
