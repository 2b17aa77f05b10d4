/**
 * Chess positions answered as the public Lichess tablebase API does (lichess-shapes.ts). A position is looked up under every
 * metric that has a table of it, and so is each position a move leads to: what no table holds is `unknown`, not an error.
 */
import { sort } from 'fast-sort';
import type { Move } from '../../pipeline/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { type ChessBoard, inCheck, PAWN } from '../../pipeline/games/chess/rules.js';
import { mainLine } from '../../pipeline/probe/main-line.js';
import type { Prober } from '../../pipeline/probe/prober.js';
import { type Metric, RULE_PLIES } from '../../pipeline/value.js';
import type { ClockedBoard } from './lichess-fen.js';
import type {
  Category,
  LichessAnswer,
  LichessMainLine,
  LichessMove,
  LichessPosition,
} from './lichess-shapes.js';

/** The code of a board under a metric; null if no table holds it. */
export type CodeOf = (metric: Metric, board: ChessBoard) => Promise<number | null>;

export async function lichessAnswer({ board, clock }: ClockedBoard, codeOf: CodeOf): Promise<LichessAnswer> {
  const moves: LichessMove[] = [];
  for (const move of chess.moves(board)) moves.push(await moveAnswer(board, move, clock, codeOf));
  const own = await describe(board, moves.length > 0, clock, clock - 1, codeOf);
  const ordered = inOrder(moves);
  const [best] = ordered;
  return { ...own, category: best === undefined ? own.category : opposite(best.category), moves: ordered };
}

async function moveAnswer(
  before: ChessBoard,
  { uci, san, board }: Move<ChessBoard>,
  clock: number,
  codeOf: CodeOf,
): Promise<LichessMove> {
  const captures = san.includes('x');
  const zeroing = captures || Math.abs(before.squares[squareAt(uci)]!) === PAWN;
  const conversion = captures || san.includes('=');
  const hasMoves = chess.terminal(board) === 'open';
  const position = await describe(board, hasMoves, zeroing ? 0 : clock + 1, clock, codeOf);
  return { uci, san, zeroing, conversion, ...position };
}

function squareAt(uci: string): number {
  return 'abcdefgh'.indexOf(uci[0]!) + 8 * (Number(uci[1]) - 1);
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
  const codes = { dtz: await codeOf('dtz', board), dtm: await codeOf('dtm', board) };
  const dtz = codes.dtz === null ? null : distanceOf(codes.dtz);
  const asked = { board, clock, before, isMate, isDrawn: isDrawn || insufficient, ...codes };
  return {
    category: await categoryOf(asked, codeOf),
    dtz,
    precise_dtz: dtz,
    dtc: null,
    dtm: codes.dtm === null || isMate ? null : distanceOf(codes.dtm),
    dtw: null,
    checkmate: isMate,
    stalemate: isDrawn,
    variant_win: false,
    variant_loss: false,
    insufficient_material: insufficient,
  };
}

/** Signed plies; who is mated has lost in one, so that 0 stands for draws alone. */
function distanceOf(code: number): number {
  return code >= -1 ? code : code + 1;
}

interface Judged {
  readonly board: ChessBoard;
  readonly clock: number;
  readonly before: number;
  readonly isMate: boolean;
  readonly isDrawn: boolean;
  readonly dtz: number | null;
  readonly dtm: number | null;
}

/**
 * Under the 50-move rule with the plies that have passed already. A mate within the plies that are left is a win even if
 * no table tells of the rule; who is only known to win, sometime, may.
 */
async function categoryOf(
  { board, clock, before, isMate, isDrawn, dtz, dtm }: Judged,
  codeOf: CodeOf,
): Promise<Category> {
  if (isDrawn) return 'draw';
  const inTime = before < RULE_PLIES;
  if (isMate) return inTime ? 'loss' : 'blessed-loss';
  const code = dtz ?? dtm ?? (await codeOf('wdl', board)) ?? (await codeOf('dtc', board));
  if (code === null) return 'unknown';
  if (code === 0) return 'draw';
  const counted = dtz ?? dtm;
  const isSure = counted !== null && clock + Math.abs(distanceOf(counted)) <= RULE_PLIES;
  if (inTime && isSure) return code > 0 ? 'win' : 'loss';
  if (inTime && dtz === null) return code > 0 ? 'maybe-win' : 'maybe-loss';
  return code > 0 ? 'cursed-win' : 'blessed-loss';
}

/** Neither side could mate however the other plays: bare kings, one knight or bishop more, or bishops of one colour of square. */
export function isInsufficient({ squares }: ChessBoard): boolean {
  let knights = 0;
  const bishopsOn = [0, 0];
  for (let square = 0; square < 64; square++) {
    const man = Math.abs(squares[square]!);
    if (man === 5) knights++;
    else if (man === 4) bishopsOn[((square >> 3) + square) & 1]!++;
    else if (man > 1) return false;
  }
  const bishops = bishopsOn[0]! + bishopsOn[1]!;
  if (knights > 0) return knights + bishops === 1;
  return bishopsOn[0] === 0 || bishopsOn[1] === 0;
}

/** What is worst for who is to move after it comes first; what is unknown may be as bad as can be. */
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

/**
 * As the API orders them: by category; mates, then other ends of the game; what is nearest to mate if that is for who moved,
 * else what is farthest; zeroing moves first where that is good, last where it is bad; then by dtz.
 */
function inOrder(moves: readonly LichessMove[]): LichessMove[] {
  const isBad = ({ category }: LichessMove) => category.endsWith('win');
  return sort([...moves]).by([
    { asc: ({ category }) => WORST_FIRST.indexOf(category) },
    { desc: ({ checkmate }) => checkmate },
    { desc: ({ stalemate, insufficient_material }) => stalemate || insufficient_material },
    { desc: ({ dtm }) => dtm ?? Number.NEGATIVE_INFINITY },
    { desc: (move) => move.zeroing !== isBad(move) },
    { desc: ({ dtz }) => dtz ?? Number.NEGATIVE_INFINITY },
    { asc: ({ uci }) => uci },
  ]);
}

/** Throws what `prober` throws. Under `dtz` only. */
export async function lichessMainLine(
  { board, clock }: ClockedBoard,
  prober: Prober<ChessBoard>,
): Promise<LichessMainLine> {
  const { start, steps } = await mainLine(chess, prober, board);
  const played: LichessMainLine['mainline'] = [];
  let quiet = clock;
  let last = board;
  for (const step of steps) {
    // Whoever loses claims the draw.
    if (quiet >= RULE_PLIES) break;
    const dtz = distanceOf(await prober.code(step.board));
    played.push({ uci: step.uci, san: step.san, dtz, precise_dtz: dtz });
    quiet = step.restarts ? 0 : quiet + 1;
    last = step.board;
  }
  const dtz = distanceOf(start.code);
  const winner = chess.terminal(last) === 'lost' ? (chess.mover(last) === 'white' ? 'b' : 'w') : null;
  return { dtz, precise_dtz: dtz, mainline: played, winner };
}
