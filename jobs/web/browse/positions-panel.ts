/** Positions of an ending by query: a list to click through, and to take along as a file. */
import type { Metric } from '../../../pipeline/game/value.js';
import { answerText, type LineFormat, MOST_POSITIONS } from '../../positions/lines.js';
import type { PositionsQuery } from '../../positions/query.js';
import type { EndingAnswer, GameAnswer, PositionsAnswer } from '../../server/api-answers.js';
import { h, setText } from '../dom.js';
import { download } from '../share/download.js';
import type { TableSource } from '../source.js';
import { newListedPositions } from './listed-positions.js';
import { newQueryForm } from './query-form.js';

export interface PositionsPanel {
  readonly element: HTMLElement;
  /** Another ending: nothing is asked of it yet. */
  show(game: GameAnswer, metric: Metric, ending: EndingAnswer): void;
  /** Asks it. Resolves when the list is there. */
  ask(query: PositionsQuery): Promise<void>;
  /** The position that is on the board: marked, if the list has it. */
  mark(position: string): void;
  clear(): void;
}

export interface PositionsEvents {
  open(position: string): void;
  /** This is asked now; null: nothing is. Links carry it. */
  asked(ending: string, query: PositionsQuery | null): void;
  failed(error: Error, again: () => void): void;
}

/** Positions that are listed at once. */
const LISTED = 100;

export function newPositionsPanel(
  source: TableSource,
  { open, asked, failed }: PositionsEvents,
): PositionsPanel {
  let of: { game: GameAnswer; metric: Metric; ending: EndingAnswer } | null = null;
  let query: PositionsQuery = {};
  /** The number of the last question: answers to earlier ones come too late. */
  let number = 0;
  const form = newQueryForm(() => {
    try {
      void ask(form.read());
    } catch (error) {
      failed(error as Error, () => {});
    }
  });
  const title = h('h3', { id: 'positions-title' });
  const list = newListedPositions({
    open,
    more: () => void fetchMore(),
    save: (format) => void save(format),
  });
  const element = h(
    'section',
    { class: 'positions', hidden: true, 'aria-labelledby': 'positions-title' },
    ...[title, form.element, ...list.elements],
  );

  const fetchFrom = (skip: number, limit: number): Promise<PositionsAnswer> => {
    const { game, metric, ending } = of!;
    return source.positions({ game: game.name, metric, ending: ending.ending, query, skip, limit });
  };

  const busy = (work: () => Promise<void>, again: () => void) =>
    whileBusy(element, work, (error) => failed(error, again));

  async function ask(wanted: PositionsQuery): Promise<void> {
    const { game, ending } = of!;
    const mine = ++number;
    query = wanted;
    form.show(game, query);
    await busy(
      async () => {
        const answer = await fetchFrom(0, LISTED);
        if (mine !== number) return;
        list.replace(answer);
        asked(ending.ending, query);
      },
      () => void ask(wanted),
    );
  }

  async function fetchMore(): Promise<void> {
    const mine = number;
    await busy(
      async () => {
        const answer = await fetchFrom(list.count(), LISTED);
        if (mine === number) list.add(answer);
      },
      () => void fetchMore(),
    );
  }

  async function save(format: LineFormat): Promise<void> {
    await busy(
      async () => {
        const answer = await fetchFrom(0, MOST_POSITIONS);
        download(`${answer.ending}.${format}`, 'text/plain', answerText(format, answer));
      },
      () => void save(format),
    );
  }

  return {
    element,
    mark: list.mark,
    ask,
    show(game, metric, ending) {
      number++;
      of = { game, metric, ending };
      query = {};
      setText(title, `Positions of ${ending.ending}`);
      form.show(game, query);
      list.clear(game);
      element.hidden = false;
    },
    clear() {
      number++;
      of = null;
      element.hidden = true;
    },
  };
}

async function whileBusy(
  element: HTMLElement,
  work: () => Promise<void>,
  failed: (error: Error) => void,
): Promise<void> {
  element.setAttribute('aria-busy', 'true');
  try {
    await work();
  } catch (error) {
    failed(error as Error);
  } finally {
    element.removeAttribute('aria-busy');
  }
}
