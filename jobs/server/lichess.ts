/**
 * Chess positions answered as the public Lichess tablebase API does (lichess-shapes.ts). A position is looked up under every
 * metric that has a table of it, and so is each position a move leads to. Positions that no table holds are `unknown`, not an
 * error.
 */
import { sort } from 'fast-sort';
import { UserError } from '../../operators/core/errors.js';
import type { Move } from '../../pipeline/game/game.js';
import { type Metric, RULE_PLIES } from '../../pipeline/game/value.js';
import { castlings, rightsAfter } from '../../pipeline/games/chess/castling.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { Fen } from '../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  inCheck,
  isInsufficient,
  LETTERS,
  PAWN,
  squareOf,
} from '../../pipeline/games/chess/rules.js';
import { checkMark } from '../../pipeline/games/chess/san.js';
import { backedUp } from '../../pipeline/games/chess/syzygy/read/prober.js';
import { mainLine } from '../../pipeline/tables/probe/main-line.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import {
  type Category,
  type Coded,
  categoryOf,
  type KnownCodes,
  moveCategory,
  narrowed,
  opposite,
  placeOf,
  withBest,
} from '../../pipeline/tables/probe/verdict.js';
import type { LichessAnswer, LichessMainLine, LichessMove, LichessPosition } from './lichess-shapes.js';

/** The code of a board with legal moves under a metric, and whether there may be one ply more; null if no table holds it. */
export type CodeOf = (metric: Metric, board: ChessBoard, slice: string) => Promise<Coded | null>;

export async function lichessAnswer(position: Fen, codeOf: CodeOf): Promise<LichessAnswer> {
  const { board, rooks } = position;
  const { clock } = board.counters!;
  const found: FoundMove[] = [];
  for (const move of [...chess.moves(board), ...castlingMoves(board, rooks)]) {
    found.push(await findMove(position, move, codeOf));
  }
  const own = await find(board, found.length > 0, rooks.length > 0 ? NO_TABLE : codeOf);
  const known = narrowedBy(own, found);
  const moves = known.moves.map((each, i): LichessMove => {
    const { uci, san, zeroing, conversion } = found[i];
    const category = opposite(moveCategory(codesOf(each), clock, zeroing ? 0 : clock + 1));
    return { uci, san, zeroing, conversion, ...described(each, category) };
  });
  const ordered = inOrder(moves, board);
  const best = ordered[0] && opposite(ordered[0].category);
  const category = withBest(categoryOf(codesOf(known.own), clock), best);
  return { ...described(known.own, category), moves: ordered };
}

function castlingMoves(board: ChessBoard, rooks: readonly number[]): Move<ChessBoard>[] {
  return castlings(board, rooks).map(({ uci, san, squares }) => {
    const after: ChessBoard = { squares, side: board.side === 0 ? 1 : 0 };
    return { uci, san: san + checkMark(after), board: after };
  });
}

/** No table has positions in which somebody may castle. */
const NO_TABLE: CodeOf = async () => null;

/** What is found of a position. */
interface Found {
  /** Under the metrics that have it; of a position that is over, under none. */
  readonly codes: KnownCodes;
  readonly end: 'mate' | 'stalemate' | null;
  readonly insufficient: boolean;
}

interface FoundMove extends Found {
  readonly uci: string;
  readonly san: string;
  readonly zeroing: boolean;
  readonly conversion: boolean;
}

async function findMove(
  { board: before, rooks }: Fen,
  { uci, san, board }: Move<ChessBoard>,
  codeOf: CodeOf,
): Promise<FoundMove> {
  const captures = san.includes('x');
  const zeroing = captures || Math.abs(before.squares[squareOf(uci)]) === PAWN;
  const conversion = captures || san.includes('=');
  const hasMoves = chess.terminal(board) === 'open';
  const rights = rightsAfter(rooks, before.squares, squareOf(uci), squareOf(uci.slice(2)));
  const known = rights.length > 0 ? NO_TABLE : codeOf;
  return { uci, san, zeroing, conversion, ...(await find(board, hasMoves, known)) };
}

async function find(board: ChessBoard, hasMoves: boolean, codeOf: CodeOf): Promise<Found> {
  const insufficient = isInsufficient(board);
  if (!hasMoves) {
    const end = inCheck(board.squares, board.side) ? 'mate' : 'stalemate';
    return { codes: {}, end, insufficient };
  }
  const slice = sliceOf(board);
  const coded = (metric: Metric) => (slice === null ? null : codeOf(metric, board, slice));
  const codes = {
    dtz: await coded('dtz'),
    dtm: await coded('dtm'),
    dtm50: await coded('dtm50'),
    dtc: await coded('dtc'),
  };
  // Nothing else is asked of it.
  const isKnown = codes.dtz !== null || codes.dtm !== null;
  return { codes: isKnown ? codes : { ...codes, wdl: await coded('wdl') }, end: null, insufficient };
}

/** The codes that the category follows from. */
function codesOf({ codes, end, insufficient }: Found): KnownCodes {
  if (end === 'mate') return { over: { code: -1, precise: true } };
  return end === 'stalemate' || insufficient ? { over: { code: 0, precise: true } } : codes;
}

