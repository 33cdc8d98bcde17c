import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';

const tests = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * What was measured of git as a store, and how other tools lose data with it: for each a promise of belay's, and the tests that prove
 * it, wherever they lie (a file below `test/`, the title in it).
 */
const PROMISES: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'a warm capture throws no stat cache away: one git process at most, and only what changed is hashed': [
    [
      'saving/git-store.test.ts',
      'a warm capture is one git process, none where only contents changed in a small tree, and hashes only what changed',
    ],
  ],
  'a nested repository is grafted in as ordinary content, its .git left out, also one without a commit': [
    [
      'saving/capture.test.ts',
      'nested repositories are content: submodules, clones, clones without a commit, worktrees',
    ],
  ],
  'an add that fails never leaves a stale tree behind: what failed it is left out and named, and a busy build is no reason':
    [
      [
        'saving/git-store.test.ts',
        'a file that may not be read is left out and named; the rest is captured, and no older state of it stays',
      ],
      ['saving/git-store.test.ts', 'beside a build that makes and removes files all the time every capture is whole'],
      [
        'saving/git-store.test.ts',
        'a capture that fails is said to have failed, and leaves no capture, no lock and no index behind',
      ],
      [
        'saving/capture.test.ts',
        'nested repositories are content: submodules, clones, clones without a commit, worktrees',
      ],
      ['saving/capture.test.ts', 'a capture is byte-exact whatever .gitattributes say, and runs no filter'],
    ],
  'bytes are exact whatever any .gitattributes say, and no filter runs': [
    ['saving/capture.test.ts', 'a capture is byte-exact whatever .gitattributes say, and runs no filter'],
    [
      'saving/invariants.e2e.test.ts',
      'invariant 2, byte-exact: attributes, line ends, modes, links, empty folders and names of any bytes',
    ],
  ],
  'what a line names costs no index of its tree, however large that is': [
    [
      'saving/git-store.test.ts',
      'a named file of a tree that is too large for captures is held and recorded without an index and without a capture',
    ],
    ['saving/snap.e2e.test.ts', 'a line whose effects are known starts no program before it runs'],
  ],
  'a first capture borrows from the repository, and owns at once; no bit and no conversion of the borrowed index is believed':
    [
      [
        'saving/lend.test.ts',
        'a first capture borrows from the repository, and owns what it borrowed: rm -rf .git takes nothing away',
      ],
      ['saving/lend.test.ts', 'borrowed blobs are the files’ bytes also where a conversion was in force'],
      [
        'saving/lend.test.ts',
        'bits that hide changes from git hide none from a capture: assume-unchanged, skip-worktree, submodules, a racy index',
      ],
      ['saving/lend.test.ts', 'where the repository has lost objects everything is read from the files'],
    ],
  'planning runs no hostile code, a taken number keeps its checkpoint, the link attempt decides, and times are not believed':
    [
      [
        'effects/git/hostile.test.ts',
        'nothing that a repository configures is run: fsmonitor, filters, text conversion, hooks, helpers, transports',
      ],
      [
        'checkpoint/writers.test.ts',
        'writers at once each get a number of their own, prune beside them, and everything listed is whole',
      ],
      ['saving/placing.test.ts', 'the link attempt decides, not the device number: a bind mount'],
      [
        'saving/git-store.test.ts',
        'what came with an older time of its own (cp -p, tar x) is in the next capture, however deep its folder lies',
      ],
      ['shims/captured.e2e.test.ts', 'what changed since the capture is held, also with its old time put back'],
    ],
  'no GIT_* variable and no git configuration steers the store': [
    ['saving/snap.e2e.test.ts', 'no GIT_* variable, git configuration or locale steers the store'],
    [
      'saving/invariants.e2e.test.ts',
      'invariant 4, the project’s .git is read, never written, and no GIT_* variable steers the store',
    ],
  ],
  'nothing is forgotten: empty folders, modes, line ends, ignored and large files, what lies elsewhere, ignored files that are tracked':
    [
      ['saving/capture.test.ts', 'modes and empty folders are in the record'],
      [
        'saving/capture.test.ts',
        'ignored files stay out, precious and tracked ones come in, also from ignored folders',
      ],
      [
        'saving/capture.test.ts',
        'a file that became too large leaves the capture; it is named, and no older state of it stays',
      ],
      [
        'saving/invariants.e2e.test.ts',
        'invariant 1, named means saved: tracked, ignored, outside every project, inside .git, large, changed since it was saved',
      ],
      [
        'saving/invariants.e2e.test.ts',
        'invariant 2, byte-exact: attributes, line ends, modes, links, empty folders and names of any bytes',
      ],
    ],
  'a turn is marked as saved after the save, never before': [
    ['saving/git-store.test.ts', 'a save that fails marks nothing as saved: the next line of the turn is held'],
    ['saving/snap.e2e.test.ts', 'the marker of a turn is there after the save, and gone after its end'],
  ],
  'what kill -9 leaves is in nobody’s way, an index never outlives its objects, and debris does not grow': [
    ['saving/capture.test.ts', 'an index.lock left by a killed git is in nobody’s way'],
    ['saving/together.test.ts', 'a ref lock that a killed git left is in nobody’s way'],
    ['saving/capture.test.ts', 'an index that names lost objects is thrown away, and the capture is whole'],
    [
      'saving/git-store.test.ts',
      'gc of the store takes nothing that the kept index names, also when every capture but the last is gone',
    ],
    [
      'saving/git-store.test.ts',
      'a store whose refs a collection has packed away whole is a repository still; debris of killed processes goes',
    ],
  ],
  'a kept index misses no edit of the same size with its old time put back': [
    [
      'saving/git-store.test.ts',
      'an edit of the same size with its old mtime put back is seen, whatever the repository’s configuration says',
    ],
  ],
  'a large file costs a link, not its bytes': [
    [
      'saving/git-store.test.ts',
      'a large file is held by a link: it is neither read, nor compressed, nor copied, and it comes back',
    ],
  ],
  'a restore removes nothing that it has no proof of, leaves its project by no link, keeps times, saves first, and takes names literally':
    [
      [
        'cli/promises.test.ts',
        'a file that a checkpoint lists as left out is skipped and named, and the rest comes back',
      ],
      ['cli/restore.test.ts', 'a hostile checkpoint never leads out of its project'],
      ['cli/restore.test.ts', 'what already is as it should be is not touched, its time included'],
      [
        'cli/restore.test.ts',
        'the command that a restore prints brings back exactly what it found, hand-edits included, twice in a row too',
      ],
      ['cli/promises.test.ts', '--literal takes names that look like magic, wildcards or exclusions for what they are'],
    ],
  'numbers of checkpoints are stable: none is given twice, none moves': [
    ['checkpoint/store.test.ts', 'numbers count up, are never reused, and the same session and turn is recorded once'],
    [
      'checkpoint/prune.test.ts',
      "a project's numbers only grow, whoever wrote in between; a damaged file is made anew from the records",
    ],
  ],
};

for (const [promise, proofs] of Object.entries(PROMISES))
  test(promise, () => {
    for (const [file, title] of proofs) {
      const text = fs.readFileSync(join(tests, file), 'utf8');
      assert.ok(
        text.includes(`test('${title}`) || text.includes(`test(\`${title}`) || text.includes(`test("${title}`),
        `${file}: ${title}`,
      );
    }
  });

test.run();
