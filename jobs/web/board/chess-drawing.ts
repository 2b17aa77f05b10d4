/**
 * The men of chess, by cm-chessboard. Its extensions for arrows, markers, promotions and accessibility are not used, because they work on boards of
 * chess alone: marks.ts, input.ts and cells.ts serve checkers as well, and the extensions would come on top of them.
 */

import pieces from 'cm-chessboard/assets/pieces/standard.svg?url';
import { Chessboard, COLOR } from 'cm-chessboard/src/Chessboard.js';
import { h, svg } from '../dom.js';
import { chessKind, colourOf } from './chess-kind.js';
import type { Drawing } from './drawing.js';

/** `element` is in the page: the board takes its measures from it. `duration`: of an animation, in milliseconds. */
export function chessDrawing(host: HTMLElement, duration: number): Drawing {
  const element = h('div', { class: 'drawing', 'aria-hidden': 'true' });
  host.append(element);
  const board = new Chessboard(element, {
    style: {
      showCoordinates: false,
      cssClass: 'mergemate',
      animationDuration: duration,
      pieces: { file: new URL(pieces, location.href).href },
    },
  });
  const names = svg('svg', { viewBox: '0 0 8 8', class: 'names' });
  element.append(names);
  let drawn = '';

  function name(whiteBelow: boolean): void {
    names.replaceChildren(
      ...Array.from({ length: 8 }, (_, i) => {
        const [row, column] = whiteBelow ? [8 - i, i] : [i + 1, 7 - i];
        return [
          svg('text', { x: 0.06, y: i + 0.24, class: i % 2 === 0 ? 'on-light' : 'on-dark' }, String(row)),
          svg(
            'text',
            { x: i + 0.94, y: 7.92, class: `file ${i % 2 === 0 ? 'on-dark' : 'on-light'}` },
            'abcdefgh'[column],
          ),
        ];
      }).flat(),
    );
  }

  name(true);
  return {
    element,
    async draw(men, animated) {
      const position = chessKind.write({ men, mover: 'white' });
      // It would be animated all the same.
      if (position === drawn) return;
      drawn = position;
      await board.setPosition(position, animated);
    },
    turn(whiteBelow) {
      name(whiteBelow);
      void board.setOrientation(whiteBelow ? COLOR.white : COLOR.black);
    },
    lift(cell) {
      for (const man of element.querySelectorAll('.pieces > g')) {
        const away = cell !== null && man.getAttribute('data-square') === chessKind.cellName(cell);
        man.setAttribute('visibility', away ? 'hidden' : 'visible');
      }
    },
    // The symbols are those that the board has put into the page.
    picture: (man) =>
      svg(
        'svg',
        { viewBox: '0 0 40 40', 'aria-hidden': 'true' },
        svg('use', { href: `#${colourOf(man)[0]}${man.toLowerCase()}` }),
      ),
  };
}
