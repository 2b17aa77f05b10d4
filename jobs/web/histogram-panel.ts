/** An ending's wins and losses by plies: charts, and the same as a table; its longest wins, to be looked at. */
import type { EndingAnswer, GameAnswer, HistogramAnswer } from '../server/api-answers.js';
import { whole } from '../ui/numbers.js';
import { capital, pliesText } from '../ui/verdict.js';
import { button, h } from './dom.js';
import { COLUMNS, type Counts } from './histogram-columns.js';

export interface HistogramPanel {
  readonly element: HTMLElement;
  show(game: GameAnswer, ending: EndingAnswer, histogram: HistogramAnswer): Promise<void>;
  /** Draws the charts again, in colours that have changed. */
  redraw(): void;
  clear(): void;
}

/** `open`: a position was chosen. */
export function newHistogramPanel(open: (position: string) => void): HistogramPanel {
  const element = h('section', { class: 'histogram', hidden: true, 'aria-labelledby': 'histogram-title' });
  let draw: (() => void) | null = null;
  let charts: (() => void)[] = [];
  let logarithmic = false;

  function clear(): void {
    for (const remove of charts) remove();
    charts = [];
    draw = null;
    element.hidden = true;
  }

  return {
    element,
    clear,
    redraw: () => draw?.(),
    async show(game, { ending, longestWin, longestCursedWin }, { sides, longest, longestCursed }) {
      clear();
      const { drawHistogram } = await import('./histogram-chart.js');
      const hosts = sides.map(() => h('div', { class: 'chart', 'aria-hidden': 'true' }));
      const log = h('input', { type: 'checkbox', checked: logarithmic });
      log.addEventListener('change', () => {
        logarithmic = log.checked;
        draw?.();
      });
      const colours = game.colours.map(capital);
      const longestButtons = (
        what: string,
        positions: HistogramAnswer['longest'],
        plies: EndingAnswer['longestWin'],
      ) =>
        positions.flatMap((position, side) =>
          position === null
            ? []
            : [button(`${colours[side]}’s longest ${what}${inPlies(plies[side])}`, () => open(position))],
        );
      element.replaceChildren(
        h('h3', { id: 'histogram-title' }, `${ending}: positions by plies`),
        h(
          'div',
          { class: 'buttons' },
          ...longestButtons('win', longest, longestWin),
          ...longestButtons('cursed win', longestCursed, longestCursedWin),
          h('label', {}, log, ' logarithmic'),
        ),
        ...sides.map((counts, side) =>
          h(
            'figure',
            {},
            h('figcaption', {}, `${colours[side]} to move: ${summary(counts)}`),
            ...(counted(counts) ? [hosts[side]] : []),
          ),
        ),
        figures(colours, sides),
      );
      element.hidden = false;
      draw = () => {
        for (const remove of charts) remove();
        charts = sides.flatMap((counts, side) =>
          counted(counts) ? [drawHistogram(hosts[side], counts, logarithmic)] : [],
        );
      };
      draw();
    },
  };
}

function inPlies(plies: number | null): string {
  return plies === null ? '' : `: ${pliesText(plies)}`;
}

/** Whether there is anything to draw. */
function counted(counts: Counts): boolean {
  return COLUMNS.some(({ of }) => counts[of].length > 0);
}

/** The chart in a sentence. */
function summary({ wins, losses, draws, cursedWins, blessedLosses }: HistogramAnswer['sides'][0]): string {
  const words = (counts: Counts['wins'], what: string): string => {
    const all = counts.reduce((sum, [, count]) => sum + count, 0);
    if (all === 0) return `none ${what}`;
    const [plies, count] = counts.reduce((most, each) => (each[1] > most[1] ? each : most));
    const last = Math.max(...counts.map(([n]) => n));
    return `${whole(all)} ${what}, at most in ${pliesText(last)}, most often in ${whole(plies)} (${whole(count)})`;
  };
  const parts = [
    words(wins, 'won'),
    ...(cursedWins.length > 0 ? [words(cursedWins, 'won but for the 50-move rule')] : []),
    words(losses, 'lost'),
    ...(blessedLosses.length > 0 ? [words(blessedLosses, 'lost but for the 50-move rule')] : []),
    `${draws === 0 ? 'none' : whole(draws)} drawn`,
  ];
  return `${parts.join('; ')}.`;
}

/** All that the charts show, as a table. */
function figures(colours: readonly string[], sides: HistogramAnswer['sides']): HTMLElement {
  const shown = COLUMNS.filter(({ of }, i) => i < 2 || sides.some((side) => side[of].length > 0));
  const columns = sides.flatMap((side) => shown.map(({ of }) => new Map(side[of])));
  const plies = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const heads = colours.flatMap((colour) =>
    shown.map(({ words }, i) => (i === 0 ? `${colour} to move: ${words}` : words)),
  );
  return h(
    'details',
    {},
    h('summary', {}, 'In figures'),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...['Plies', ...heads].map((head) => h('th', { scope: 'col' }, head)))),
        h(
          'tbody',
          {},
          ...plies.map((n) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, String(n)),
              ...columns.map((column) => h('td', {}, column.has(n) ? whole(column.get(n)!) : '–')),
            ),
          ),
        ),
      ),
    ),
  );
}
