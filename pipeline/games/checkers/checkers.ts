import type { Address, Game, Side, Slice } from '../../game.js';
import { canonical, endingsUpTo, mirrored, NOTHING, readEnding, type Shape, shapeOf } from './classes.js';
import { type CheckersBoard, diagram, formatFen, parseFen } from './fen.js';
import { boardOf, hasMoves, moverOf, namedMoves, type View, viewOf } from './rules.js';
import { createSlice } from './slice.js';
import { indexOf, newSpace, newUnranker, type Space, type Unranker } from './space.js';
import { leadingRank, popcount, turned } from './squares.js';

const slices = new Map<string, Slice>();

function slice(name: string): Slice {
  let known = slices.get(name);
  if (!known) slices.set(name, (known = createSlice(name)));
  return known;
}

function shapeOfView({ men, kings, enemyMen, enemyKings }: View): Shape {
  return {
    ownKings: popcount(kings),
    enemyKings: popcount(enemyKings),
    ownMen: popcount(men),
    enemyMen: popcount(enemyMen),
    ownRank: leadingRank(men),
    enemyRank: leadingRank(turned(enemyMen)),
  };
}

/** Spaces by slice and side, as they are asked for. */
const known = new Map<string, { space: Space; unranker: Unranker }>();

function spaceOf(name: string, side: Side): { space: Space; unranker: Unranker } {
  let found = known.get(`${name}/${side}`);
  if (found === undefined) {
    const shape = shapeOf(name);
    const space = newSpace(side === 0 ? shape : mirrored(shape));
    known.set(`${name}/${side}`, (found = { space, unranker: newUnranker(space) }));
  }
  return found;
}

function locate(board: CheckersBoard): Address {
  const view = viewOf(board);
  const { slice: name, side } = canonical(shapeOfView(view));
  if (name === NOTHING) return { slice: name, side, part: 0, key: 0 };
  const { space } = spaceOf(name, side);
  const index = indexOf(space, {
    ...view,
    turnedMen: turned(view.men),
    turnedKings: turned(view.kings),
    turnedEnemyMen: turned(view.enemyMen),
    turnedEnemyKings: turned(view.enemyKings),
  });
  const { width } = slice(name);
  const part = Math.floor(index / width);
  return { slice: name, side, part, key: index - part * width };
}

function board({ slice: name, side, part, key }: Address, flipped = false): CheckersBoard {
  const { unranker } = spaceOf(name, side);
  unranker.read(part * slice(name).width + key);
  const mover = (flipped ? 1 - side : side) as Side;
  return boardOf({ ...unranker.place }, mover, mover);
}

/** English draughts, 8 by 8, up to ten pieces. */
export const checkers: Game<CheckersBoard> = {
  name: 'checkers',
  colours: ['black', 'white'],
  metrics: ['dtw', 'wdl', 'dtc'],
  ending: readEnding,
  endingsUpTo,
  slice,
  parse: parseFen,
  format: formatFen,
  locate,
  board,
  moves: namedMoves,
  terminal: (board) => (hasMoves(board) ? 'open' : 'lost'),
  mover: moverOf,
  diagram,
};
