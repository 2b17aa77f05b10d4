/** The endings that there are of a game, and what is known of the one that was chosen. */
import type { Metric } from '../../pipeline/game/value.js';
import type { EndingAnswer, FiledAnswer, GameAnswer, HistogramAnswer } from '../server/api-answers.js';
import { newPositionsPanel } from './browse/positions-panel.js';
import { h } from './dom.js';
import { endingsTable } from './endings-table.js';
import { filesList } from './files-list.js';
import { newHistogramPanel } from './histogram-panel.js';
import type { Find } from './place.js';
import type { TableSource } from './source.js';

export interface EndingsPanel {
  readonly element: HTMLElement;
  /** Shows the endings of a game under a metric, unless they are shown already. */
  show(game: GameAnswer, metric: Metric): Promise<void>;
  /** Lists positions of an ending of the game and metric that are shown. */
  find(find: Find): Promise<void>;
  /** The position that is on the board. */
  mark(position: string): void;
  redraw(): void;
}

export interface EndingsEvents {
  /** A position was chosen, to be looked at. */
  open(position: string): void;
  /** An ending was chosen, and this is the position with its longest win. */
  chosen(position: string, ending: string): void;
  /** These positions are listed now; null: none are. */
  listed(find: Find | null): void;
  failed(error: Error, again: () => void): void;
}

const COUNTED =
  'Positions are counted with either side to move, symmetric ones once. Press an ending for its longest win, how long its wins take, and its positions by query; plies are moves of one side.';

export function newEndingsPanel(
  source: TableSource,
  { open, chosen, listed, failed }: EndingsEvents,
): EndingsPanel {
  const table = h('div', {});
  const histogram = newHistogramPanel(open);
  const positions = newPositionsPanel(source, {
    open,
    asked: (ending, query) => listed(query && { ending, query }),
    failed,
  });
  const counted = h('p', { class: 'soft', hidden: true }, COUNTED);
  const element = sectionOf(counted, table, histogram.element, positions.element);
  let shown = '';
  let loaded: Promise<void> = Promise.resolve();
  let of: { game: GameAnswer; metric: Metric; endings: readonly EndingAnswer[] } | null = null;

  function show(game: GameAnswer, metric: Metric): Promise<void> {
    const wanted = `${game.name} ${metric}`;
    if (wanted !== shown) loaded = load(game, metric, wanted);
    return loaded;
  }

  async function load(game: GameAnswer, metric: Metric, wanted: string): Promise<void> {
    if (shown !== '') listed(null);
    shown = wanted;
    of = null;
    histogram.clear();
    positions.clear();
    table.replaceChildren(h('p', { class: 'soft' }, 'Loading the endings…'));
    try {
      const [endings, filed] = await Promise.all([
        source.endings(game.name, metric),
        source.files(game.name, metric),
      ]);
      if (shown !== wanted) return;
      of = { game, metric, endings };
      counted.hidden = endings.length === 0;
      table.replaceChildren(
        ...listsOf(game, metric, endings, filed, {
          open,
          choose: (ending) => void choose(game, metric, ending),
        }),
      );
    } catch (error) {
      if (shown !== wanted) return;
      shown = '';
      table.replaceChildren(h('p', { class: 'soft' }, 'The endings could not be loaded.'));
      failed(error as Error, () => void show(game, metric));
    }
  }

  /** Shows what is known of an ending, and nothing of another one. Resolves to its histogram. */
  async function describe(game: GameAnswer, metric: Metric, ending: EndingAnswer): Promise<HistogramAnswer> {
    element.classList.add('busy');
    try {
      const found = await source.histogram(game.name, metric, ending.ending);
      await histogram.show(game, ending, found);
      positions.show(game, metric, ending);
      markRow(table, ending.ending);
      return found;
    } finally {
      element.classList.remove('busy');
    }
  }

  async function choose(game: GameAnswer, metric: Metric, ending: EndingAnswer): Promise<void> {
    try {
      const found = await describe(game, metric, ending);
      listed(null);
      const position = longestIn(ending, found);
      histogram.element.scrollIntoView({ block: 'nearest' });
      if (position) chosen(position, ending.ending);
    } catch (error) {
      failed(error as Error, () => void choose(game, metric, ending));
    }
  }

  async function find({ ending: name, query }: Find): Promise<void> {
    await loaded;
    if (of === null) return;
    const { game, metric, endings } = of;
    const ending = endings.find(({ ending }) => ending === name);
    if (ending === undefined)
      return failed(new Error(`There are no ${metric} tables of ${name} here.`), () => {});
    try {
      await describe(game, metric, ending);
      await positions.ask(query);
    } catch (error) {
      failed(error as Error, () => void find({ ending: name, query }));
    }
  }

  return { element, show, find, mark: positions.mark, redraw: histogram.redraw };
}

/** The section: its heading, how positions are counted, and its columns. */
function sectionOf(counted: HTMLElement, ...columns: readonly HTMLElement[]): HTMLElement {
  return h(
    'section',
    { class: 'endings', 'aria-labelledby': 'endings-title' },
    h('h2', { id: 'endings-title' }, 'Endings'),
    counted,
    h('div', { class: 'columns' }, ...columns),
  );
}

function markRow(table: HTMLElement, ending: string): void {
  for (const each of table.querySelectorAll('.link'))
    each.closest('tr')?.classList.toggle('chosen', each.textContent === ending);
}

/** The position with the longest win of either side, or cursed win where there is no other; undefined if nobody wins. */
function longestIn({ longestWin, longestCursedWin }: EndingAnswer, found: HistogramAnswer) {
  const longer = ([first, second]: EndingAnswer['longestWin'], of: HistogramAnswer['longest']) =>
    ((second ?? -1) > (first ?? -1) ? [...of].reverse() : of).find((each) => each !== null);
  return longer(longestWin, found.longest) ?? longer(longestCursedWin, found.longestCursed);
}

/** The endings of tables and those of files, or that there are none. */
function listsOf(
  game: GameAnswer,
  metric: Metric,
  endings: readonly EndingAnswer[],
  filed: readonly FiledAnswer[],
  { open, choose }: { open(position: string): void; choose(ending: EndingAnswer): void },
): HTMLElement[] {
  // Tables say more of an ending than files do.
  const files = filed.filter((file) => endings.every(({ ending }) => ending !== file.ending));
  if (endings.length + files.length === 0)
    return [h('p', {}, `There are no tables of ${game.name} for ${metric}.`)];
  return [
    ...(endings.length > 0 ? [endingsTable(game, endings, choose)] : []),
    ...(files.length > 0 ? [filesList(files, open)] : []),
  ];
}
