/** Figures with what they are, side by side. */
import { h, setText } from '../dom.js';

export interface Tiles {
  readonly element: HTMLElement;
  /** Null: not known, and not shown. */
  show(figures: Readonly<Record<string, string | null>>): void;
}

export function newTiles(): Tiles {
  const element = h('dl', { class: 'tiles' });
  const tiles = new Map<string, { tile: HTMLElement; value: HTMLElement }>();
  return {
    element,
    show(figures) {
      for (const [name, figure] of Object.entries(figures)) {
        let known = tiles.get(name);
        if (known === undefined) {
          const value = h('dd');
          known = { tile: h('div', {}, h('dt', {}, name), value), value };
          tiles.set(name, known);
          element.append(known.tile);
        }
        known.tile.hidden = figure === null;
        setText(known.value, figure ?? '');
      }
    },
  };
}
