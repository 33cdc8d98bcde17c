import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keysIn } from '../../src/cli/picker/keys.ts';
import { screen } from '../../src/cli/picker/screen.ts';
import { opened, type PickerState, press, selected } from '../../src/cli/picker/state.ts';
import { styleFor, widthOf } from '../../src/cli/style.ts';

const choices = [
  { n: 3, text: '3 rm -rf build' },
  { n: 2, text: '2 sed -i notes' },
  { n: 1, text: '1 rm notes' },
];

function type(...keys: string[]): PickerState | number | 'left' {
  let state = opened(choices);
  for (const key of keys) {
    const next = press(state, key);
    if (next.is === 'left') return 'left';
    if (next.is === 'chosen') return next.n;
    state = next.state;
  }
  return state;
}

test('arrows choose, enter takes, q and escape leave', () => {
  assert.is(type('down', 'enter'), 2);
  assert.is(type('down', 'down', 'down', 'enter'), 1);
  assert.is(type('end', 'up', 'enter'), 2);
  assert.is(type('j', 'k', 'enter'), 3);
  for (const key of ['q', 'escape', 'interrupt']) assert.is(type(key), 'left');
});

test('a slash filters by words, escape clears the filter, and nothing is chosen where nothing matches', () => {
  assert.is(type('/', ...'notes rm', 'enter'), 1);
  assert.is(type('/', ...'zzz', 'escape', 'enter'), 3);
  const empty = type('/', ...'zzz', 'enter');
  assert.is(typeof empty === 'object' && selected(empty), undefined);
  assert.is(type('/', 'q', 'backspace', 'enter'), 3);
});

test('where nothing has the words as they were typed, their letters close together are enough', () => {
  assert.is(type('/', ...'sdi', 'enter'), 2);
  assert.is(type('/', ...'bld', 'enter'), 3);
  const far = type('/', ...'rmd', 'enter');
  assert.is(typeof far === 'object' && selected(far), undefined);
});

test('the question mark shows help, any key leaves it', () => {
  const help = type('?');
  assert.ok(typeof help === 'object' && help.help);
  assert.is(type('?', 'x', 'enter'), 3);
});

test('keys are told apart in what a terminal sends', () => {
  assert.equal(keysIn('\x1b[A\x1bOBx\r\x7f\x1b'), ['up', 'down', 'x', 'enter', 'backspace', 'escape']);
  assert.equal(keysIn('é日'), ['é', '日']);
});

test('no line of the screen is wider than the terminal, wide characters included', () => {
  const wide = opened([{ n: 1, text: '日本語'.repeat(20) }]);
  const lines = screen(wide, '題'.repeat(40), ['行'.repeat(50)], { rows: 10, columns: 33 }, styleFor({}));
  assert.ok(lines.length <= 10);
  for (const line of lines) assert.ok(widthOf(line) <= 33, line);
});

test.run();
