/** En passant and the half-move clock of a chess position that is set up. */
import type { Colour } from '../../pipeline/game/game.js';
import type { Rights } from './board/kind.js';
import { field, options } from './controls.js';
import { h } from './dom.js';

export interface RightsFields {
  readonly element: HTMLElement;
  /** Null: positions of the game have none. */
  show(rights: Rights | null, mover: Colour): void;
}

const FILES = [...'abcdefgh'];

export function newRightsFields(changed: (rights: Rights) => void): RightsFields {
  let shown: Rights | null = null;
  const passant = h('select', { change: () => shown && changed({ ...shown, passant: passant.value }) });
  const clock = h('input', {
    type: 'number',
    min: 0,
    max: 999,
    step: 1,
    inputmode: 'numeric',
    change: () => {
      const plies = Math.max(0, Math.min(999, Math.trunc(Number(clock.value)) || 0));
      if (shown) changed({ ...shown, clock: plies });
    },
  });
  const element = h(
    'div',
    { class: 'rights' },
    field('En passant', passant),
    field('Half-move clock', clock, { title: 'Plies since the last capture or move of a pawn' }),
  );
  return {
    element,
    show(rights, mover) {
      shown = rights;
      element.hidden = rights === null;
      if (rights === null) return;
      const squares = FILES.map((file) => file + (mover === 'white' ? 6 : 3));
      // A position that was pasted may name any square.
      const all = new Set(['-', ...squares, rights.passant]);
      passant.replaceChildren(
        ...options([...all].map((square) => [square, square === '-' ? 'none' : square] as const)),
      );
      passant.value = rights.passant;
      clock.value = String(rights.clock);
    },
  };
}
