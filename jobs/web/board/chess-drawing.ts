/** The men of chess, by cm-chessboard. The page takes input itself: one way for all boards, pointers and keys. */

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
      cssClass: 'mergemate',
      animationDuration: duration,
      pieces: { file: new URL(pieces, location.href).href },
    },
  });
  const hidden = 'visibility';
  return {
    element,
    draw: (men, animated) => board.setPosition(chessKind.write({ men, mover: 'white' }), animated),
    turn: (whiteBelow) => void board.setOrientation(whiteBelow ? COLOR.white : COLOR.black),
    lift(cell) {
      for (const man of element.querySelectorAll('.pieces > g')) {
        const away = cell !== null && man.getAttribute('data-square') === chessKind.cellName(cell);
        if (away) man.setAttribute(hidden, 'hidden');
        else man.removeAttribute(hidden);
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
