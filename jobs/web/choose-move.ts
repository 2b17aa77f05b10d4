/** Which of several moves between the same squares is meant: a promotion, one of several ways to capture. */
import type { MoveAnswer, PositionAnswer } from '../server/api-answers.js';
import type { Board } from './board/board.js';
import { dialog } from './controls.js';
import { button, h, spoken } from './dom.js';
import { brief, clockOf, outcome, shadeOf, wdlClass } from './value-words.js';

/** `isSecret`: nothing shows what the moves are worth. Resolves to null if none is chosen. */
export function chooseMove(
  moves: readonly MoveAnswer[],
  position: PositionAnswer,
  { kind, picture, marks }: Board,
  isSecret: boolean,
): Promise<MoveAnswer | null> {
  return new Promise((chosen) => {
    let answer: MoveAnswer | null = null;
    // Best first would show what they are worth.
    const listed = isSecret ? [...moves].sort((a, b) => (a.uci < b.uci ? -1 : 1)) : moves;
    const choices = listed.map((move) => {
      const words = isSecret
        ? move.san
        : outcome(move, position.metric, position.game, clockOf(position.position));
      const shade = isSecret ? 'draw' : shadeOf(move, position);
      const promoted = kind.promotion(move.uci);
      const face = h('span', { class: 'face' }, promoted === null ? '' : picture(promoted));
      const made = button(
        face,
        () => {
          answer = move;
          shown.close();
        },
        { class: `move ${wdlClass(shade)}`, title: words },
      );
      const point = () => marks.arrow(kind.path(move.uci), shade);
      made.addEventListener('focus', point);
      made.addEventListener('pointerenter', point);
      made.append(
        h('span', { class: 'san' }, move.san),
        ...(isSecret ? [] : [spoken(': '), h('span', { class: 'value' }, brief(move, 'plies', position))]),
      );
      return made;
    });
    const shown = dialog(
      'choose',
      'Which move?',
      {
        close: () => {
          shown.remove();
          marks.arrow(null, 'draw');
          chosen(answer);
        },
      },
      ...choices,
      button('Cancel', () => shown.close()),
    );
    document.body.append(shown);
    shown.showModal();
  });
}