/** Plies that files give in pairs are narrowed where the position and all moves have some. */
function narrowedBy(own: Found, moves: readonly FoundMove[]): { own: Found; moves: readonly Found[] } {
  const after = moves.map((move) => codesOf(move).dtz ?? null);
  const dtz = codesOf(own).dtz ?? null;
  if (dtz === null || after.includes(null)) return { own, moves };
  const backed = (after as readonly Coded[]).map((coded, i) => backedUp(coded, moves[i].zeroing));
  const known = narrowed({ own: dtz, moves: backed });
  return {
    own: known.own === dtz ? own : { ...own, codes: { ...own.codes, dtz: known.own } },
    moves: moves.map((move, i) =>
      move.end !== null || move.zeroing || known.moves[i] === backed[i]
        ? move
        : { ...move, codes: { ...move.codes, dtz: beforeMove(known.moves[i]) } },
    ),
  };
}

/** The value of the position after a move that does not zero, for the side to move there. */
function beforeMove({ code, precise }: Coded): Coded {
  return { code: code > 0 ? -code : -code - 2, precise };
}

/** Under `category`, the facts of a position as the API has them. */
function described({ codes, end, insufficient }: Found, category: Category): LichessPosition {
  const isMate = end === 'mate';
  const signed = (coded: Coded | null | undefined) =>
    end !== null ? 0 : coded ? distanceOf(coded.code) : null;
  const dtz = isMate ? -1 : signed(codes.dtz);
  const isPrecise = end !== null || codes.dtz?.precise === true;
  return {
    category,
    dtz,
    precise_dtz: isPrecise ? dtz : null,
    dtc: isMate ? null : signed(codes.dtc),
    dtm: isMate ? null : signed(codes.dtm),
    dtm50: isMate ? null : signed(codes.dtm50),
    dtw: null,
    checkmate: isMate,
    stalemate: end === 'stalemate',
    variant_win: false,
    variant_loss: false,
    insufficient_material: insufficient,
  };
}

/** Null if no slice can hold the board: it has too many men. */
export function sliceOf(board: ChessBoard): string | null {
  try {
    return chess.locate(board).slice;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** Signed plies. A mated side has -1, so that 0 always means a draw. */
function distanceOf(code: number): number {
  return code >= -1 ? code : code + 1;
}

/** From the least man to the greatest, as `squares` and promotions have them. */
const BY_WORTH = [0, 6, 5, 4, 3, 2];

/**
 * Orders moves as the API does: by category; mates, stalemates, draws for want of men. The nearest to mate if the mover mates,
 * else the farthest. Then come conversions, then zeroing moves, first where that is good and last where it is bad. The last
 * criteria are dtz, the man that is captured, and the man that a pawn becomes.
 */
function inOrder(moves: readonly LichessMove[], { squares }: ChessBoard): LichessMove[] {
  const isBad = ({ category }: LichessMove) => category.endsWith('win');
  const unknown = (move: LichessMove) => (isBad(move) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  const worth = (man: number) => BY_WORTH.indexOf(Math.abs(man));
  const captured = ({ uci, san }: LichessMove) =>
    san.includes('x') ? worth(squares[squareOf(uci.slice(2))] || PAWN) : 0;
  return sort([...moves]).by([
    { asc: ({ category }) => placeOf(opposite(category)) },
    { desc: ({ checkmate }) => checkmate },
    { desc: ({ stalemate }) => stalemate },
    { desc: ({ insufficient_material }) => insufficient_material },
    { desc: (move) => move.dtm || unknown(move) },
    { desc: (move) => move.conversion !== isBad(move) },
    { desc: (move) => move.dtc || unknown(move) },
    { desc: (move) => move.zeroing !== isBad(move) },
    { desc: ({ dtz }) => dtz ?? Number.POSITIVE_INFINITY },
    { desc: captured },
    { desc: ({ uci }) => worth(LETTERS.indexOf((uci[4] ?? '.').toUpperCase())) },
    { asc: ({ uci }) => uci },
  ]);
}

/** Throws errors of `prober` and `coded`. Under `dtz` only. */
export async function lichessMainLine(
  board: ChessBoard,
  prober: Prober<ChessBoard>,
  coded: (board: ChessBoard) => Promise<Coded>,
): Promise<LichessMainLine> {
  const distances = async (at: ChessBoard) => {
    const { code, precise } = await coded(at);
    return { dtz: distanceOf(code), precise_dtz: precise ? distanceOf(code) : null };
  };
  const { steps } = await mainLine(chess, prober, board);
  const played: LichessMainLine['mainline'] = [];
  let quiet = board.counters!.clock;
  let last = board;
  for (const step of steps) {
    // The losing side claims the draw.
    if (quiet >= RULE_PLIES) break;
    played.push({ uci: step.uci, san: step.san, ...(await distances(step.board)) });
    quiet = step.restarts ? 0 : quiet + 1;
    last = step.board;
  }
  const winner = chess.terminal(last) === 'lost' ? (chess.mover(last) === 'white' ? 'b' : 'w') : null;
  return { ...(await distances(board)), mainline: played, winner };
}
