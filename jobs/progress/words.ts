/** The words of progress that all displays share. */
import { duration, rough, whole } from '../ui/numbers.js';
import type { SliceDetail } from './model.js';
import type { AtStep } from './pace.js';

/** Less time is over before a line is read. */
const LEAST_LEFT_MS = 1000;

/** "round 23", "enumerate 40 %"; empty if it is at no step. */
export function stepWords({ phase, round, share }: Pick<SliceDetail, 'phase' | 'round' | 'share'>): string {
  if (phase === null) return '';
  if (round !== null) return `round ${round + 1}`;
  return share === null ? phase : `${phase} ${Math.floor(100 * share)} %`;
}

/** ["1,000 of 4,000 positions labelled", "12.3 M requests/s", "at most 4.0 s left of the rounds"] */
export function paceWords({ round, current, requestsPerSecond: requests }: Omit<AtStep, 'phase'>): string[] {
  const { done, total, perSecond, leftMs, atMost } = current;
  const of = total === null ? '' : ` of ${whole(total)}`;
  const parts = [
    round !== null && done !== null && `${whole(done)}${of} positions labelled`,
    round === null && total === null && done !== null && `${whole(done)} done`,
    perSecond !== null && perSecond > 0 && `${rough(perSecond)} positions/s`,
    round !== null && requests !== null && requests > 0 && `${rough(requests)} requests/s`,
    leftMs !== null &&
      leftMs >= LEAST_LEFT_MS &&
      `${atMost ? 'at most ' : ''}${duration(leftMs)} left of ${round === null ? 'this step' : 'the rounds'}`,
  ];
  return parts.filter((part) => part !== false);
}

/** "round 23: 1,000 of 4,000 positions labelled, 12.3 M requests/s"; "layer 7 20 %, 10.0 k positions/s; about 3 min 07 s left in all" */
export function progressWords(step: AtStep): string {
  const { round, current } = step;
  const pace = paceWords(step).join(', ');
  const words = pace === '' ? stepWords(step) : `${stepWords(step)}${round === null ? ', ' : ': '}${pace}`;
  const { inAll } = current;
  if (inAll == null || inAll.leftMs < LEAST_LEFT_MS) return words;
  const guess = inAll.ifLayersShrink ? ', if layers shrink as they grew' : '';
  return `${words}; about ${duration(inAll.leftMs)} left in all${guess}`;
}
