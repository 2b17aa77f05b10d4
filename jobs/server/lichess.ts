/**
 * Chess positions answered as the public Lichess tablebase API does (lichess-shapes.ts). A position is looked up under every
 * metric that has a table of it, and so is each position a move leads to. Positions that no table holds are `unknown`, not an
 * error.
 */
import { sort } from 'fast-sort';
import { UserError } from '../../operators/core/errors.js';
import type { Move } from '../../pipeline/contract/game.js';
import { type Metric, RULE_PLIES } from '../../pipeline/formats/value.js';
import { castlings, rightsAfter } from '../../pipeline/games/chess/castling.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { Fen } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, inCheck, LETTERS, PAWN } from '../../pipeline/games/chess/rules.js';
import { checkMark } from '../../pipeline/games/chess/san.js';
import type { Coded } from '../../pipeline/games/chess/syzygy/read/prober.js';
import { mainLine } from '../../pipeline/probe/main-line.js';
import type { Prober } from '../../pipeline/probe/prober.js';
import type {
  Category,
  LichessAnswer,
  LichessMainLine,
  LichessMove,
  LichessPosition,
} from './lichess-shapes.js';

/** The code of a board with legal moves under a metric, and whether there may be one ply more; null if no table holds it. */
export type CodeOf = (metric: Metric, board: ChessBoard, slice: string) => Promise<Coded | null>;

export async function lichessAnswer(position: Fen, codeOf: CodeOf): Promise<LichessAnswer> {
  const { board, rooks } = position;
  const { clock } = board.counters!;
  const moves: LichessMove[] = [];
  for (const move of [...chess.moves(board), ...castlingMoves(board, rooks)]) {
    moves.push(await moveAnswer(position, move, codeOf));
  }
  const own = await describe(board, moves.length > 0, clock, clock - 1, rooks.length > 0 ? NO_TABLE : codeOf);
  const ordered = inOrder(moves, board);
  const [best] = ordered;
  return { ...own, category: best === undefined ? own.category : opposite(best.category), moves: ordered };
}

function castlingMoves(board: ChessBoard, rooks: readonly number[]): Move<ChessBoard>[] {
  return castlings(board, rooks).map(({ uci, san, squares }) => {
    const after: ChessBoard = { squares, side: board.side === 0 ? 1 : 0 };
    return { uci, san: san + checkMark(after), board: after };
  });
}

/** No table has positions in which somebody may castle. */
const NO_TABLE: CodeOf = async () => null;

async function moveAnswer(
  { board: before, rooks }: Fen,
  { uci, san, board }: Move<ChessBoard>,
  codeOf: CodeOf,
): Promise<LichessMove> {
  const { clock } = before.counters!;
  const captures = san.includes('x');
  const zeroing = captures || Math.abs(before.squares[squareAt(uci)]) === PAWN;
  const conversion = captures || san.includes('=');
  const hasMoves = chess.terminal(board) === 'open';
  const known =
    rightsAfter(rooks, before.squares, squareAt(uci), squareAt(uci.slice(2))).length > 0 ? NO_TABLE : codeOf;
  const position = await describe(board, hasMoves, zeroing ? 0 : clock + 1, clock, known);
  return { uci, san, zeroing, conversion, ...position };
}

function squareAt(name: string): number {
  return 'abcdefgh'.indexOf(name[0]) + 8 * (Number(name[1]) - 1);
}

