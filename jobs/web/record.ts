/** The moves that were made, and those that were taken back; a click goes there. */
import { button, h } from './dom.js';
import type { Shown } from './explorer.js';

export interface Record {
  readonly element: HTMLElement;
  show(shown: Shown): void;
}

export function newRecord(wind: (at: number) => void): Record {
  const list = h('ol', {});
  const element = h('section', { class: 'record', 'aria-label': 'Moves made' }, list);
  return {
    element,
    show({ line, game }) {
      element.hidden = line.steps.length === 0;
      const first = line.first === null ? 0 : game.colours.indexOf(line.first);
      list.replaceChildren(
        ...[{ san: 'Start' }, ...line.steps].map(({ san }, at) => {
          const made = button(san, () => wind(at), at > line.at ? { class: 'undone' } : {});
          if (at === line.at) made.setAttribute('aria-current', 'step');
          // Moves are counted from the start of the line; the side that is named first in the game begins a number.
          const turn = at - 1 + first;
          const number = Math.floor(turn / 2) + 1;
          const mark = at === 0 ? '' : turn % 2 === 0 ? `${number}.` : at === 1 ? `${number}…` : '';
          return h('li', {}, ...(mark ? [h('span', { class: 'soft' }, mark)] : []), made);
        }),
      );
      const current = list.children[line.at] as HTMLElement;
      // Within the list only: the page stays where it is.
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    },
  };
}
