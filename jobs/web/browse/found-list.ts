/** Positions that were found, to be clicked through: by pointer, or with the arrow keys. */
import type { SelectedAnswer } from '../../server/api-answers.js';
import { capital } from '../../ui/verdict.js';
import { steppedTo } from '../arrow-keys.js';
import { button, h } from '../dom.js';
import { brief, wdlClass } from '../value-words.js';

export interface FoundList {
  readonly element: HTMLElement;
  add(positions: readonly SelectedAnswer[]): void;
  clear(): void;
  /** The position that is on the board: marked, if the list has it. */
  mark(position: string): void;
}

export function newFoundList(open: (position: string) => void): FoundList {
  let onBoard = '';
  const element = h('ol', { class: 'found', keydown });
  const buttons = () => [...element.querySelectorAll('button')];

  function keydown(event: KeyboardEvent): void {
    const next = steppedTo(event, buttons());
    next?.focus();
    next?.click();
  }

  function item(found: SelectedAnswer): HTMLElement {
    const { position, side, zugzwang } = found;
    const made = button(h('span', { class: 'text' }, position.split(' ')[0]), () => open(position), {
      class: `position-link ${wdlClass(found.wdl)}`,
    });
    made.append(
      h('span', { class: 'soft' }, capital(side)),
      ...(zugzwang === null ? [] : [h('span', { class: 'soft' }, zugzwang.kind)]),
      h('span', { class: 'value' }, brief(found)),
    );
    made.dataset.position = position;
    return h('li', {}, made);
  }

  function mark(position: string): void {
    onBoard = position;
    for (const each of buttons()) {
      if (each.dataset.position === position) each.setAttribute('aria-current', 'true');
      else each.removeAttribute('aria-current');
    }
  }

  return {
    element,
    mark,
    add(positions) {
      element.append(...positions.map(item));
      mark(onBoard);
    },
    clear: () => element.replaceChildren(),
  };
}
