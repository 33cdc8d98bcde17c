/** Steps that one line may cost: commands, words, forks of what is known. A step is some five microseconds. */
export const MOST_STEPS = 6_000;

/** Names that the globs of one line may look at. */
export const MOST_NAMES = 20_000;

/** Functions, scripts, substitutions and aliases inside each other. */
export const MOST_DEPTH = 40;

/**
 * The last resort, in milliseconds of this process's own time, so that a busy machine changes nothing: the deterministic limits
 * above end every walk that was measured long before it.
 */
const LAST_RESORT_MS = 250;

/** Thrown when the line has cost all its steps: what was not walked is a gap. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

const spent = (since: NodeJS.CpuUsage): number => process.cpuUsage(since).user / 1000;

/** What is left for one line. */
export class Budget {
  #steps = MOST_STEPS;
  #names = MOST_NAMES;
  #calls = 0;
  readonly #started = process.cpuUsage();

  step(cost = 1): void {
    this.#steps -= cost;
    if (this.#steps < 0) throw new Exhausted();
    if ((++this.#calls & 127) === 0 && spent(this.#started) > LAST_RESORT_MS) throw new Exhausted();
  }

  /** False when so many names may not be looked at any more. */
  spend(names: number): boolean {
    if (names > this.#names) return false;
    this.#names -= names;
    return true;
  }
}