/** @param clock plies since the last zeroing move, and `before` the last move. */
async function describe(
  board: ChessBoard,
  hasMoves: boolean,
  clock: number,
  before: number,
  codeOf: CodeOf,
): Promise<LichessPosition> {
  const isMate = !hasMoves && inCheck(board.squares, board.side);
  const isDrawn = !hasMoves && !isMate;
  const insufficient = isInsufficient(board);
  const slice = hasMoves ? sliceOf(board) : null;
  const coded = async (metric: Metric): Promise<Coded | null> => {
    if (!hasMoves) return { code: isMate ? -1 : 0, precise: true };
    return slice === null ? null : codeOf(metric, board, slice);
  };
  const code = async (metric: Metric) => (await coded(metric))?.code ?? null;
  const byZeroing = await coded('dtz');
  const codes = { dtz: byZeroing?.code ?? null, dtm: await code('dtm'), dtm50: await code('dtm50') };
  const byConversion = isMate ? null : await code('dtc');
  const dtz = codes.dtz === null ? null : distanceOf(codes.dtz);
  const precise = byZeroing?.precise ?? false;
  const judged = { clock, before, isMate, isDrawn: isDrawn || insufficient, ...codes, precise };
  return {
    category: await categoryOf(judged, code),
    dtz,
    precise_dtz: precise ? dtz : null,
    dtc: byConversion === null ? null : distanceOf(byConversion),
    dtm: codes.dtm === null || isMate ? null : distanceOf(codes.dtm),
    dtm50: codes.dtm50 === null || isMate ? null : distanceOf(codes.dtm50),
    dtw: null,
    checkmate: isMate,
    stalemate: isDrawn,
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

/** Signed plies; a mated side has lost in one, so that 0 stands for draws alone. */
function distanceOf(code: number): number {
  return code >= -1 ? code : code + 1;
}

interface Judged {
  readonly clock: number;
  readonly before: number;
  readonly isMate: boolean;
  readonly isDrawn: boolean;
  readonly dtz: number | null;
  readonly dtm: number | null;
  readonly dtm50: number | null;
  /** Whether `dtz` is exact; if not, there may be one ply more. */
  readonly precise: boolean;
}

/**
 * Category under the 50-move rule with the plies that have passed already. A mate within the plies that are left is a win even
 * if no table knows the rule. A side that is only known to win at some time gets `maybe-win`.
 */
async function categoryOf(
  { clock, before, isMate, isDrawn, dtz, dtm, dtm50, precise }: Judged,
  codeUnder: (metric: Metric) => Promise<number | null>,
): Promise<Category> {
  if (isDrawn) return 'draw';
  const inTime = before < RULE_PLIES;
  if (isMate) return inTime ? 'loss' : 'blessed-loss';
  const code = dtz ?? dtm ?? (await codeUnder('wdl')) ?? (await codeUnder('dtc')) ?? dtm50;
  if (code === null) return 'unknown';
  if (code === 0) return 'draw';
  // With dtz it is known already.
  if (dtz === null && dtm50 !== null && inTime && dtm50 !== 0) return code > 0 ? 'win' : 'loss';
  if (dtz === null && dtm50 === 0) return code > 0 ? 'cursed-win' : 'blessed-loss';
  const counted = dtz ?? dtm;
  const last = counted === null ? Number.POSITIVE_INFINITY : clock + Math.abs(distanceOf(counted));
  // A ply that files leave out decides nothing where the count begins: those of such endings have all plies.
  const unsure = dtz !== null && !precise && clock > 0 ? 1 : 0;
  if (inTime && last + unsure <= RULE_PLIES) return code > 0 ? 'win' : 'loss';
  if (inTime && (dtz === null || last <= RULE_PLIES)) return code > 0 ? 'maybe-win' : 'maybe-loss';
  return code > 0 ? 'cursed-win' : 'blessed-loss';
}

/** Neither side could mate however the other plays: bare kings, one knight or bishop more, or bishops of one colour of square. */
export function isInsufficient({ squares }: ChessBoard): boolean {
  let knights = 0;
  const bishopsOn = [0, 0];
  for (let square = 0; square < 64; square++) {
    const man = Math.abs(squares[square]);
    if (man === 5) knights++;
    else if (man === 4) bishopsOn[((square >> 3) + square) & 1]++;
    else if (man > 1) return false;
  }
  const bishops = bishopsOn[0] + bishopsOn[1];
  if (knights > 0) return knights + bishops === 1;
  return bishopsOn[0] === 0 || bishopsOn[1] === 0;
}

/** Categories after a move, from the worst for the side to move; an unknown one may be as bad as can be. */
const WORST_FIRST: readonly Category[] = [
  'loss',
  'unknown',
  'syzygy-loss',
  'maybe-loss',
  'blessed-loss',
  'draw',
  'cursed-win',
  'maybe-win',
  'syzygy-win',
  'win',
];

function opposite(category: Category): Category {
  if (category.endsWith('loss'))
    return category === 'blessed-loss' ? 'cursed-win' : (category.replace('loss', 'win') as Category);
  if (category.endsWith('win'))
    return category === 'cursed-win' ? 'blessed-loss' : (category.replace('win', 'loss') as Category);
  return category;
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
    san.includes('x') ? worth(squares[squareAt(uci.slice(2))] || PAWN) : 0;
  return sort([...moves]).by([
    { asc: ({ category }) => WORST_FIRST.indexOf(category) },
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
