/** The men that can be put on a board that is set up: they are dragged there, or one is chosen and squares are pressed. */
import type { Board } from './board/board.js';
import { followPointer } from './board/drag.js';
import type { Cell, Man } from './board/kind.js';
import { h } from './dom.js';

/** The man that a press on a square puts there. */
export type Tool = Man | 'none' | 'remove';

export interface Palette {
  readonly element: HTMLElement;
  readonly tool: Tool;
  /** Shows the men of a board; none is chosen. */
  show(board: Board): void;
  focus(): void;
}

/** `put`: a man was dropped on a cell. */
export function newPalette(put: (cell: Cell, man: Man) => void): Palette {
  const element = h('div', { class: 'palette', role: 'group', 'aria-label': 'Men to put on the board' });
  let tool: Tool = 'none';

  function choose(next: Tool): void {
    tool = next === tool ? 'none' : next;
    for (const each of element.querySelectorAll('button')) {
      each.setAttribute('aria-pressed', String(each.dataset.tool === tool));
    }
  }

  function manButton({ kind, picture, cellAt }: Board, man: Man): HTMLElement {
    const made = h('button', {
      type: 'button',
      'data-tool': man,
      'aria-label': kind.manName(man),
      'aria-pressed': 'false',
      title: `${kind.manName(man)} (${man} on a square)`,
      click: ({ detail }: MouseEvent) => {
        if (detail === 0) choose(man);
      },
      pointerdown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        followPointer(event, {
          picture: () => picture(man),
          width: made.clientWidth,
          begun: () => {},
          over: () => {},
          dropped(at, pressed) {
            const cell = at && cellAt(at.x, at.y);
            if (pressed) choose(man);
            else if (cell !== null) put(cell, man);
          },
        });
      },
    });
    made.append(picture(man));
    return made;
  }

  return {
    element,
    get tool() {
      return tool;
    },
    show(board) {
      element.replaceChildren(
        ...board.kind.palette.map((man) => manButton(board, man)),
        h(
          'button',
          {
            type: 'button',
            class: 'remove',
            'data-tool': 'remove',
            title: 'Take men off the board (Delete on a square)',
            click: () => choose('remove'),
          },
          'Remove',
        ),
      );
      tool = 'none';
      choose('none');
    },
    focus: () => element.querySelector('button')?.focus({ preventScroll: true }),
  };
}
