/** Keys that do what buttons do, and the list of them. */
import { dialog } from './controls.js';
import { button, h } from './dom.js';

export interface Shortcut {
  /** As KeyboardEvent.key has it. */
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
}

/** These keys are only listed: they act where the focus is. */
const ELSEWHERE: readonly (readonly [keys: string, does: string])[] = [
  ['Tab', 'next part of the page'],
  ['↑ ↓', 'in the list of moves: next and last move'],
  ['Enter', 'in the list of moves: play it'],
  ['← → ↑ ↓', 'on the board: from square to square'],
  ['Enter', 'on the board: take a man up, put it down'],
];

const FACES: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

export interface Shortcuts {
  /** The list, which is shown when it is opened. */
  readonly element: HTMLElement;
  open(): void;
}

/** Whether a key means something to what has the focus: text is typed, sliders and choices are moved by arrows. */
function isOwn(target: Element, key: string): boolean {
  if (target.closest('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])'))
    return true;
  return key.startsWith('Arrow') && target.closest('input, .scroll[tabindex]') === target;
}

/** Listens to keys. */
export function newShortcuts(shortcuts: readonly Shortcut[]): Shortcuts {
  const row = (keys: string, does: string) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, ...keys.split(' ').map((key) => h('kbd', {}, key))),
      h('td', {}, does),
    );
  const element = dialog(
    'shortcuts',
    'Keys',
    {},
    h(
      'table',
      {},
      h(
        'tbody',
        {},
        ...shortcuts.map(({ key, does }) => row(FACES[key] ?? key, does)),
        row('?', 'this list'),
        ...ELSEWHERE.map(([keys, does]) => row(keys, does)),
      ),
    ),
    button('Close', () => element.close()),
  );
  const open = () => {
    if (!element.open) element.showModal();
  };

  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
    if (isOwn(target as Element, key)) return;
    if (key === '?') return open();
    const shortcut = shortcuts.find((each) => each.key === key);
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.run();
  });
  return { element, open };
}
