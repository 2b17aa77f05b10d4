/** Setting up a position: men from a palette are dragged to the board or put there square by square. */
import type { Colour } from '../../pipeline/game.js';
import type { PositionAnswer } from '../server/shapes.js';
import type { Board } from './board/board.js';
import { followPointer } from './board/drag.js';
import type { Cell, Man, Setup } from './board/kind.js';
import { button, h, setText } from './dom.js';
import { newRightsFields } from './rights-fields.js';
import { verdictOf } from './words.js';

export interface SetupPanel {
  readonly element: HTMLElement;
  /** Takes the board's input over. */
  begin(board: Board, position: string): void;
  end(): void;
  readonly running: boolean;
}

export interface SetupEvents {
  look(position: string): Promise<PositionAnswer>;
  /** The text of what is on the board. */
  changed(position: string): void;
  /** Everything is set up, and legal. */
  done(position: string): void;
  cancelled(): void;
}

/** What a press on a square puts there. */
type Tool = Man | 'none' | 'remove';

/** Who was to move had the right. */
function withoutPassant(setup: Setup): Setup {
  return setup.rights === undefined ? setup : { ...setup, rights: { ...setup.rights, passant: '-' } };
}

/** Milliseconds without a change before the source is asked. */
const PAUSE = 150;

export function newSetupPanel({ look, changed, done, cancelled }: SetupEvents): SetupPanel {
  let board: Board | null = null;
  let draft: Setup = { men: new Map(), mover: 'white' };
  let tool: Tool = 'none';
  let pause: ReturnType<typeof setTimeout> | undefined;
  const palette = h('div', { class: 'palette', role: 'group', 'aria-label': 'Men to put on the board' });
  const verdict = h('p', { class: 'checked', role: 'status' });
  const sides = (['white', 'black'] as const).map((colour) => sideChoice(colour));
  const rights = newRightsFields((changed) => set({ ...draft, rights: changed }));
  const mirror = button('Mirror', () => set(board!.kind.mirrored!(draft)), {
    title: 'Exchange left and right',
  });
  const element = h(
    'section',
    { class: 'setup', 'aria-labelledby': 'setup-title', hidden: true },
    h('h2', { id: 'setup-title' }, 'Set up a position'),
    h(
      'p',
      { class: 'soft' },
      'Drag men to the board, or choose one and press squares. Dragged off the board, a man is gone.',
    ),
    palette,
    h('fieldset', { class: 'sides' }, h('legend', {}, 'To move'), ...sides.map(({ label }) => label)),
    rights.element,
    h(
      'div',
      { class: 'buttons' },
      button('Clear', () => set(withoutPassant({ ...draft, men: new Map() })), {
        title: 'Take all men off the board',
      }),
      mirror,
      button('Swap colours', () => set(board!.kind.exchanged(draft)), {
        title: 'White’s men become Black’s, and the other way round',
      }),
    ),
    verdict,
    h(
      'div',
      { class: 'buttons' },
      button('Done', () => void finish(), { class: 'main' }),
      button('Cancel', cancelled, { key: 'Escape' }),
    ),
  );

  function sideChoice(colour: Colour) {
    const input = h('input', {
      type: 'radio',
      name: 'mover',
      value: colour,
      change: () => set(withoutPassant({ ...draft, mover: colour })),
    });
    return { colour, input, label: h('label', {}, input, colour === 'white' ? ' White' : ' Black') };
  }

  function set(next: Setup): void {
    draft = next;
    rights.show(draft.rights ?? null, draft.mover);
    for (const { colour, input } of sides) input.checked = colour === draft.mover;
    void board!.show(draft, [], false);
    const position = board!.kind.write(draft);
    changed(position);
    clearTimeout(pause);
    pause = setTimeout(() => void check(position), PAUSE);
  }

  /** Says what the draft is worth or what is wrong with it. Resolves to whether it is legal. */
  async function check(position: string): Promise<boolean> {
    const [words, legal] = await look(position).then(
      (answer) => [verdictOf(answer), true] as const,
      (error: Error) => [error.message, false] as const,
    );
    if (board === null || position !== board.kind.write(draft)) return false; // changed meanwhile
    setText(verdict, words);
    verdict.classList.toggle('problem', !legal);
    return legal;
  }

  async function finish(): Promise<void> {
    clearTimeout(pause);
    const position = board!.kind.write(draft);
    if (await check(position)) done(position);
  }

  function put(cell: Cell, man: Man | null): void {
    if (board!.kind.cellName(cell) === null) return;
    const men = new Map(draft.men);
    if (man === null) men.delete(cell);
    else men.set(cell, man);
    set({ ...draft, men });
  }

  function choose(next: Tool): void {
    tool = next === tool ? 'none' : next;
    for (const each of palette.querySelectorAll('button')) {
      each.setAttribute('aria-pressed', String(each.dataset.tool === tool));
    }
  }

  function paletteButton(man: Man): HTMLElement {
    const { kind, picture, cellAt } = board!;
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
    get running() {
      return board !== null;
    },
    begin(on, position) {
      board = on;
      palette.replaceChildren(
        ...board.kind.palette.map(paletteButton),
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
      mirror.hidden = board.kind.mirrored === null;
      tool = 'none';
      choose('none');
      element.hidden = false;
      board.handle({
        canLift: (cell) => draft.men.has(cell),
        canDrop: (_, to) => on.kind.cellName(to) !== null,
        targets: () => new Map(),
        moved(from, to) {
          const man = draft.men.get(from)!;
          const men = new Map(draft.men);
          men.delete(from);
          if (to !== null) men.set(to, man);
          set({ ...draft, men });
        },
        pressed(cell) {
          if (tool === 'none') return false;
          put(cell, tool === 'remove' || draft.men.get(cell) === tool ? null : tool);
          return true;
        },
        key(cell, key) {
          const removes = key === 'Delete' || key === 'Backspace';
          if (!removes && !on.kind.palette.includes(key)) return false;
          put(cell, removes ? null : key);
          return true;
        },
      });
      set(board.kind.read(position) ?? draft);
      palette.querySelector('button')?.focus({ preventScroll: true });
    },
    end() {
      clearTimeout(pause);
      board = null;
      element.hidden = true;
    },
  };
}
