import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledProgram, installFolderOf } from '../../src/platform/compiled.ts';

const test = suite('the place of the program that runs');

test('a newer belay installed over the one that runs goes on for it', () => {
  for (const seen of ['/p/lib/.belay-old-22004/dist/belay-snap (deleted)', '/p/lib/.belay-old-22004/dist/belay-snap'])
    assert.is(compiledProgram(seen), '/p/lib/belay/dist/belay-snap');
  assert.is(compiledProgram('/p/lib/belay/dist/belay-snap'), '/p/lib/belay/dist/belay-snap');
});

test('the folder is known where nothing is there at this instant', () =>
  assert.is(installFolderOf('/nowhere/lib/belay/dist/belay-snap.cjs'), '/nowhere/lib/belay'));

test.run();
