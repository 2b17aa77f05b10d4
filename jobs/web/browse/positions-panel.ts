/** Positions of an ending by query: a list to click through, and to take along as a file. */
import type { Metric } from '../../../pipeline/formats/value.js';
import { CHESS_FORMATS, headOf, type LineFormat, textOf } from '../../positions/lines.js';
import type { PositionsQuery } from '../../positions/query.js';
import { MOST_POSITIONS, shownOf } from '../../positions/shown.js';
import type { EndingAnswer, GameAnswer, PositionsAnswer, SelectedAnswer } from '../../server/shapes.js';
import { whole } from '../../ui/numbers.js';
import { hasMates } from '../../ui/verdict.js';
import { button, h, setText } from '../dom.js';
import { download } from '../share/download.js';
import type { TableSource } from '../source.js';
import { ends } from '../words.js';
import { newFoundList } from './found-list.js';
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
const FORMATS: readonly LineFormat[] = ['csv', 'epd', 'pgn'];

export function newPositionsPanel(
  source: TableSource,
  { open, asked, failed }: PositionsEvents,
): PositionsPanel {
  let of: { game: GameAnswer; metric: Metric; ending: EndingAnswer } | null = null;
  let query: PositionsQuery = {};
  let listed: SelectedAnswer[] = [];
  /** Of the question that was asked last: answers to earlier ones come too late. */
  let number = 0;
  const form = newQueryForm(() => {
    try {
      void ask(form.read());
    } catch (error) {
      failed(error as Error, () => {});
    }
  });
  const title = h('h3', { id: 'positions-title' });
  const count = h('p', { class: 'soft', role: 'status' });
  const list = newFoundList(open);
  const more = button('More', () => void fetchMore());
  const files = h('div', { class: 'buttons files' });
  const element = h(
    'section',
    { class: 'positions', hidden: true, 'aria-labelledby': 'positions-title' },
    ...[title, form.element, count, list.element, more, files],
  );

  const fetchFrom = (skip: number, limit: number): Promise<PositionsAnswer> => {
    const { game, metric, ending } = of!;
    return source.positions({ game: game.name, metric, ending: ending.ending, query, skip, limit });
  };

  function add({ positions, more: isMore }: PositionsAnswer): void {
    listed = [...listed, ...positions];
    list.add(positions);
    more.hidden = !isMore;
    setText(count, countWords(listed.length, isMore));
    files.hidden = listed.length === 0;
  }

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
        listed = [];
        list.clear();
        add(answer);
        asked(ending.ending, query);
      },
      () => void ask(wanted),
    );
  }

  async function fetchMore(): Promise<void> {
    const mine = number;
    await busy(
      async () => {
        const answer = await fetchFrom(listed.length, LISTED);
        if (mine === number) add(answer);
      },
      () => void fetchMore(),
    );
  }

  async function save(format: LineFormat): Promise<void> {
    await busy(
      async () => {
        const answer = await fetchFrom(0, MOST_POSITIONS);
        download(`${answer.ending}.${format}`, 'text/plain', fileText(answer, format));
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
      [query, listed] = [{}, []];
      setText(title, `Positions of ${ending.ending}`);
      form.show(game, query);
      list.clear();
      setText(count, '');
      files.replaceChildren(...fileButtons(game, (format) => void save(format)));
      more.hidden = true;
      files.hidden = true;
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

function countWords(count: number, isMore: boolean): string {
  if (count === 0) return 'No position is like that.';
  return `${isMore ? 'The first ' : ''}${whole(count)} ${count === 1 ? 'position' : 'positions'}`;
}

function fileText(answer: PositionsAnswer, format: LineFormat): string {
  const lines = shownOf(answer).map((each) => textOf(format, each));
  return headOf(format) + lines.join('');
}

/** A button for each format that the game has. */
function fileButtons({ name }: GameAnswer, save: (format: LineFormat) => void): HTMLElement[] {
  const formats = FORMATS.filter((each) => hasMates(ends(name)) || !CHESS_FORMATS.includes(each));
  return [
    h('span', { class: 'soft' }, 'Save as'),
    ...formats.map((each) => button(each.toUpperCase(), () => save(each))),
    h('span', { class: 'soft' }, `${whole(MOST_POSITIONS)} at most`),
  ];
}
