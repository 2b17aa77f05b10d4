/** The endings that there are of a game, and what is known of the one that was chosen. */
import type { Metric } from '../../pipeline/value.js';
import type { EndingAnswer, GameAnswer } from '../server/shapes.js';
import { h } from './dom.js';
import { endingsTable } from './endings-table.js';
import { newHistogramPanel } from './histogram-panel.js';
import type { TableSource } from './source.js';

export interface EndingsPanel {
  readonly element: HTMLElement;
  /** Shows the endings of a game under a metric, unless they are shown already. */
  show(game: GameAnswer, metric: Metric): Promise<void>;
  redraw(): void;
}

export interface EndingsEvents {
  /** A position was chosen, to be looked at. */
  open(position: string): void;
  /** An ending was chosen, and this is the position with its longest win. */
  chosen(position: string, ending: string): void;
  failed(error: Error, again: () => void): void;
}

export function newEndingsPanel(source: TableSource, { open, chosen, failed }: EndingsEvents): EndingsPanel {
  const table = h('div', {});
  const histogram = newHistogramPanel(open);
  const element = h(
    'section',
    { class: 'endings', 'aria-labelledby': 'endings-title' },
    h('h2', { id: 'endings-title' }, 'Endings'),
    h(
      'p',
      { class: 'soft' },
      'Positions are counted with either side to move, symmetric ones once. Press an ending for its longest win and how long its wins take; plies are moves of one side.',
    ),
    h('div', { class: 'columns' }, table, histogram.element),
  );
  let shown = '';

  async function show(game: GameAnswer, metric: Metric): Promise<void> {
    const wanted = `${game.name} ${metric}`;
    if (wanted === shown) return;
    shown = wanted;
    histogram.clear();
    table.replaceChildren(h('p', { class: 'soft' }, 'Loading the endings…'));
    try {
      const endings = await source.endings(game.name, metric);
      if (shown !== wanted) return;
      table.replaceChildren(
        endings.length === 0
          ? h('p', {}, `There are no tables of ${game.name} for ${metric}.`)
          : endingsTable(game, endings, (ending) => void choose(game, metric, ending)),
      );
    } catch (error) {
      if (shown !== wanted) return;
      shown = '';
      table.replaceChildren(h('p', { class: 'soft' }, 'The endings could not be loaded.'));
      failed(error as Error, () => void show(game, metric));
    }
  }

  async function choose(game: GameAnswer, metric: Metric, ending: EndingAnswer): Promise<void> {
    element.classList.add('busy');
    try {
      const found = await source.histogram(game.name, metric, ending.ending);
      const [first, second] = ending.longestWin;
      const longest = (second ?? -1) > (first ?? -1) ? [...found.longest].reverse() : found.longest;
      const position = longest.find((each) => each !== null);
      await histogram.show(game, ending, found);
      histogram.element.scrollIntoView({ block: 'nearest' });
      if (position) chosen(position, ending.ending);
      for (const each of table.querySelectorAll('.link')) {
        const row = each.closest('tr')!;
        row.classList.toggle('chosen', each.textContent === ending.ending);
      }
    } catch (error) {
      failed(error as Error, () => void choose(game, metric, ending));
    } finally {
      element.classList.remove('busy');
    }
  }

  return { element, show, redraw: histogram.redraw };
}
