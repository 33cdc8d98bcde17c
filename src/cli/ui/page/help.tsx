import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', '↓'], 'the next one'],
  [['k', '↑'], 'the one before'],
  [['g', 'G'], 'the newest, the oldest'],
  [['Enter'], 'open it: the keys go to its differences'],
  [['Esc'], 'close, or back to the timeline'],
  [['u'], 'undo this turn…'],
  [['r'], 'roll back to before it…'],
  [['/'], 'search'],
  [['1', '2', '3'], 'timeline, worktrees, store'],
  [['?'], 'this'],
];

export const Help = ({ onClose }: { readonly onClose: () => void }): JSX.Element => (
  <Dialog title="Keys" onClose={onClose} class="help">
    <div class="dialog-body">
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={does}>
              <th scope="row">
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        Nothing is restored before you have seen what would be done, and every restore can be taken back.
      </p>
    </div>
  </Dialog>
);
