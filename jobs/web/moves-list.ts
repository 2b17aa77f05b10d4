/** Every legal move with its value, best first. */
import type { MoveAnswer, PositionAnswer } from '../server/shapes.js';
import { button, h } from './dom.js';
import { brief, outcome, wdlClass } from './words.js';

export interface MovesList {
  readonly element: HTMLElement;
  /** Null: there is nothing to list. */
  show(answer: PositionAnswer | null): void;
  focus(): void;
}

export interface MovesListEvents {
  play(move: MoveAnswer): void;
  /** A move is pointed at, or none any more. */
  point(move: MoveAnswer | null): void;
}

const TITLES: Readonly<Record<MoveAnswer['wdl'], string>> = {
  win: 'Winning',
  'cursed win': 'Winning but for the 50-move rule',
  draw: 'Drawing',
  'blessed loss': 'Losing but for the 50-move rule',
  loss: 'Losing',
};

export function newMovesList({ play, point }: MovesListEvents): MovesList {
  const groups = h('div', { class: 'groups', keydown });
  const count = h('span', { class: 'soft' });
  const element = h(
    'section',
    { class: 'moves', 'aria-labelledby': 'moves-title' },
    h('h2', { id: 'moves-title' }, 'Moves ', count),
    groups,
  );
  const buttons = () => [...groups.querySelectorAll('button')];

  function keydown(event: KeyboardEvent): void {
    const all = buttons();
    const at = all.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    focusOn(all[Math.max(0, Math.min(all.length - 1, to))]);
  }

  function focusOn(chosen: HTMLButtonElement | undefined): void {
    for (const each of buttons()) each.tabIndex = each === chosen ? 0 : -1;
    chosen?.focus();
  }

  function moveButton(move: MoveAnswer, { metric, game }: PositionAnswer): HTMLButtonElement {
    const words = outcome(move.wdl, move.plies, metric, game);
    const leaves = move.conversion ? ', leaves the ending' : '';
    const made = button(h('span', { class: 'san' }, move.san), () => play(move), {
      title: words + leaves,
      class: `move ${wdlClass(move.wdl)}`,
    });
    made.setAttribute('aria-label', `${move.san}: ${words}${leaves}`);
    made.tabIndex = -1;
    made.append(
      ...(move.conversion ? [h('span', { class: 'leaves' }, '↗')] : []),
      h('span', { class: 'value' }, brief(move)),
    );
    for (const come of ['pointerenter', 'focus']) made.addEventListener(come, () => point(move));
    for (const go of ['pointerleave', 'blur']) made.addEventListener(go, () => point(null));
    return made;
  }

  return {
    element,
    focus: () => focusOn(buttons()[0]),
    show(answer) {
      element.hidden = answer === null;
      if (answer === null) return groups.replaceChildren();
      const hadFocus = groups.contains(document.activeElement);
      const { moves } = answer;
      count.textContent = moves.length === 0 ? '' : String(moves.length);
      const kinds = [...new Set(moves.map(({ wdl }) => wdl))];
      groups.replaceChildren(
        ...kinds.map((kind) =>
          h(
            'div',
            { role: 'group', 'aria-label': TITLES[kind] },
            h('h3', { class: wdlClass(kind) }, TITLES[kind]),
            h(
              'ul',
              {},
              ...moves.filter(({ wdl }) => wdl === kind).map((move) => h('li', {}, moveButton(move, answer))),
            ),
          ),
        ),
        ...(moves.length === 0 ? [h('p', { class: 'soft' }, 'None: the game is over.')] : []),
      );
      const [first] = buttons();
      if (first !== undefined) first.tabIndex = 0;
      if (hadFocus) first?.focus();
    },
  };
}
