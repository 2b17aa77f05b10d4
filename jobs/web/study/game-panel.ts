/** Games and studies as PGN: their moves annotated from the tables, to be clicked through on the board. */
import type { Lookup } from '../../study/check-study.js';
import { decoded } from '../../text-encoding.js';
import { button, h, setText } from '../dom.js';
import type { Line } from '../line.js';
import { download } from '../share/download.js';
import type { AnnotatedGame } from './annotate-text.js';
import { newAnnotatedMoves } from './annotated-moves.js';

export interface GamePanel {
  readonly element: HTMLElement;
  /** The line that is on the board, so that its move can be marked. */
  mark(line: Line): void;
}

export interface GameEvents {
  /** A line of moves is to be shown, and the position after one of them. */
  open(line: Line): void;
  lookup(): Lookup;
  failed(error: Error): void;
}

export function newGamePanel({ open, lookup, failed }: GameEvents): GamePanel {
  let games: readonly AnnotatedGame[] = [];
  /** The text with what was found. */
  let saved = '';
  const text = h('textarea', {
    id: 'pgn',
    rows: 5,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: '[FEN "…"]\n\n1. Qa8 Rc3 2. …',
  });
  const file = h('input', {
    type: 'file',
    accept: '.pgn,.epd,.fen,.txt',
    'aria-label': 'A file of games or positions',
    change: () => void readFile(),
  });
  const annotate = button('Annotate', () => void run(), { class: 'main' });
  const which = h('select', {
    'aria-label': 'Which game',
    change: () => showGame(Number(which.value)),
  });
  const said = h('p', { class: 'soft', role: 'status' });
  const moves = newAnnotatedMoves(open);
  const save = button('Save the annotated PGN', () =>
    download('annotated.pgn', 'application/x-chess-pgn', saved),
  );
  save.hidden = true;
  which.hidden = true;
  const element = h(
    'section',
    { class: 'games', 'aria-labelledby': 'games-title' },
    h('h2', { id: 'games-title' }, 'Games'),
    h('label', { for: 'pgn', class: 'soft' }, 'A game or study as PGN, or positions as FEN, a line each'),
    text,
    h('div', { class: 'buttons' }, annotate, file),
    ...[said, which, moves.element, save],
  );

  async function readFile(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    text.value = decoded(new Uint8Array(await chosen.arrayBuffer()));
    await run();
  }

  async function run(): Promise<void> {
    if (text.value.trim() === '') return setText(said, 'There is no text yet.');
    element.setAttribute('aria-busy', 'true');
    setText(said, 'Looking the moves up…');
    try {
      const { annotateText } = await import('./annotate-text.js');
      const { games: read, problems, pgn } = await annotateText(text.value, lookup());
      games = read;
      saved = pgn;
      which.replaceChildren(...games.map(({ study }, i) => h('option', { value: i }, study.title)));
      which.hidden = games.length < 2;
      save.hidden = games.length === 0;
      moves.clear();
      setText(said, problems[0] ?? (games.length === 0 ? 'No game and no position is in this text.' : ''));
      if (games.length > 0) await showGame(0, problems[0]);
    } catch (error) {
      setText(said, '');
      failed(error as Error);
    } finally {
      element.removeAttribute('aria-busy');
    }
  }

  async function showGame(at: number, problem?: string): Promise<void> {
    const { words } = await import('./annotate-text.js');
    setText(said, problem ?? tallyWords(games[at]));
    moves.show(games[at], words);
  }

  return { element, mark: moves.mark };
}

/** How many moves are known, and how many of these are mistakes. */
function tallyWords({ checked: { moves, unknown } }: AnnotatedGame): string {
  const mistakes = moves.filter(({ verdict }) => verdict === 'mistake').length;
  const known = moves.length;
  const words = [
    `${known} of ${known + unknown} moves are in the tables`,
    `${mistakes} ${mistakes === 1 ? 'gives' : 'give'} something away`,
  ];
  return `${words.join(', ')}.`;
}
