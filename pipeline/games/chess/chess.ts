import { assert, UserError } from '../../../operators/core/errors.js';
import type { Address, Game, Side, Slice } from '../../game.js';
import { diagram } from './diagram.js';
import { endingsUpTo, MOST_MEN, nameEnding, readEnding } from './endings.js';
import { formatFen, illegality, parseFen } from './fen.js';
import { PAIR_BLACK, PAIR_WHITE } from './geometry.js';
import { canonicalPlace, placeMen, spaceOf } from './index-space.js';
import { type ChessBoard, LETTERS, PAWN, terminal } from './rules.js';
import { namedMoves } from './san.js';
import { createSlice } from './slice.js';

const slices = new Map<string, Slice>();

function slice(name: string): Slice {
  let known = slices.get(name);
  if (!known) slices.set(name, (known = createSlice(name)));
  return known;
}

/** Man of a board square from a kind of the index space (queen 0 ... knight 3) and its side. */
function man(kind: number, side: number): number {
  return side === 0 ? kind + 2 : -(kind + 2);
}

/** Letters of the men of a side, its king not included. */
function letters(board: ChessBoard, side: Side): string {
  let found = '';
  for (const m of board.squares) if (side === 0 ? m > 1 : m < -1) found += LETTERS[Math.abs(m)];
  return found;
}

function locate(board: ChessBoard): Address {
  const wrong = illegality(board);
  if (wrong) throw new UserError(`illegal position: ${wrong}`);
  if (board.squares.some((m) => Math.abs(m) === PAWN)) {
    throw new UserError(`no table can hold pawns yet: ${formatFen(board)}`);
  }
  const { slice: name, flipped } = nameEnding(letters(board, 0), letters(board, 1));
  assert(name.length <= MOST_MEN, 'a legal board has few enough men');
  const space = spaceOf(name);
  const exchange = flipped ? 1 : 0;
  const squares = new Uint8Array(space.men);
  for (const group of space.groups) {
    let next = group.first;
    const wanted = man(group.kind, group.side ^ exchange);
    for (let square = 0; square < 64; square++)
      if (board.squares[square] === wanted) squares[next++] = square;
  }
  const white = board.squares.indexOf(flipped ? -1 : 1);
  const black = board.squares.indexOf(flipped ? 1 : -1);
  const { pair, rank } = canonicalPlace(space, white, black, squares);
  return {
    slice: name,
    side: (board.side ^ exchange) as Side,
    part: space.pairPart[pair],
    key: space.pairBase[pair] + rank,
  };
}

/** The board at an index, canonical or not; with `flipped`, with the colours exchanged. Men may stand on one another. */
function board(address: Address, flipped = false): ChessBoard {
  const space = spaceOf(address.slice);
  const pairInPart = Math.floor(address.key / space.placements);
  const pair = address.part * space.pairsPerPart + pairInPart;
  const men = new Uint8Array(space.men);
  placeMen(space, address.key - pairInPart * space.placements, men);
  const exchange = flipped ? 1 : 0;
  const squares = new Int8Array(64);
  squares[PAIR_WHITE[pair]] = flipped ? -1 : 1;
  squares[PAIR_BLACK[pair]] = flipped ? 1 : -1;
  men.forEach((square, i) => {
    squares[square] = man(space.kindOf[i], space.sideOf[i] ^ exchange);
  });
  return { squares, side: (address.side ^ exchange) as Side };
}

/**
 * Chess without castling. Its boards have two kings and up to five other men, pawns among them; its slices, and so its
 * tables, hold no pawns yet.
 */
export const chess: Game<ChessBoard> = {
  name: 'chess',
  colours: ['white', 'black'],
  metrics: ['dtm', 'dtc', 'wdl'],
  locatesMirrored: false,
  sidesShareIndex: true,
  ending: readEnding,
  endingsUpTo,
  slice,
  parse: parseFen,
  format: formatFen,
  locate,
  board,
  moves: namedMoves,
  terminal,
  mover: ({ side }) => (side === 0 ? 'white' : 'black'),
  diagram,
};
