/** The buttons below the board. */
import { button, h } from './dom.js';

export interface ToolbarEvents {
  back(): void;
  redo(): void;
  best(): void;
  /** Plays the main line out, or stops that. */
  playOut(): void;
  flip(): void;
  setUp(): void;
  share(): void;
}

export interface ToolbarState {
  readonly canBack: boolean;
  readonly canRedo: boolean;
  readonly canPlay: boolean;
  /** Why there is no main line; null if there is one. */
  readonly noLine: string | null;
  readonly playing: boolean;
  readonly hasBoard: boolean;
}

export interface Toolbar {
  readonly element: HTMLElement;
  show(state: ToolbarState): void;
  focusSetUp(): void;
  /** Milliseconds between the moves of a main line. */
  pace(): number;
  /** Whether the other side shall answer by itself. */
  answers(): boolean;
}

/** A button that is of no use stays where the focus can be, so that keys go on working. */
function setAvailable(button: HTMLButtonElement, available: boolean): void {
  button.setAttribute('aria-disabled', String(!available));
}

const PACES = [
  ['slowly', 1600],
  ['steadily', 800],
  ['fast', 150],
] as const;

export function newToolbar(events: ToolbarEvents): Toolbar {
  const back = button('← Back', events.back, { title: 'Take the last move back', key: 'ArrowLeft' });
  const redo = button('Redo →', events.redo, { title: 'Make it again', key: 'ArrowRight' });
  const best = button('Best move', events.best, { title: 'Play the first of the best moves', key: 'b' });
  const playOut = button('Play out', events.playOut, { key: 'm', class: 'main' });
  const pace = h(
    'select',
    { 'aria-label': 'How fast the main line is played' },
    ...PACES.map(([name, ms]) => h('option', { value: ms, selected: name === 'steadily' }, name)),
  );
  const answers = h('input', { type: 'checkbox' });
  const flip = button('Flip', events.flip, { title: 'See the board from the other side', key: 'f' });
  const setUp = button('Set up', events.setUp, { title: 'Put men on the board', key: 's' });
  const copy = button('Copy…', events.share, {
    title: 'A link, the position, the moves, a picture: to copy or save',
    key: 'c',
  });
  return {
    element: h(
      'div',
      { class: 'toolbar', role: 'group', 'aria-label': 'Moves and board' },
      h('div', { class: 'buttons' }, back, redo, best),
      h('div', { class: 'buttons' }, playOut, pace),
      h(
        'label',
        { class: 'answers', title: 'The other side plays its best move by itself' },
        answers,
        ' Answer my moves',
      ),
      h('div', { class: 'buttons' }, setUp, flip, copy),
    ),
    focusSetUp: () => setUp.focus({ preventScroll: true }),
    pace: () => Number(pace.value),
    answers: () => answers.checked,
    show({ canBack, canRedo, canPlay, noLine, playing, hasBoard }) {
      setAvailable(back, canBack);
      setAvailable(redo, canRedo);
      setAvailable(best, canPlay && !playing);
      setAvailable(playOut, noLine === null || playing);
      playOut.textContent = playing ? 'Stop' : 'Play out';
      playOut.title = noLine ?? 'Play best moves of both sides to the end (m)';
      setUp.hidden = !hasBoard;
      flip.hidden = !hasBoard;
    },
  };
}
