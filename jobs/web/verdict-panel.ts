/** The value of the shown position; screen readers announce every change. */
import type { PositionAnswer } from '../server/api-answers.js';
import { capital } from '../ui/verdict.js';
import { h, setText } from './dom.js';
import type { NoValueError } from './source.js';
import { metricWords, shadeOf, verdictOf, wdlClass } from './value-words.js';

export interface VerdictPanel {
  readonly element: HTMLElement;
  show(answer: PositionAnswer): void;
  /** In place of a value: why there is none. */
  refuse(problem: NoValueError): void;
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
      const { game, metric, slice } = answer;
      element.className = `verdict ${wdlClass(shadeOf(answer, answer))}`;
      setText(value, verdictOf(answer));
      setText(about, `${slice} · ${metricWords(metric, game)}`);
    },
    refuse({ kind, message }) {
      element.className = `verdict ${kind}`;
      const why = capital(message.replace(/^FEN ".*?": /, ''));
      setText(value, kind === 'unknown' ? 'Unknown' : why);
      setText(about, kind === 'unknown' ? why : '');
    },
    note: (text) => setText(note, text),
  };
}
