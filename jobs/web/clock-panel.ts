/** The half-move clock of a chess position: from where on the 50-move rule makes a draw of it, and a slider to set it. */
import { RULE_PLIES } from '../../pipeline/game/value.js';
import type { PositionAnswer } from '../server/api-answers.js';
import { capital, pliesText } from '../ui/verdict.js';
import { h, setText } from './dom.js';
import { clockOf } from './value-words.js';

export interface ClockPanel {
  readonly element: HTMLElement;
  /** `dtz`: the answer under that metric, which knows the rule; null if there is none. Then nothing is shown. */
  show(dtz: PositionAnswer | null): void;
}

function withClock(position: string, clock: number): string {
  return position.split(' ').with(4, String(clock)).join(' ');
}

/** `open`: the position with another clock is to be shown. */
export function newClockPanel(open: (position: string) => void): ClockPanel {
  let shown: PositionAnswer | null = null;
  const slider = h('input', {
    type: 'range',
    id: 'clock',
    min: 0,
    max: RULE_PLIES,
    input: () => announce(Number(slider.value)),
    change: () => shown && open(withClock(shown.position, Number(slider.value))),
  });
  const count = h('output', { for: 'clock' });
  const words = h('p', { class: 'words', role: 'status' });
  const element = h(
    'section',
    { class: 'clock', 'aria-label': 'The 50-move rule', hidden: true },
    h('label', { for: 'clock', title: 'Plies since the last capture or move of a pawn' }, 'Half-move clock'),
    slider,
    count,
    words,
  );

  function announce(clock: number): void {
    const { wdl, plies, precise } = shown!;
    const result = wdl.endsWith('win') ? 'won' : 'lost';
    const capitalised = capital(result);
    /** Until there it is certain; at the clock after it, it may be so where there may be one ply more. */
    const last = RULE_PLIES - plies! - (precise ? 0 : 1);
    const isOpen = !precise && clock === last + 1 && clock >= 0;
    count.textContent = String(clock);
    slider.setAttribute('aria-valuetext', pliesText(clock));
    element.classList.toggle('over', clock > last);
    if (isOpen)
      setText(words, `Not sure: ${result} while the clock is at most ${last}, and perhaps at ${clock}.`);
    else if (last < 0) setText(words, 'A draw by the 50-move rule at any clock.');
    else if (clock > last)
      setText(words, `A draw by the 50-move rule: ${result} only while the clock is at most ${last}.`);
    else setText(words, `${capitalised} while the clock is at most ${last}.`);
  }

  return {
    element,
    show(dtz) {
      shown = dtz?.wdl === 'draw' || dtz?.terminal !== 'open' ? null : dtz;
      element.hidden = shown === null;
      if (shown === null) return;
      const clock = clockOf(shown.position);
      slider.value = String(clock);
      announce(clock);
    },
  };
}
