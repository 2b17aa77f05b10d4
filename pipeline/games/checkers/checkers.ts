import type { Address, Game, Side, Slice } from '../../game/game.js';
import {
  canonical,
  endingsUpTo,
  mirrored,
  NOTHING,
  readEnding,
  type Shape,
  shapeOf,
  wordsOf,
} from './classes.js';
import { type CheckersBoard, diagram, formatFen, parseFen } from './fen.js';
import { metrics } from './metrics.js';
import { isPlausible } from './plausible.js';
import {
  boardOf,
  dontCare,
  hasMoves,
  type MoverView,
  moverOf,
  namedMoves,
  same,
  successors,
  viewOf,
} from './rules.js';
import { createSlice } from './slice.js';
import { type CheckersSpace, indexOf, newUnranker, spaceOf, type Unranker } from './space.js';
import { leadingRank, popcount, turned } from './squares.js';
import { standing } from './standing.js';

const slices = new Map<string, Slice>();

function slice(name: string): Slice {
  let known = slices.get(name);
  if (!known) slices.set(name, (known = createSlice(name)));
  return known;
}

function shapeOfView({ men, kings, enemyMen, enemyKings }: MoverView): Shape {
  return {
    ownKings: popcount(kings),
    enemyKings: popcount(enemyKings),
    ownMen: popcount(men),
    enemyMen: popcount(enemyMen),
    ownRank: leadingRank(men),
    enemyRank: leadingRank(turned(enemyMen)),
  };
}

/** Where positions of a shape are. */
interface Home {
  readonly slice: string;
  readonly side: Side;
  readonly width: number;
  readonly space: CheckersSpace;
}

function homeOf(shape: Shape): Home {
  const { slice: name, side } = canonical(shape);
  return { slice: name, side, width: slice(name).width, space: spaceOf(shape) };
}

/** By the digits of the shape: a lookup must not cost the making of a name. */
const homes = new Map<number, Home>();

function homeOfView(view: MoverView): Home {
  const { ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank } = shapeOfView(view);
  const pieces = ((ownKings * 11 + enemyKings) * 11 + ownMen) * 11 + enemyMen;
  const digits = (pieces * 7 + ownRank) * 7 + enemyRank;
  let home = homes.get(digits);
  if (home === undefined) homes.set(digits, (home = homeOf(shapeOfView(view))));
  return home;
}

function locate(board: CheckersBoard): Address {
  const view = viewOf(board);
  const { slice: name, side, width, space } = homeOfView(view);
  if (name === NOTHING) return { slice: name, side, part: 0, key: 0 };
  const index = indexOf(space, view);
  const part = Math.floor(index / width);
  return { slice: name, side, part, key: index - part * width };
}

/** By slice and side. */
const boards = new Map<string, Unranker>();

function board({ slice: name, side, part, key }: Address, flipped = false): CheckersBoard {
  let unranker = boards.get(`${name}/${side}`);
  if (unranker === undefined) {
    const shape = shapeOf(name);
    unranker = newUnranker(spaceOf(side === 0 ? shape : mirrored(shape)));
    boards.set(`${name}/${side}`, unranker);
  }
  unranker.read(part * slice(name).width + key);
  const mover = (flipped ? 1 - side : side) as Side;
  return boardOf(unranker.place, mover, mover);
}

/** English draughts, 8 by 8, up to ten pieces. */
export const checkers: Game<CheckersBoard> = {
  name: 'checkers',
  colours: ['black', 'white'],
  metrics,
  locatesMirrored: true,
  ending: readEnding,
  plausible: (ending) => isPlausible(shapeOf(ending)),
  endingsUpTo,
  slice,
  sliceWords: wordsOf,
  parse: parseFen,
  format: formatFen,
  locate,
  board,
  standing,
  moves: namedMoves,
  terminal: (board) => (hasMoves(board) ? 'open' : 'lost'),
  mover: moverOf,
  search: { dontCare, successors, same },
  diagram,
};
