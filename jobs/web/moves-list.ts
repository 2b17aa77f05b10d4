/** Every legal move with its value, best first, and beside it what other metrics say. */
import type { Metric } from '../../pipeline/game/value.js';
import type { MoveAnswer, PositionAnswer } from '../server/api-answers.js';
import { steppedTo } from './arrow-keys.js';
import type { Beside } from './beside.js';
import { button, h, spoken } from './dom.js';
import {
  brief,
  clockOf,
  metricWords,
  outcome,
  type Shade,
  shadeOf,
  type Unit,
  wdlClass,
} from './value-words.js';

export interface MovesList {
  readonly element: HTMLElement;
  /** Null: there is nothing to list. */
  show(answer: PositionAnswer | null): void;
  /** The values of the shown position under other metrics. */
  beside(beside: Beside): void;
  focus(): void;
}

export interface MovesListEvents {
  play(move: MoveAnswer): void;
  /** A move is pointed at, or none any more. */
  point(move: MoveAnswer | null): void;
}

const UNSURE = ', if the 50-move rule leaves the time';
const TITLES: Partial<Readonly<Record<Shade, string>>> = {
  win: 'Winning',
  'maybe-win': `Winning${UNSURE}`,
  'cursed win': 'Winning but for the 50-move rule',
  draw: 'Drawing',
  'blessed loss': 'Losing but for the 50-move rule',
  'maybe-loss': `Losing${UNSURE}`,
  loss: 'Losing',
};

export function newMovesList({ play, point }: MovesListEvents): MovesList {
  const heads = h('div', { class: 'heads', 'aria-hidden': 'true' });
  const groups = h('div', { class: 'groups', keydown });
  const count = h('span', { class: 'soft' });
  let unit: Unit = 'plies';
  let shown: PositionAnswer | null = null;
  let others: Beside = new Map();
  let listed: readonly ListedMove[] = [];
  const element = h(
    'section',
    { class: 'moves', 'aria-labelledby': 'moves-title' },
    h('div', { class: 'title' }, h('h2', { id: 'moves-title' }, 'Moves ', count), unitChoice(unit, choose)),
    groups,
  );
  const buttons = () => [...groups.querySelectorAll('button')];

  function keydown(event: KeyboardEvent): void {
    const next = steppedTo(event, buttons());
    if (next !== null) focusOn(next);
  }

  function focusOn(chosen: HTMLButtonElement | undefined): void {
    for (const each of buttons()) each.tabIndex = each === chosen ? 0 : -1;
    chosen?.focus();
  }

  function choose(chosen: Unit): void {
    unit = chosen;
    draw();
  }

  function draw(): void {
    element.hidden = shown === null;
    const answer = shown;
    if (answer === null) return;
    const focused = buttons().indexOf(document.activeElement as HTMLButtonElement);
    const { moves } = answer;
    count.textContent = moves.length === 0 ? '' : String(moves.length);
    const kinds = [...new Set(moves.map((move) => shadeOf(move, answer)))];
    listed = moves.map((move) => ({ move, button: moveButton(move, answer, { unit, play, point }) }));
    groups.replaceChildren(
      // The headings scroll with the values, so that a scroll bar cannot move one without the other.
      heads,
      ...kinds.map((kind) =>
        groupOf(
          kind,
          listed.filter(({ move }) => shadeOf(move, answer) === kind),
        ),
      ),
      ...(moves.length === 0 ? [h('p', { class: 'soft' }, 'None: the game is over.')] : []),
    );
    drawOthers(answer);
    const [first] = buttons();
    if (first !== undefined) first.tabIndex = 0;
    if (focused >= 0) focusOn(buttons()[focused] ?? first);
  }

  /** The buttons stay: a click on a button that is replaced meanwhile would be lost. */
  function drawOthers({ metric, game, moves }: PositionAnswer): void {
    element.classList.toggle('sided', others.size > 0 && moves.length > 0);
    heads.replaceChildren(
      ...[metric, ...others.keys()].map((each) => h('span', { title: metricWords(each, game) }, each)),
    );
    for (const { move, button } of listed) {
      for (const old of button.querySelectorAll('.beside')) old.remove();
      button.append(...[...others].map(([other, beside]) => besideCells(other, beside, move.uci, unit)));
    }
  }

  return {
    element,
    focus: () => focusOn(buttons()[0]),
    show(answer) {
      shown = answer;
      others = new Map();
      const hadFocus = groups.contains(document.activeElement);
      draw();
      if (hadFocus) focusOn(buttons()[0]);
    },
    beside(beside) {
      others = beside;
      if (shown !== null) drawOthers(shown);
    },
  };
}

interface ListedMove {
  readonly move: MoveAnswer;
  readonly button: HTMLButtonElement;
}

function groupOf(kind: Shade, moves: readonly ListedMove[]): HTMLElement {
  return h(
    'div',
    { role: 'group', 'aria-label': TITLES[kind] ?? kind },
    h('h3', { class: wdlClass(kind) }, TITLES[kind] ?? kind),
    h('ul', {}, ...moves.map(({ button }) => h('li', {}, button))),
  );
}

function unitChoice(unit: Unit, choose: (unit: Unit) => void): HTMLElement {
  const choices = (['plies', 'moves'] as const).map((each) =>
    h(
      'label',
      { title: each === 'plies' ? 'Moves of one side' : 'Moves of both sides' },
      h('input', {
        type: 'radio',
        name: 'unit',
        checked: each === unit,
        change: () => choose(each),
      }),
      ` in ${each}`,
    ),
  );
  return h('div', { class: 'units', role: 'radiogroup', 'aria-label': 'Distances' }, ...choices);
}

/** A move's value under a metric, for the metric's column, and the same for those who listen. */
function besideCells(metric: Metric, beside: PositionAnswer, uci: string, unit: Unit): HTMLElement {
  const move = beside.moves.find((each) => each.uci === uci);
  const text = move === undefined ? '' : brief(move, unit, beside);
  const cell = h(
    'span',
    { class: `other ${move ? wdlClass(shadeOf(move, beside)) : ''}`, 'data-metric': metric },
    text,
  );
  return h('span', { class: 'beside' }, spoken(`, ${metric} `), cell);
}

/** How moves are shown, and what is done with them. */
interface ShownMoves extends MovesListEvents {
  readonly unit: Unit;
}

function moveButton(
  move: MoveAnswer,
  answer: PositionAnswer,
  { unit, play, point }: ShownMoves,
): HTMLButtonElement {
  const { metric, game, position } = answer;
  const words = outcome(move, metric, game, clockOf(position));
  const leaves = move.conversion ? ', leaves the ending' : '';
  const made = button(h('span', { class: 'san' }, move.san), () => play(move), {
    title: words + leaves,
    class: `move ${wdlClass(shadeOf(move, answer))}`,
  });
  made.tabIndex = -1;
  made.append(
    ...(move.conversion ? [h('span', { class: 'leaves', 'aria-hidden': 'true' }, '↗')] : []),
    spoken(': '),
    h('span', { class: 'value' }, brief(move, unit, answer)),
  );
  for (const come of ['pointerenter', 'focus']) made.addEventListener(come, () => point(move));
  for (const go of ['pointerleave', 'blur']) made.addEventListener(go, () => point(null));
  return made;
}
