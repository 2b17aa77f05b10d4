/**
 * The oracle of checkers: a naive solver that shares nothing with the product. It holds all positions of some classes, and of
 * all classes that follow, in memory with the numbers of their successors. Successors are found by forward moves alone. It
 * passes over the undecided positions again and again until nothing changes.
 *
 * Positions with White to move are their mirror images. A game ends when the side to move has lost, by having no piece or no
 * move; plies count the moves until then. So every loss takes an even number of plies and every win an odd one.
 */
import { classesOf, classOf, closureOf, hasBothSides, positionsOf } from './classes.js';
import { parseFen } from './fen.js';
import { mirrored, moves, type Position } from './rules.js';

/** Value for the side to move: 1 won, 0 drawn, -1 lost; plies to the end of the game with best play, 0 for draws. */
export interface OracleResult {
  readonly wdl: -1 | 0 | 1;
  readonly plies: number;
}

/** Positions of a class, Black to move: their number, their values, and the longest games; -1: none. */
export interface ClassCounts {
  readonly class: string;
  readonly total: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly maxWinPlies: number;
  readonly maxLossPlies: number;
}

export interface CheckersOracle {
  /** The solved classes in alphabetical order. */
  readonly classes: readonly string[];
  /** @throws Error if the position is not of a solved class. */
  value(of: string | Position): OracleResult;
  /** Every position of a class once, with Black to move. */
  positions(name: string): IterableIterator<Position>;
  counts(name: string): ClassCounts;
}

/** Numbers of positions by class and then by the squares of the pieces, read as digits to the base 32; 0 elsewhere. */
type Numbers = Map<string, Int32Array>;

/** The squares of the pieces in the order of the class name, like pieces ascending, as digits to the base 32. */
function keyOf({ squares }: Position): number {
  let key = 0;
  for (const piece of [2, -2, 1, -1]) {
    for (let square = 1; square <= 32; square++) if (squares[square] === piece) key = 32 * key + square - 1;
  }
  return key;
}

/** Number 0 stands for every position in which the side to move has no piece left. */
const NO_PIECE = 0;

function numberOf(numbers: Numbers, position: Position): number {
  const black = position.side === 'black' ? position : mirrored(position);
  if (black.squares.every((piece) => piece <= 0)) return NO_PIECE;
  const number = numbers.get(classOf(black))?.[keyOf(black)];
  if (!number) throw new Error(`No position of a solved class: ${classOf(black)}`);
  return number;
}

/** The successors of position n are `targets[first[n]]` to `targets[first[n + 1] - 1]`, as numbers. */
interface Successors {
  readonly first: Uint32Array;
  readonly targets: Int32Array;
}

function successorsOf(classes: readonly string[], numbers: Numbers, count: number): Successors {
  const first = new Uint32Array(count + 1);
  let targets = new Int32Array(1 << 16);
  let filled = 0;
  let number = NO_PIECE + 1;
  for (const name of classes) {
    for (const position of positionsOf(name)) {
      for (const { after } of moves(position)) {
        if (filled === targets.length) {
          const longer = new Int32Array(2 * filled);
          longer.set(targets);
          targets = longer;
        }
        targets[filled++] = numberOf(numbers, after);
      }
      first[++number] = filled;
    }
  }
  return { first, targets };
}

const UNDECIDED = -1;

/** One pass: finds the positions that are lost (even) or won (odd) in exactly `round` plies. How many there were. */
function decide(round: number, plies: Int16Array, { first, targets }: Successors): number {
  let decided = 0;
  for (let number = 0; number < plies.length; number++) {
    if (plies[number] !== UNDECIDED) continue;
    const end = first[number + 1];
    let i = first[number];
    let holds: boolean;
    if (round % 2 === 1) {
      // Won: some move leads to a position lost in one ply less.
      while (i < end && plies[targets[i]] !== round - 1) i++;
      holds = i < end;
    } else {
      // Lost: all moves, if any, lead to positions that are won. The longest of them was found in the pass before.
      while (i < end && plies[targets[i]] % 2 === 1) i++;
      holds = i === end;
    }
    if (!holds) continue;
    plies[number] = round;
    decided++;
  }
  return decided;
}

/** Solves classes and all that follow from them. Up to 3 pieces take seconds, all of 4 a minute or two and half a GB. */
export function solveClasses(names: readonly string[]): CheckersOracle {
  const classes = closureOf(names);
  const numbers: Numbers = new Map();
  let count = NO_PIECE + 1;
  for (const name of classes) {
    const pieces = [...name].reduce((sum, digit) => sum + Number(digit), 0);
    const table = new Int32Array(32 ** pieces);
    for (const position of positionsOf(name)) table[keyOf(position)] = count++;
    numbers.set(name, table);
  }
  const successors = successorsOf(classes, numbers, count);
  const plies = new Int16Array(count).fill(UNDECIDED);
  // A position decided in a pass has a successor decided in the pass before: an idle pass is the last.
  for (let round = 0; decide(round, plies, successors) > 0; round++);

  const value = (of: string | Position): OracleResult => {
    const found = plies[numberOf(numbers, typeof of === 'string' ? parseFen(of) : of)];
    if (found === UNDECIDED) return { wdl: 0, plies: 0 };
    return { wdl: found % 2 === 0 ? -1 : 1, plies: found };
  };
  return {
    classes,
    value,
    positions: positionsOf,
    counts(name) {
      const tally = { total: 0, wins: 0, losses: 0, draws: 0, maxWinPlies: -1, maxLossPlies: -1 };
      for (const position of positionsOf(name)) {
        const { wdl, plies } = value(position);
        tally.total++;
        if (wdl === 0) tally.draws++;
        if (wdl > 0) tally.wins++;
        if (wdl < 0) tally.losses++;
        if (wdl > 0) tally.maxWinPlies = Math.max(tally.maxWinPlies, plies);
        if (wdl < 0) tally.maxLossPlies = Math.max(tally.maxLossPlies, plies);
      }
      return { class: name, ...tally };
    },
  };
}

let three: CheckersOracle | undefined;

/**
 * Solves all classes of at most so many pieces, 2 to 4, in which both sides are present. Those of three pieces are solved once
 * for all test files of a process.
 */
export function solveUpTo(pieces: number): CheckersOracle {
  if (pieces === 3 && three !== undefined) return three;
  const names: string[] = [];
  for (let n = 2; n <= pieces; n++) names.push(...classesOf(n).filter(hasBothSides));
  const solved = solveClasses(names);
  if (pieces === 3) three = solved;
  return solved;
}
