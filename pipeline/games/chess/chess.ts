import { assert, UserError } from '../../../operators/core/errors.js';
import type { Address, Game, Side, Slice } from '../../game/game.js';
import { UntabledError } from '../../game/untabled.js';
import { endingsUpTo, readEnding } from './endings.js';
import { diagram, formatFen, illegality, parseFen, tooManyMen } from './fen.js';
import { Kind } from './geometry.js';
import { canonicalPlace, placeMen, type Space, spaceOf } from './index-space.js';
import { metrics } from './metrics.js';
import {
  createRootSlice,
  newSpaceOfSlice,
  readRootEnding,
  readRootSlice,
  rootIn,
  rootWords,
} from './root-slices.js';
import { type ChessBoard, exchangeColours, LETTERS, PAWN, terminal } from './rules.js';
import { namedMoves } from './san.js';
import { type EndingShape, inOrder, type Naming, sliceOf, wordsOf } from './shape.js';
import { createSlice } from './slice.js';
import { standing } from './standing.js';

const slices = new Map<string, Slice>();

function slice(name: string): Slice {
  let known = slices.get(name);
  if (!known) {
    const ofRoot = readRootSlice(name);
    slices.set(name, (known = ofRoot === null ? createSlice(name) : createRootSlice(name, ofRoot)));
  }
  return known;
}

/** Man of a board square from a kind of the index space and its side. */
function man(kind: number, side: number): number {
  const found = kind < Kind.king ? kind + 2 : kind === Kind.king ? 1 : PAWN;
  return side === 0 ? found : -found;
}

/** Material and ranks of pawns of a board. */
export function shapeOfBoard({ squares, side, passant }: ChessBoard): EndingShape {
  const men: [string, string] = ['', ''];
  const ranks: [number[], number[]] = [[], []];
  for (let square = 0; square < 64; square++) {
    const m = squares[square];
    if (Math.abs(m) < 2) continue;
    const owner = m > 0 ? 0 : 1;
    men[owner] += LETTERS[Math.abs(m)];
    if (Math.abs(m) === PAWN) ranks[owner].push((square >> 3) + 1);
  }
  return { men: [inOrder(men[0]), inOrder(men[1])], ranks, taker: passant === undefined ? null : side };
}

/** The square of a pawn that may be captured en passant. */
function passantPawn(passant: number, taker: Side): number {
  return taker === 0 ? passant - 8 : passant + 8;
}

function locateAs(given: ChessBoard, naming: Naming): Address {
  const wrong = illegality(given);
  if (wrong) throw new UserError(`illegal position: ${wrong}`);
  const many = tooManyMen(given);
  if (many !== null) throw new UntabledError(many);
  const { slice: name, flipped } = sliceOf(shapeOfBoard(given), naming);
  return locateIn(spaceOf(name), flipped ? exchangeColours(given) : given);
}

/** The address of a board, whose men are those of an index space. */
export function locateIn(space: Space, board: ChessBoard): Address {
  const passer = board.passant === undefined ? -1 : passantPawn(board.passant, board.side);
  const squares = new Uint8Array(space.men + 1);
  const taken = new Uint8Array(64);
  for (const { men, first, places } of space.groups) {
    for (const [i, { kind, side }] of men.entries()) {
      const wanted = man(kind, side);
      const square = board.squares.findIndex(
        (other, at) =>
          other === wanted &&
          taken[at] === 0 &&
          (at === passer) === (kind === Kind.passant) &&
          (places === null || places.reaches(i, at)),
      );
      assert(square >= 0, 'a board has the men of its slice');
      taken[square] = 1;
      squares[first + i] = square;
    }
  }
  const { pair, rank } = canonicalPlace(space, board.squares.indexOf(1), board.squares.indexOf(-1), squares);
  const [part, key] = [space.pairPart[pair], space.pairBase[pair] + rank];
  return { slice: space.name, side: board.side, part, key };
}

function board(address: Address, flipped?: boolean): ChessBoard {
  return boardIn(spaceOf(address.slice, newSpaceOfSlice), address, flipped);
}

/** The board at an index; with `flipped`, with the colours exchanged. Men may stand on one another. */
export function boardIn(space: Space, { side, part, key }: Address, flipped = false): ChessBoard {
  const pairInPart = Math.floor(key / space.placements);
  const pair = part * space.pairsPerPart + pairInPart;
  const men = new Uint8Array(space.men + 1);
  placeMen(space, key - pairInPart * space.placements, men);
  const squares = new Int8Array(64);
  squares[space.pairs.white[pair]] = 1;
  squares[space.pairs.black?.[pair] ?? men[space.men]] = -1;
  space.kindOf.forEach((kind, i) => {
    squares[men[i]] = man(kind, space.sideOf[i]);
  });
  const found =
    space.kindOf[0] === Kind.passant
      ? { squares, side, passant: men[0] + (side === 0 ? 8 : -8) }
      : { squares, side };
  return flipped ? exchangeColours(found) : found;
}

/** Chess whose slices are named so. */
function chessBy(naming: Naming): Game<ChessBoard> {
  return {
    name: 'chess',
    colours: ['white', 'black'],
    metrics,
    locatesMirrored: false,
    sidesShareIndex: true,
    ending: (text) => readRootEnding(text, naming) ?? readEnding(text, naming),
    endingsUpTo: (men) => endingsUpTo(men, naming),
    slice,
    sliceWords: (name) => (rootIn(name) === null ? wordsOf(name) : rootWords(name)),
    parse: parseFen,
    format: formatFen,
    locate: (board) => locateAs(board, naming),
    board,
    standing,
    moves: namedMoves,
    terminal,
    mover: ({ side }) => (side === 0 ? 'white' : 'black'),
    clock: ({ counters }) => counters?.clock ?? 0,
    diagram,
  };
}

/** Chess without castling: two kings and up to five other men. */
export const chess: Game<ChessBoard> = { ...chessBy('exchangeable'), sided: chessBy('sided') };
