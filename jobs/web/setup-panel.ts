/** Setting up a position: men from a palette are dragged to the board or put there square by square. */
import type { Colour } from '../../pipeline/game/game.js';
import type { PositionAnswer } from '../server/api-answers.js';
import type { Board } from './board/board.js';
import type { Cell, Man, Setup } from './board/kind.js';
import { button, h, setText } from './dom.js';
import { newRightsFields } from './rights-fields.js';
import { newPalette, type Palette } from './setup-palette.js';
import { verdictOf } from './value-words.js';

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

/** Who was to move had the right. */
function withoutPassant(setup: Setup): Setup {
  return setup.rights === undefined ? setup : { ...setup, rights: { ...setup.rights, passant: '-' } };
}

/** Milliseconds without a change before the source is asked. */
const PAUSE = 150;

export function newSetupPanel({ look, changed, done, cancelled }: SetupEvents): SetupPanel {
  let board: Board | null = null;
  let draft: Setup = { men: new Map(), mover: 'white' };
  let pause: ReturnType<typeof setTimeout> | undefined;
  const palette = newPalette((cell, man) => put(cell, man));
  const verdict = h('p', { class: 'checked', role: 'status' });
  const sides = (['white', 'black'] as const).map((colour) =>
    sideChoice(colour, () => set(withoutPassant({ ...draft, mover: colour }))),
  );
  const rights = newRightsFields((changed) => set({ ...draft, rights: changed }));
  const clear = button('Clear', () => set(withoutPassant({ ...draft, men: new Map() })), {
    title: 'Take all men off the board',
  });
  const swap = button('Swap colours', () => set(board!.kind.exchanged(draft)), {
    title: 'White’s men become Black’s, and the other way round',
  });
  const mirror = button('Mirror', () => set(board!.kind.mirrored!(draft)), {
    title: 'Exchange left and right',
  });
  const element = layOut(
    [palette.element, sideFields(sides), rights.element],
    [clear, mirror, swap],
    [verdict],
    [button('Done', () => void finish(), { class: 'main' }), button('Cancel', cancelled, { key: 'Escape' })],
  );

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

  return {
    element,
    get running() {
      return board !== null;
    },
    begin(on, position) {
      board = on;
      palette.show(on);
      mirror.hidden = board.kind.mirrored === null;
      element.hidden = false;
      board.handle(inputOf(on, palette, { draft: () => draft, set, put }));
      set(board.kind.read(position) ?? draft);
      palette.focus();
    },
    end() {
      clearTimeout(pause);
      board = null;
      element.hidden = true;
    },
  };
}

/** The draft, and what changes it. */
interface Drafting {
  draft(): Setup;
  set(next: Setup): void;
  put(cell: Cell, man: Man | null): void;
}

/** The board's input, applied to the draft. */
function inputOf(on: Board, palette: Palette, { draft, set, put }: Drafting): Parameters<Board['handle']>[0] {
  return {
    canLift: (cell) => draft().men.has(cell),
    canDrop: (_, to) => on.kind.cellName(to) !== null,
    targets: () => new Map(),
    moved(from, to) {
      const man = draft().men.get(from)!;
      const men = new Map(draft().men);
      men.delete(from);
      if (to !== null) men.set(to, man);
      set({ ...draft(), men });
    },
    pressed(cell) {
      const { tool } = palette;
      if (tool === 'none') return false;
      put(cell, tool === 'remove' || draft().men.get(cell) === tool ? null : tool);
      return true;
    },
    key(cell, key) {
      const removes = key === 'Delete' || key === 'Backspace';
      if (!removes && !on.kind.palette.includes(key)) return false;
      put(cell, removes ? null : key);
      return true;
    },
  };
}

function sideChoice(colour: Colour, chosen: () => void) {
  const input = h('input', {
    type: 'radio',
    name: 'mover',
    value: colour,
    change: chosen,
  });
  return { colour, input, label: h('label', {}, input, colour === 'white' ? ' White' : ' Black') };
}

function sideFields(sides: readonly { readonly label: HTMLElement }[]): HTMLElement {
  return h('fieldset', { class: 'sides' }, h('legend', {}, 'To move'), ...sides.map(({ label }) => label));
}

function layOut(
  fields: readonly HTMLElement[],
  changes: readonly HTMLElement[],
  said: readonly HTMLElement[],
  ends: readonly HTMLElement[],
): HTMLElement {
  return h(
    'section',
    { class: 'setup', 'aria-labelledby': 'setup-title', hidden: true },
    h('h2', { id: 'setup-title' }, 'Set up a position'),
    h(
      'p',
      { class: 'soft' },
      'Drag men to the board, or choose one and press squares. Dragged off the board, a man is gone.',
    ),
    ...fields,
    h('div', { class: 'buttons' }, ...changes),
    ...said,
    h('div', { class: 'buttons' }, ...ends),
  );
}
