/** Positions as a list: how many are listed, and buttons for more of them and for files. */
import { CHESS_FORMATS, type LineFormat, MOST_POSITIONS } from '../../positions/lines.js';
import type { GameAnswer, PositionsAnswer } from '../../server/api-answers.js';
import { count as counted, whole } from '../../ui/numbers.js';
import { hasMates } from '../../ui/verdict.js';
import { button, h, setText } from '../dom.js';
import { ends } from '../value-words.js';
import { newFoundList } from './found-list.js';

export interface ListedPositions {
  readonly elements: readonly HTMLElement[];
  /** Positions that are listed. */
  count(): number;
  /** Lists further positions. */
  add(answer: PositionsAnswer): void;
  /** Lists these positions and no others. */
  replace(answer: PositionsAnswer): void;
  /** Lists nothing; files have the formats of this game from now on. */
  clear(game: GameAnswer): void;
  /** The position that is on the board: marked, if the list has it. */
  mark(position: string): void;
}

export interface ListedEvents {
  open(position: string): void;
  more(): void;
  save(format: LineFormat): void;
}

const FORMATS: readonly LineFormat[] = ['csv', 'epd', 'pgn'];

export function newListedPositions({ open, more: fetchMore, save }: ListedEvents): ListedPositions {
  let listed = 0;
  const count = h('p', { class: 'soft', role: 'status' });
  const list = newFoundList(open);
  const more = button('More', fetchMore);
  const files = h('div', { class: 'buttons files' });

  function add({ positions, more: isMore }: PositionsAnswer): void {
    listed += positions.length;
    list.add(positions);
    more.hidden = !isMore;
    setText(count, countWords(listed, isMore));
    files.hidden = listed === 0;
  }

  function empty(): void {
    listed = 0;
    list.clear();
  }

  return {
    elements: [count, list.element, more, files],
    count: () => listed,
    mark: list.mark,
    add,
    replace(answer) {
      empty();
      add(answer);
    },
    clear(game) {
      empty();
      setText(count, '');
      files.replaceChildren(...fileButtons(game, save));
      more.hidden = true;
      files.hidden = true;
    },
  };
}

function countWords(count: number, isMore: boolean): string {
  if (count === 0) return 'No position is like that.';
  return `${isMore ? 'The first ' : ''}${counted(count, 'position')}`;
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
