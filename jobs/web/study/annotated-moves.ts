/** The moves of an annotated game as buttons: each opens the line that leads to the position after it. */
import { button, h } from '../dom.js';
import { type Line, type LineStep, newLine } from '../line.js';
import { wdlClass } from '../value-words.js';
import type { AnnotatedGame, CheckedMove, StudyMove, StudyWords } from './annotate-text.js';

export interface AnnotatedMoves {
  readonly element: HTMLElement;
  /** Shows a game, and opens its start. */
  show(game: AnnotatedGame, words: StudyWords): void;
  clear(): void;
  /** Marks the move that this line leads to. */
  mark(line: Line): void;
}

const MARKS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '?', only: '□', forced: '□' };

export function newAnnotatedMoves(open: (line: Line) => void): AnnotatedMoves {
  /** In the order in which they stand. */
  let buttons: { readonly made: HTMLButtonElement; readonly line: Line }[] = [];
  const element = h('ol', { class: 'annotated' });

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
    show(game, words) {
      const { study, checked } = game;
      const comments = words.commentsOf(checked);
      const found = new Map(checked.moves.map((move) => [keyOf(move, move.fen, move.depth), move]));
      buttons = [];
      const start = newLine(study.fen);

      function items(line: readonly StudyMove[], before: readonly LineStep[], depth: number): HTMLElement[] {
        const whole = [...before, ...line.map(({ uci, san, after }) => ({ uci, san, position: after }))];
        return line.flatMap((move, i) => {
          const finding = found.get(keyOf(move, move.before, depth));
          const made = moveButton(move, finding, { ...start, steps: whole, at: before.length + i + 1 });
          const remark = finding === undefined ? '' : (comments.get(finding) ?? '');
          const item = h(
            'li',
            { class: `${depth > 0 ? 'variation' : ''} ${remark === '' ? '' : 'remarked'}` },
            made,
            h('span', { class: 'soft' }, remark),
          );
          const steps = whole.slice(0, before.length + i);
          return [item, ...move.variations.flatMap((each) => items(each, steps, depth + 1))];
        });
      }

      const first = button('Start', () => open(start));
      buttons.push({ made: first, line: start });
      const children = items(study.moves, [], 0);
      element.replaceChildren(h('li', {}, first, startWords(game, words)), ...children);
      // The main line before its first move that the tables have: what comes before it has no values.
      const lines = buttons.map(({ line }) => line);
      const main = lines.find(({ steps }) => steps.length > 0)?.steps ?? [];
      const known = buttons.find(({ made }) => made.className !== '')?.line;
      open(known === undefined ? { ...start, steps: main } : { ...known, at: known.at - 1 });
    },
    clear() {
      element.replaceChildren();
      buttons = [];
    },
    mark({ start, steps, at }) {
      for (const { made, line } of buttons) {
        const isShown =
          line.start === start &&
          line.at === at &&
          line.steps.slice(0, at).every(({ uci }, i) => uci === steps[i]?.uci);
        if (isShown) made.setAttribute('aria-current', 'step');
        else made.removeAttribute('aria-current');
        if (isShown) made.scrollIntoView({ block: 'nearest' });
      }
    },
  };
}

/** A move of a study and its finding have the same key. */
function keyOf({ number, san }: StudyMove | CheckedMove, before: string, depth: number): string {
  return `${depth} ${number} ${before} ${san}`;
}

/** The outcome at the start, in a game without moves the moves that keep it, and what becomes of what the text claims. */
function startWords({ checked }: AnnotatedGame, { claimsText, waysText }: StudyWords): HTMLElement {
  const { start, moves } = checked;
  const outcome = start === null ? 'in no table' : `${start.wdl}${moves.length > 0 ? '' : waysText(start)}`;
  return h('span', { class: 'soft' }, [outcome, ...claimsText(checked)].join('; '));
}
