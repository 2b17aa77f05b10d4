/** Games and studies as PGN: their moves annotated from the tables, to be clicked through on the board. */
import type { Lookup } from '../../study/check-study.js';
import { button, h, setText } from '../dom.js';
import { type Line, type LineStep, newLine } from '../line.js';
import { download } from '../share/download.js';
import { wdlClass } from '../words.js';
import type { AnnotatedGame, CheckedMove, StudyMove } from './annotate-text.js';

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

const MARKS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '?', only: '□', forced: '□' };

export function newGamePanel({ open, lookup, failed }: GameEvents): GamePanel {
  let games: readonly AnnotatedGame[] = [];
  /** The buttons of the game that is shown, by the position after their move. */
  let buttons: { readonly made: HTMLButtonElement; readonly line: Line }[] = [];
  const text = h('textarea', {
    ...{ id: 'pgn', rows: 5, spellcheck: 'false', autocomplete: 'off' },
    placeholder: '[FEN "…"]\n\n1. Qa8 Rc3 2. …',
  });
  const file = h('input', {
    ...{ type: 'file', accept: '.pgn,.epd,.fen,.txt', 'aria-label': 'A file of games or positions' },
    change: () => void readFile(),
  });
  const annotate = button('Annotate', () => void run(), { class: 'main' });
  const which = h('select', {
    'aria-label': 'Which game',
    change: () => showGame(Number(which.value)),
  });
  const said = h('p', { class: 'soft', role: 'status' });
  const moves = h('ol', { class: 'annotated' });
  const save = button('Save the annotated PGN', () =>
    download('annotated.pgn', 'application/x-chess-pgn', games.map(({ pgn }) => pgn).join('')),
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
    ...[said, which, moves, save],
  );

  async function readFile(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    text.value = await chosen.text();
    await run();
  }

  async function run(): Promise<void> {
    if (text.value.trim() === '') return setText(said, 'There is no text yet.');
    element.setAttribute('aria-busy', 'true');
    setText(said, 'Looking the moves up…');
    try {
      const { annotateText } = await import('./annotate-text.js');
      const { games: read, problems } = await annotateText(text.value, lookup());
      games = read;
      which.replaceChildren(...games.map(({ study }, i) => h('option', { value: i }, study.title)));
      which.hidden = games.length < 2;
      save.hidden = games.length === 0;
      moves.replaceChildren();
      buttons = [];
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
    const { findingOf } = await import('./annotate-text.js');
    const { study, checked } = games[at];
    const found = new Map(
      checked.moves.map((move) => [`${move.depth} ${move.number} ${move.fen} ${move.san}`, move]),
    );
    const mistakes = checked.moves.filter(({ verdict }) => verdict === 'mistake').length;
    const known = checked.moves.length;
    const words = [
      `${known} of ${known + checked.unknown} moves are in the tables`,
      `${mistakes} ${mistakes === 1 ? 'gives' : 'give'} something away`,
    ];
    setText(said, problem ?? `${words.join(', ')}.`);
    buttons = [];
    const start = newLine(study.fen);

    function items(line: readonly StudyMove[], before: readonly LineStep[], depth: number): HTMLElement[] {
      const whole = [...before, ...line.map(({ uci, san, after }) => ({ uci, san, position: after }))];
      return line.flatMap((move, i) => {
        const finding = found.get(`${depth} ${move.number} ${move.before} ${move.san}`);
        const made = moveButton(move, finding, { ...start, steps: whole, at: before.length + i + 1 });
        const told = finding === undefined || finding.verdict === 'lost' ? '' : findingOf(finding);
        const item = h(
          'li',
          { class: depth > 0 ? 'variation' : '' },
          made,
          h('span', { class: 'soft' }, told),
        );
        const steps = whole.slice(0, before.length + i);
        return [item, ...move.variations.flatMap((each) => items(each, steps, depth + 1))];
      });
    }

    const first = button('Start', () => open(start));
    buttons.push({ made: first, line: start });
    const children = items(study.moves, [], 0);
    moves.replaceChildren(h('li', {}, first, startWords(games[at])), ...children);
    open({ ...start, steps: buttons.find(({ line }) => line.steps.length > 0)?.line.steps ?? [] });
  }

  function moveButton(
    { number, san }: StudyMove,
    finding: CheckedMove | undefined,
    line: Line,
  ): HTMLButtonElement {
    const mark = (finding && MARKS[finding.verdict]) ?? '';
    const made = button(`${number} ${san}${mark}`, () => open(line), {
      class: finding === undefined ? '' : `${finding.verdict} ${wdlClass(finding.after)}`,
    });
    buttons.push({ made, line });
    return made;
  }

  return {
    element,
    mark({ start, steps, at }) {
      for (const { made, line } of buttons) {
        const isShown =
          line.start === start &&
          line.at === at &&
          line.steps.slice(0, at).every(({ uci }, i) => uci === steps[i]?.uci);
        if (isShown) made.setAttribute('aria-current', 'step');
        else made.removeAttribute('aria-current');
      }
    },
  };
}

/** Of a position without moves: what keeps its outcome. */
function startWords({ checked: { start, moves } }: AnnotatedGame): HTMLElement {
  const keeping = start === null || moves.length > 0 ? [] : start.keeping.map(({ san }) => san);
  const words =
    start === null
      ? 'in no table'
      : keeping.length === 0
        ? start.wdl
        : `${start.wdl} by ${keeping.join(', ')}`;
  return h('span', { class: 'soft' }, words);
}
