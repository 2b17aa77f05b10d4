/**
 * A study as a whole, as editors of the field judge it (H. van der Heijden, "A minor dual is not a big deal", EG 170, 2007; A. J. Roycroft,
 * "Test Tube Chess", 1972): the side that has to win or draw, the *solver*, should have one move each time. A second way from the first
 * move on is a *cook*. One that begins later is a *dual*, and spoils the study the more the earlier it comes: at the last move it is
 * minor, as are losses of time and transpositions (pipeline/analysis/duals.ts). A study whose outcome is another is *refuted*.
 */
import type { Colour } from '../../pipeline/game/side.js';
import { outcomeRank, type Wdl } from '../../pipeline/game/value.js';
import type { CheckedMove } from './checked-move.js';
import { moverOf } from './position-text.js';

/**
 * - `sound`: no dual in the main line, or minor ones only.
 * - `dual`: the main line has a dual behind its first move.
 * - `cooked`: another first move does as well, or the solver of a draw even wins.
 * - `refuted`: the outcome is not reached, in the first position or because a move of the main line gives it away.
 * - `unknown`: positions without a table may change the answer.
 */
export type Judgement = 'sound' | 'dual' | 'cooked' | 'refuted' | 'unknown';

/** The solver's moves of the main line, or of the variations. */
export interface Tally {
  /** Moves without another that does as well, or without any other. */
  readonly only: number;
  /** Moves with minor duals alone. */
  readonly minor: number;
  readonly dual: number;
  readonly mistake: number;
  /** Moves of which the tables do not tell whether others do as well. */
  readonly unknown: number;
}

export interface Summary {
  readonly solver: Colour;
  /** What the solver has to reach; null if the text does not claim it, and no table has the first position. */
  readonly aim: 'win' | 'draw' | null;
  readonly judgement: Judgement;
  readonly main: Tally;
  readonly variations: Tally;
}

type Class = keyof Tally | 'none';

/** What a move of the solver counts as: nothing where every move does. A dual at the last move is minor. */
export function classOf(move: CheckedMove): Class {
  const { verdict, others, legal, isLast } = move;
  switch (verdict) {
    case 'only':
    case 'forced':
      return 'only';
    case 'mistake':
      return 'mistake';
    case 'unknown':
      return 'unknown';
    case 'lost':
      return 'none';
    case 'keeps': {
      if (others.length === 0) return 'unknown';
      if (others.length + 1 === legal) return 'none';
      return isLast === true || isMinor(move) || others.every(isMinor) ? 'minor' : 'dual';
    }
  }
}

export function isMinor({ kind }: { readonly kind?: CheckedMove['kind'] }): boolean {
  return kind === 'loss of time' || kind === 'transposition';
}

interface Judged {
  readonly moves: readonly CheckedMove[];
  /** "w" or "b". */
  readonly solver: string;
  /** As the text claims it: "w" or "b", null of a draw, undefined if it claims nothing. */
  readonly winner: string | null | undefined;
  /** The value of the first position for its side to move; null if it is not known. */
  readonly start: { readonly wdl: Wdl; readonly mover: string } | null;
  /** The position in which the solver first moves. */
  readonly begins: string | undefined;
  /** Moves of the main line that no table has. */
  readonly missing: number;
}

export function summaryOf({ moves, solver, winner, start, begins, missing }: Judged): Summary {
  const own = moves.filter(({ fen }) => moverOf(fen) === solver);
  const line = own.filter(({ depth }) => depth === 0);
  const main = line.map(classOf);
  const reached = start === null ? null : pointsOf(start.wdl, start.mover === solver);
  const claimed = winner === undefined ? reached : winner === null ? 0 : winner === solver ? 1 : -1;
  return {
    solver: solver === 'w' ? 'white' : 'black',
    aim: claimed === null ? null : claimed > 0 ? 'win' : 'draw',
    judgement: judge(),
    main: tally(main),
    variations: tally(own.filter(({ depth }) => depth > 0).map(classOf)),
  };

  function judge(): Judgement {
    if (reached !== null && reached < claimed!) return 'refuted';
    if (reached !== null && reached > claimed!) return 'cooked';
    if (main.includes('mistake')) return 'refuted';
    const [first] = line;
    const isFirst = first !== undefined && first.fen === begins;
    if (isFirst && first.verdict === 'keeps' && first.others.some((other) => !isMinor(other)))
      return 'cooked';
    if (main.includes('dual')) return 'dual';
    return reached === null || missing > 0 || main.includes('unknown') ? 'unknown' : 'sound';
  }
}

/** 1 of a win, 0 of a draw, -1 of a loss for the solver. Studies do not know the 50-move rule. */
function pointsOf(wdl: Wdl, isMovers: boolean): number {
  const points = Math.sign(outcomeRank({ wdl }) - outcomeRank({ wdl: 'draw' }));
  return isMovers ? points : -points;
}

function tally(classes: readonly Class[]): Tally {
  const count = (wanted: Class) => classes.filter((each) => each === wanted).length;
  return {
    only: count('only'),
    minor: count('minor'),
    dual: count('dual'),
    mistake: count('mistake'),
    unknown: count('unknown'),
  };
}
