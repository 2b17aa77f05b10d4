/** Beside the board while one practises: what is to be done, how it went, and what can be done next. */
import { button, h, setText } from '../dom.js';

export interface ExerciseStatus {
  readonly element: HTMLElement;
  /** `failed`: the outcome was given away; `done`: the exercise is over. */
  show(text: string, more: string, kind: 'running' | 'done' | 'failed'): void;
  /** Says something else of the same. */
  add(more: string): void;
  hide(): void;
}

export interface ExerciseActions {
  hint(): void;
  /** Names the moves that would have kept the outcome. */
  solve(): void;
  takeBack(): void;
  again(): void;
  next(): void;
  stop(): void;
}

export function newExerciseStatus({
  hint,
  solve,
  takeBack,
  again,
  next,
  stop,
}: ExerciseActions): ExerciseStatus {
  const words = h('p', { class: 'value', role: 'status' });
  const about = h('p', { class: 'soft' });
  const hints = button('Hint', hint, { title: 'The man to move, then its move' });
  const back = button('Take back', takeBack);
  const solution = button('Solution', solve);
  const element = h(
    'section',
    { class: 'practice-status', hidden: true, 'aria-label': 'Exercise' },
    words,
    about,
    h(
      'div',
      { class: 'buttons' },
      hints,
      back,
      solution,
      button('Once more', again),
      button('Next', next, { class: 'main' }),
      button('Show the values', stop),
    ),
  );
  return {
    element,
    show(text, more, kind) {
      setText(words, text);
      setText(about, more);
      element.className = `practice-status ${kind}`;
      element.hidden = false;
      hints.hidden = kind !== 'running';
      back.hidden = kind !== 'failed';
      solution.hidden = kind !== 'failed';
    },
    add: (more) => setText(about, more),
    hide() {
      element.hidden = true;
    },
  };
}
