/** Moves of boards as people read them. */
import type { Colour, Move, Side } from '../../game/game.js';
import { type Captures, findCaptures, newCaptures } from './captures.js';
import { type CheckersBoard, pdnOf } from './fen.js';
import { canCapture, canStep, KING_STEPS, LAST_RANK, lowest, MAN_STEPS, turned } from './squares.js';

/** The board as the player to move sees it. */
export interface MoverView {
  readonly men: number;
  readonly kings: number;
  readonly enemyMen: number;
  readonly enemyKings: number;
}

export function viewOf({ blackMen, blackKings, whiteMen, whiteKings, side }: CheckersBoard): MoverView {
  return side === 0
    ? { men: blackMen, kings: blackKings, enemyMen: whiteMen, enemyKings: whiteKings }
    : {
        men: turned(whiteMen),
        kings: turned(whiteKings),
        enemyMen: turned(blackMen),
        enemyKings: turned(blackKings),
      };
}

/** The board that a player of `side` sees so, with `mover` to move. */
export function boardOf(
  { men, kings, enemyMen, enemyKings }: MoverView,
  side: Side,
  mover: Side,
): CheckersBoard {
  return side === 0
    ? { blackMen: men, blackKings: kings, whiteMen: enemyMen, whiteKings: enemyKings, side: mover }
    : {
        blackMen: turned(enemyMen),
        blackKings: turned(enemyKings),
        whiteMen: turned(men),
        whiteKings: turned(kings),
        side: mover,
      };
}

export function same(a: CheckersBoard, b: CheckersBoard): boolean {
  return (
    a.blackMen === b.blackMen &&
    a.blackKings === b.blackKings &&
    a.whiteMen === b.whiteMen &&
    a.whiteKings === b.whiteKings &&
    a.side === b.side
  );
}

export function moverOf({ side }: CheckersBoard): Colour {
  return side === 0 ? 'black' : 'white';
}

export function hasMoves(board: CheckersBoard): boolean {
  const { men, kings, enemyMen, enemyKings } = viewOf(board);
  const enemies = enemyMen | enemyKings;
  const empty = ~(men | kings | enemies);
  return canCapture(men, kings, enemies, empty) || canStep(men, kings, empty);
}

/** Whether the player to move, or the other one if it were his turn, captures; or there is nothing to move with. */
export function dontCare(board: CheckersBoard): boolean {
  const { men, kings, enemyMen, enemyKings } = viewOf(board);
  const enemies = enemyMen | enemyKings;
  const empty = ~(men | kings | enemies);
  if ((men | kings) === 0 || canCapture(men, kings, enemies, empty)) return true;
  return canCapture(turned(enemyMen), turned(enemyKings), turned(men | kings), turned(empty));
}

interface Step {
  readonly from: number;
  readonly to: number;
}

function quietSteps(men: number, kings: number, empty: number): Step[] {
  const steps: Step[] = [];
  for (let rest = men | kings; rest !== 0; rest &= rest - 1) {
    const from = rest & -rest;
    const reach = (kings & from) !== 0 ? KING_STEPS : MAN_STEPS;
    for (let left = reach[lowest(from)] & empty; left !== 0; left &= left - 1) {
      steps.push({ from, to: left & -left });
    }
  }
  return steps;
}

/** Without paths; used again by every call. */
const captures = newCaptures();

function afterCapture(board: CheckersBoard, view: MoverView, found: Captures, i: number): CheckersBoard {
  const after = {
    men: found.men[i],
    kings: found.kings[i],
    enemyMen: view.enemyMen & ~found.taken[i],
    enemyKings: view.enemyKings & ~found.taken[i],
  };
  return boardOf(after, board.side, (1 - board.side) as Side);
}

function afterStep(board: CheckersBoard, view: MoverView, { from, to }: Step): CheckersBoard {
  const { men, kings, enemyMen, enemyKings } = view;
  const king = (kings & from) !== 0;
  const crowned = !king && (to & LAST_RANK) !== 0;
  const after = {
    men: king ? men : crowned ? men ^ from : men ^ from ^ to,
    kings: king ? kings ^ from ^ to : crowned ? kings | to : kings,
    enemyMen,
    enemyKings,
  };
  return boardOf(after, board.side, (1 - board.side) as Side);
}

/** The board after each legal move, in the order of {@link namedMoves}. */
export function successors(board: CheckersBoard): CheckersBoard[] {
  const view = viewOf(board);
  const { men, kings, enemyMen, enemyKings } = view;
  const enemies = enemyMen | enemyKings;
  findCaptures(men, kings, enemies, captures);
  const boards: CheckersBoard[] = [];
  for (let i = 0; i < captures.length; i++) boards.push(afterCapture(board, view, captures, i));
  if (captures.length > 0) return boards;
  for (const step of quietSteps(men, kings, ~(men | kings | enemies)))
    boards.push(afterStep(board, view, step));
  return boards;
}

/**
 * The legal moves. `uci` names every square a piece touches ("9x18x25"). `san` is PDN: origin and end ("9x25"), and
 * more only if two moves would be called the same.
 */
export function namedMoves(board: CheckersBoard): Move<CheckersBoard>[] {
  const { side } = board;
  const view = viewOf(board);
  const { men, kings, enemyMen, enemyKings } = view;
  const enemies = enemyMen | enemyKings;
  const name = (bit: number): string => String(pdnOf(side === 0 ? lowest(bit) : 31 - lowest(bit)));
  const named = newCaptures(true);
  findCaptures(men, kings, enemies, named);
  if (named.length > 0) {
    const paths = named.paths!.slice(0, named.length).map((path) => path.map(name));
    const brief = paths.map((path) => `${path[0]}x${path.at(-1)}`);
    return paths.map((path, i) => {
      const uci = path.join('x');
      const unique = brief.indexOf(brief[i]) === brief.lastIndexOf(brief[i]);
      return { uci, san: unique ? brief[i] : uci, board: afterCapture(board, view, named, i) };
    });
  }
  return quietSteps(men, kings, ~(men | kings | enemies)).map((step) => {
    const move = `${name(step.from)}-${name(step.to)}`;
    return { uci: move, san: move, board: afterStep(board, view, step) };
  });
}
