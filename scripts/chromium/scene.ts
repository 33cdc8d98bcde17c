import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { TurnRecord } from '../../src/checkpoint/record.ts';
import { turn } from '../../test/cli/turns.ts';

/** A made-up person's folders, and what they and their agents did in them on two days: the project of the screenshots. */
export interface Scene {
  readonly top: string;
  readonly home: string;
  readonly shop: string;
}

const put = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
};

const CART = `import { price, type Item } from './price.ts';

/** Everything in the basket, with the discount of the day. */
export function total(items: readonly Item[], discount = 0): number {
  const sum = items.reduce((all, item) => all + price(item), 0);
  return Math.round(sum * (1 - discount) * 100) / 100;
}

export const isEmpty = (items: readonly Item[]): boolean => items.length === 0;
`;

const PRICE = `export interface Item {
  readonly name: string;
  readonly cents: number;
  readonly count: number;
}

// Whole cents: 0.1 + 0.2 is not 0.3.
export const price = ({ cents, count }: Item): number => (cents * count) / 100;
`;

const IMPORT = `import csv
import sys
from decimal import Decimal


def rows(path):
    """Each line of the supplier's list, prices in euros."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            yield row["name"], Decimal(row["price"].replace(",", "."))


if __name__ == "__main__":
    for name, price in rows(sys.argv[1]):
        print(f"{name:30} {price:>10.2f}")
`;

/** `now`: the clock that the person's days are counted back from. */
export function makeScene(top: string, now: number): Scene {
  const home = join(top, '.belay');
  const [shop, notes, site] = ['shop', 'notes', 'site'].map((name) => join(top, name)) as [string, string, string];
  put(shop, {
    'package.json': '{ "name": "shop", "type": "module" }\n',
    'src/cart.ts': CART,
    'src/price.ts': PRICE,
    'scripts/import.py': IMPORT,
    '.env': 'STRIPE_KEY=sk_test_4242\nDATABASE_URL=postgres://shop@localhost/shop\n',
    'fixtures/prices.csv': 'name;price\nApple;0,40\nPear;0,55\nPlum;0,25\n',
    'README.md': '# shop\n\nA small shop.\n',
  });
  put(notes, {
    'package.json': '{}',
    'week.md': '# This week\n\n- call the printer\n- invoices\n',
    'ideas.md': 'a shop for ropes\n',
  });
  put(site, {
    'package.json': '{}',
    'index.html': '<h1>Shop</h1>\n<p>Open from nine.</p>\n',
    'style.css': 'h1 { color: teal; }\n',
  });
  repository(top, shop);
  const at = (minutesAgo: number, more: Partial<TurnRecord> = {}): Partial<TurnRecord> => ({
    started: now - minutesAgo * 60_000,
    ended: now - minutesAgo * 60_000 + 800,
    source: 'bash',
    ...more,
  });
  const sed = (path: string, from: string, to: string): void =>
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replaceAll(from, to));
  const person = '20260303_090412_7f3a1c';
  const claude = '20260303_101507_b2c4d6';
  const codex = '20260302_164010_09ad3e';
  turn(
    home,
    notes,
    'mv ideas.md old-ideas.md',
    () => fs.renameSync(join(notes, 'ideas.md'), join(notes, 'old-ideas.md')),
    person,
    at(1530, { verbs: ['mv'] }),
  );
  turn(
    home,
    site,
    'Rework the front page: larger type, opening hours in a table',
    () => {
      put(site, {
        'index.html':
          '<h1>Shop</h1>\n<table>\n  <tr><th>Mon–Fri</th><td>9–18</td></tr>\n  <tr><th>Sat</th><td>9–13</td></tr>\n</table>\n',
        'style.css': 'h1 { color: teal; font-size: 3rem; }\ntable { border-spacing: 1rem; }\n',
      });
    },
    codex,
    at(1395, { source: 'codex', verbs: [] }),
  );
  turn(
    home,
    site,
    "sed -i 's/teal/#0b6a6a/' style.css",
    () => sed(join(site, 'style.css'), 'teal', '#0b6a6a'),
    person,
    at(1340, { verbs: ['sed'] }),
  );
  turn(
    home,
    shop,
    'git checkout -- README.md',
    () => put(shop, { 'README.md': '# shop\n' }),
    person,
    at(190, { verbs: ['git'] }),
  );
  turn(
    home,
    shop,
    'Prices in whole cents, and a discount for the cart',
    () => {
      sed(
        join(shop, 'src/cart.ts'),
        '(items: readonly Item[], discount = 0)',
        '(items: readonly Item[], discount = 0, tax = 0.19)',
      );
      sed(
        join(shop, 'src/cart.ts'),
        'sum * (1 - discount) * 100) / 100',
        'sum * (1 - discount) * (1 + tax) * 100) / 100',
      );
      sed(join(shop, 'src/price.ts'), '// Whole cents: 0.1 + 0.2 is not 0.3.\n', '');
      put(shop, { 'src/tax.ts': 'export const TAX = { de: 0.19, at: 0.2, ch: 0.081 } as const;\n' });
    },
    claude,
    at(154, { source: 'claude', verbs: [] }),
  );
  turn(
    home,
    shop,
    'python3 scripts/import.py fixtures/prices.csv > fixtures/prices.csv',
    () => put(shop, { 'fixtures/prices.csv': '' }),
    person,
    at(96, { verbs: ['>'] }),
  );
  turn(
    home,
    shop,
    'rm -rf src .env',
    () => {
      fs.rmSync(join(shop, 'src'), { recursive: true });
      fs.rmSync(join(shop, '.env'));
    },
    person,
    at(41, { verbs: ['rm'] }),
  );
  return { top, home, shop };
}

/** With two worktrees of agents: one with work in it, one that is done with. */
function repository(top: string, shop: string): void {
  const who = ['-c', 'user.name=You', '-c', 'user.email=you@example.org', '-c', 'init.defaultBranch=main'];
  const git = (folder: string, ...words: string[]): void => {
    execFileSync('git', [...who, '-C', folder, ...words], { stdio: 'ignore' });
  };
  git(shop, 'init', '-q');
  put(shop, { '.gitignore': '.env\n.worktrees/\n' });
  git(shop, 'add', '-A');
  git(shop, 'commit', '-qm', 'A small shop');
  for (const name of ['tax', 'import-csv'])
    git(shop, 'worktree', 'add', '-q', '-b', `belay/${name}`, join(shop, '.worktrees', name));
  put(join(shop, '.worktrees/tax'), { 'src/tax.ts': 'export const TAX = 0.19;\n' });
  const bare = join(top, '.origin.git');
  git(top, 'clone', '-q', '--bare', shop, bare);
  git(shop, 'remote', 'add', 'origin', bare);
  git(shop, 'fetch', '-q', 'origin');
}
