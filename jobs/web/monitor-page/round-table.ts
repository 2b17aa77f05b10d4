/** The rounds as a table: what the charts show, for those who read it. Filled when it is opened. */
import type { RoundRecord } from '../../../pipeline/tables/records/record-shapes.js';
import { duration, whole } from '../../ui/numbers.js';
import { h } from '../dom.js';

export interface RoundTable {
  readonly element: HTMLDetailsElement;
  show(rounds: readonly RoundRecord[]): void;
}

const HEAD = ['round', 'won', 'lost', 'requests', 'time'];

export function newRoundTable(): RoundTable {
  const body = h('tbody');
  const head = h('thead', {}, h('tr', {}, ...HEAD.map((word) => h('th', { scope: 'col' }, word))));
  const element = h(
    'details',
    { class: 'rounds', toggle: () => fill() },
    h('summary', {}, 'All rounds'),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'All rounds' },
      h('table', {}, head, body),
    ),
  );
  let shown: readonly RoundRecord[] = [];
  let filled: readonly RoundRecord[] = [];

  function fill(): void {
    if (!element.open || filled === shown) return;
    filled = shown;
    body.replaceChildren(
      ...shown.map(({ ply, won, lost, requests, wallMs }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, String(ply)),
          ...[whole(won), whole(lost), whole(requests), wallMs === null ? '' : duration(wallMs)].map((text) =>
            h('td', {}, text),
          ),
        ),
      ),
    );
  }

  return {
    element,
    show(rounds) {
      element.hidden = rounds.length === 0;
      shown = rounds;
      fill();
    },
  };
}
