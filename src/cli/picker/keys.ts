const NAMES: Readonly<Record<string, string>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[5~': 'pageup',
  '\x1b[6~': 'pagedown',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'interrupt',
  '\x04': 'interrupt',
  '\x10': 'up',
  '\x0e': 'down',
};

/** The keys in one chunk of terminal input: names for those that have one, else the character itself. */
export function keysIn(chunk: string): string[] {
  const keys: string[] = [];
  for (const hit of chunk.matchAll(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gsu)) {
    const name = NAMES[hit[0]] ?? (/^[^\0-\x1f]$/u.test(hit[0]) ? hit[0] : undefined);
    if (name !== undefined) keys.push(name);
  }
  return keys;
}
