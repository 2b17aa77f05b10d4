/** The choice of an exercise: the ending, the aim, how difficult it is to be. */
import type { EndingAnswer } from '../../server/api-answers.js';
import { field, form, options } from '../controls.js';
import { h, setText } from '../dom.js';
import { type Difficulty, difficulties, type Goal, goals } from './exercise.js';

export interface Choice {
  readonly ending: string;
  readonly goal: Goal;
  readonly difficulty: Difficulty;
}

export interface ExerciseForm {
  readonly element: HTMLElement;
  read(): Choice;
  /** The endings that can be chosen; the one that was chosen stays, if it is among them. */
  offer(endings: readonly EndingAnswer[]): void;
  say(text: string): void;
  /** Whether a position is being looked for. */
  wait(waits: boolean): void;
}

export function newExerciseForm(begin: () => void): ExerciseForm {
  const ending = h('select', { name: 'ending' });
  const aim = h('select', { name: 'aim' }, ...options(goals));
  const difficulty = h('select', { name: 'difficulty' }, ...options(difficulties));
  const said = h('p', { class: 'soft', role: 'status' });
  const element = h(
    'section',
    { class: 'practice', 'aria-labelledby': 'practice-title' },
    h('h2', { id: 'practice-title' }, 'Practise'),
    h(
      'p',
      { class: 'soft' },
      'A random position of an ending: win it, or hold the draw, against the longest defence. Values are hidden until you ask.',
    ),
    form(
      'query',
      begin,
      field('Ending', ending),
      field('Aim', aim),
      field('Difficulty', difficulty),
      h('button', { type: 'submit', class: 'main' }, 'Begin'),
    ),
    said,
  );
  return {
    element,
    read: () => ({
      ending: ending.value,
      goal: goals.find((each) => each === aim.value) ?? 'win',
      difficulty: difficulties.find((each) => each === difficulty.value) ?? 'easy',
    }),
    offer(endings) {
      const before = ending.value;
      const open = endings.filter(({ wins }) => wins[0] + wins[1] > 0).map((each) => each.ending);
      ending.replaceChildren(...options(open));
      ending.value = open.includes(before) ? before : (open.at(-1) ?? '');
    },
    say: (text) => setText(said, text),
    wait(waits) {
      if (waits) element.setAttribute('aria-busy', 'true');
      else element.removeAttribute('aria-busy');
    },
  };
}
