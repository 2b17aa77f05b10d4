/** Which of several moves between the same squares is meant: a promotion, one of several ways to capture. */
import type { MoveAnswer, PositionAnswer } from '../server/shapes.js';
import type { Board } from './board/board.js';
import { button, h } from './dom.js';
import { brief, outcome, wdlClass } from './words.js';

/** Resolves to null if none is chosen. */
export function chooseMove(
  moves: readonly MoveAnswer[],
  { metric, game }: PositionAnswer,
  { kind, picture, marks }: Board,
): Promise<MoveAnswer | null> {
  return new Promise((chosen) => {
    let answer: MoveAnswer | null = null;
    const choices = moves.map((move) => {
      const words = outcome(move.wdl, move.plies, metric, game);
      const promoted = kind.promotion(move.uci);
      const face = h('span', { class: 'face' }, promoted === null ? '' : picture(promoted));
      const made = button(
        face,
        () => {
          answer = move;
          dialog.close();
        },
        { class: `move ${wdlClass(move.wdl)}`, title: words },
      );
      const point = () => marks.arrow(kind.path(move.uci), move.wdl);
      made.addEventListener('focus', point);
      made.addEventListener('pointerenter', point);
      made.setAttribute('aria-label', `${move.san}: ${words}`);
      made.append(h('span', { class: 'san' }, move.san), h('span', { class: 'value' }, brief(move)));
      return made;
    });
    const dialog = h(
      'dialog',
      {
        class: 'choose',
        'aria-labelledby': 'choose-title',
        close: () => {
          dialog.remove();
          marks.arrow(null, 'draw');
          chosen(answer);
        },
        click: ({ target }: Event) => {
          if (target === dialog) dialog.close();
        },
      },
      h('h2', { id: 'choose-title' }, 'Which move?'),
      ...choices,
      button('Cancel', () => dialog.close()),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
