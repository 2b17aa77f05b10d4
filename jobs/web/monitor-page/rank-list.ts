/** Ranks that solve a slice together: how many partitions have done the step at hand, whom all wait for, and who takes part. */
import type { SliceDetail } from '../../server/monitor/monitor-answers.js';
import { duration } from '../../ui/numbers.js';
import { h, setText } from '../dom.js';

export interface RankList {
  readonly element: HTMLElement;
  show(ranks: SliceDetail['ranks'], now: number): void;
}

/** More than these are only counted. */
const NAMED = 12;

export function newRankList(): RankList {
  const words = h('p');
  const list = h('ul');
  const element = h('div', { class: 'ranks' }, words, list);
  return {
    element,
    show(ranks, now) {
      element.hidden = ranks === null;
      if (ranks === null) return;
      const { step, partitions, done, missing, seen } = ranks;
      const waiting = done > 0 && missing.length > 0 ? `, waiting for ${namesOf(missing)}` : '';
      setText(words, `${step}: ${done} of ${partitions} partitions done${waiting}`);
      const late = new Set(done > 0 ? missing.map(({ rank, host }) => `${rank} ${host}`) : []);
      list.replaceChildren(
        ...seen.slice(0, NAMED).map(({ rank, host, partitions: own, lastAt }) => {
          const ago = duration(Math.max(0, now - lastAt));
          return h(
            'li',
            late.has(`${rank} ${host}`) ? { class: 'late' } : {},
            `rank ${rank} on ${host}, ${own} ${own === 1 ? 'partition' : 'partitions'}, last part ${ago} ago`,
          );
        }),
        ...(seen.length > NAMED ? [h('li', {}, `${seen.length - NAMED} more`)] : []),
      );
    },
  };
}

function namesOf(missing: NonNullable<SliceDetail['ranks']>['missing']): string {
  const names = missing.slice(0, NAMED).map(({ partition }) => partition);
  return names.join(', ') + (missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '');
}
