/** What the shown position is worth; screen readers are told of every change. */
import type { PositionAnswer } from '../server/shapes.js';
import { h, setText } from './dom.js';
import { metricWords, verdictOf, wdlClass } from './words.js';

export interface VerdictPanel {
  readonly element: HTMLElement;
  show(answer: PositionAnswer): void;
  /** Says something beside the value; '' takes it away. */
  note(text: string): void;
}

export function newVerdictPanel(): VerdictPanel {
  const value = h('p', { class: 'value', role: 'status' });
  const about = h('p', { class: 'soft' });
  const note = h('p', { class: 'note', role: 'status' });
  const element = h(
    'section',
    { class: 'verdict', 'aria-label': 'Value of the position' },
    value,
    about,
    note,
  );
  return {
    element,
    show(answer) {
      const { game, metric, slice, wdl } = answer;
      element.className = `verdict ${wdlClass(wdl)}`;
      setText(value, verdictOf(answer));
      setText(about, `${slice} · ${metricWords(metric, game)}`);
    },
    note: (text) => setText(note, text),
  };
}
