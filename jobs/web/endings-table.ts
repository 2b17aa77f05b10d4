/** The endings that there are, with their results and longest wins; any column orders them. */
import type { EndingAnswer, GameAnswer } from '../server/api-answers.js';
import { percent, whole } from '../ui/numbers.js';
import { capital } from '../ui/verdict.js';
import { button, type Child, h } from './dom.js';

type Side = 0 | 1;

interface Column {
  readonly title: string;
  /** Its place in the order of the column. */
  readonly rank: (ending: EndingAnswer) => number | string;
  readonly cell: (ending: EndingAnswer) => Child;
  readonly class?: string;
}

/** More endings than this can be filtered by name. */
const MANY = 12;

/** `open`: an ending was chosen. */
export function endingsTable(
  game: GameAnswer,
  endings: readonly EndingAnswer[],
  open: (ending: EndingAnswer) => void,
): HTMLElement {
  const columns = columnsOf(game, open);
  let by = 1;
  let down = false;
  const body = h('tbody', {});
  const heads = columns.map(({ title, class: name = '' }, i) =>
    h(
      'th',
      { scope: 'col', class: name },
      button(title, () => {
        down = by === i ? !down : i > 1;
        by = i;
        order();
      }),
    ),
  );
  const rows = new Map(endings.map((ending) => [ending, rowOf(ending, columns)]));

  function order(): void {
    const { rank } = columns[by];
    const sorted = [...rows].sort(([a], [b]) => (down ? -1 : 1) * compare(rank(a), rank(b)));
    body.replaceChildren(...sorted.map(([, row]) => row));
    for (const [i, head] of heads.entries()) {
      if (i === by) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
  }

  function pick(): void {
    const wanted = filter.value.trim().toLowerCase();
    for (const [{ ending, pieces }, row] of rows) {
      const isMany = men.value === '' || pieces === Number(men.value);
      row.hidden = !isMany || !ending.toLowerCase().includes(wanted);
    }
  }

  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter by name',
    'aria-label': 'Show endings whose names hold this',
    input: pick,
  });
  const counts = [...new Set(endings.map(({ pieces }) => pieces))].sort((a, b) => a - b);
  const men = h(
    'select',
    { 'aria-label': 'Show endings of so many men', change: pick },
    h('option', { value: '' }, 'any number of men'),
    ...counts.map((count) => h('option', { value: count }, `${count} men`)),
  );
  order();
  return h(
    'div',
    {},
    ...(endings.length > MANY ? [h('div', { class: 'buttons pick' }, filter, men)] : []),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of endings' },
      h('table', {}, h('thead', {}, h('tr', {}, ...heads)), body),
    ),
  );
}

function rowOf(ending: EndingAnswer, columns: readonly Column[]): HTMLElement {
  const cells = columns.map(({ cell, class: name = '' }, i) =>
    i === 0 ? h('th', { scope: 'row' }, cell(ending)) : h('td', { class: name }, cell(ending)),
  );
  return h('tr', {}, ...cells);
}

function columnsOf(game: GameAnswer, open: (ending: EndingAnswer) => void): Column[] {
  const sides = [0, 1] as const;
  return [
    {
      title: 'Ending',
      rank: ({ ending }) => ending,
      cell: (ending) => button(ending.ending, () => open(ending), { class: 'link' }),
    },
    { title: 'Pieces', rank: ({ pieces }) => pieces, cell: ({ pieces }) => String(pieces), class: 'wide' },
    { title: 'Positions', rank: ({ positions }) => positions, cell: ({ positions }) => whole(positions) },
    ...sides.map(
      (side): Column => ({
        title: `${capital(game.colours[side])} to move`,
        rank: (ending) => (ending.wins[side] + drawnOf(ending, side) / 2) / Math.max(1, total(ending, side)),
        cell: (ending) => shares(ending, side),
        class: 'shared',
      }),
    ),
    ...sides.map(
      (side): Column => ({
        title: `${capital(game.colours[side])} wins in`,
        rank: ({ longestWin }) => longestWin[side] ?? -1,
        cell: ({ longestWin }) => (longestWin[side] === null ? '–' : whole(longestWin[side])),
      }),
    ),
    {
      title: 'Verified',
      rank: ({ verified }) => Number(verified),
      cell: ({ verified }) => (verified ? 'yes' : 'no'),
      class: 'wide',
    },
  ];
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'string' ? a.localeCompare(String(b), 'en', { numeric: true }) : a - Number(b);
}

/** With those that the 50-move rule makes draws. */
function drawnOf({ draws, cursedWins, blessedLosses }: EndingAnswer, side: Side): number {
  return draws[side] + cursedWins[side] + blessedLosses[side];
}

function total(ending: EndingAnswer, side: Side): number {
  return ending.wins[side] + drawnOf(ending, side) + ending.losses[side];
}

/** A bar, and the same in figures. */
function shares(ending: EndingAnswer, side: Side): HTMLElement {
  const all = total(ending, side);
  const parts = [
    ['win', 'wins', ending.wins[side]],
    ['cursed-win', 'cursed wins', ending.cursedWins[side]],
    ['draw', 'draws', ending.draws[side]],
    ['blessed-loss', 'blessed losses', ending.blessedLosses[side]],
    ['loss', 'losses', ending.losses[side]],
  ] as const;
  const there = parts.filter(([, , count]) => count > 0);
  const title = there.map(([, words, count]) => `${whole(count)} ${words}`).join(', ');
  return h(
    'div',
    { class: 'shares', title },
    h(
      'span',
      { class: 'bar', 'aria-hidden': 'true' },
      ...there.map(([kind, , count]) => h('i', { class: kind, style: `flex-grow:${count / all}` })),
    ),
    ...there.map(([kind, words, count]) =>
      h('span', { class: `share ${kind}` }, `${words} `, h('span', {}, percent(count, all))),
    ),
  );
}
