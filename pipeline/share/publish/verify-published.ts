/**
 * Verifies published files, not the tables they were made from (Schaeffer et al. 2003, section 2, phase 5). Every value that
 * a file stores must be the best that the moves of the position give. The moves lead to published values, too, of this slice
 * and its dependencies. Values that are left out are derived from stored ones, so they need no check of their own. Of problems, the
 * number must be the sum over the best moves, or how many they are, and both columns are verified together.
 */
import { newCensus, readStatus } from '../../game/fill-census.js';
import { type Game, type Side, type Slice, Status } from '../../game/game.js';
import { isGoal, labellingOf, MOST_NUMBER, numberAtEnd } from '../../game/labelling.js';
import type { ProgressListener } from '../../game/progress.js';
import { rankingOf } from '../../game/ranking.js';
import { eachRepeat } from '../../game/repeats.js';
import { backUp } from '../../game/value.js';
import { addMismatch, type WrongValues } from '../../game/wrong-values.js';
import { DRAW } from '../../tables/codec/symbols.js';
import type { PublishedProber } from '../../tables/probe/published-prober.js';
import type { AnyPublishedProber, PublishedProblems } from '../../tables/probe/published-problems.js';
import type { Outcome } from '../../tables/probe/search.js';
import { columnsOf } from '../../tables/published/columns.js';
import { valuesByIndex } from '../../tables/published/ordered-symbols.js';
import type { Publication } from '../../tables/published/publication.js';

/** A value that its moves contradict. */
export interface PublishedMismatch {
  readonly slice: string;
  readonly side: Side;
  readonly fen: string;
  /** Codes of pipeline/game/value.ts; null where only numbers were compared. */
  readonly stored: number | null;
  readonly derived: number | null;
  /** Under metrics that have them. */
  readonly numbers?: { readonly stored: number; readonly derived: number };
}

/** A published file that was verified. */
export interface VerifiedFile extends WrongValues<PublishedMismatch> {
  /** Stored values that were compared with their moves. */
  positions: number;
}

export function newVerifiedFile(): VerifiedFile {
  return { positions: 0, wrong: 0, mismatches: [] };
}

/** Positions looked at together. */
const ROWS = 1 << 12;

/**
 * @param game as `openPublication` takes it.
 * @throws what probing throws: UserError for slices that are not published, StorageError for damage.
 */
export async function verifyPublished<Board>(
  game: Game<Board>,
  publication: Publication,
  prober: AnyPublishedProber<Board>,
  slice: string,
  side: Side,
  progress: ProgressListener,
): Promise<VerifiedFile> {
  const file = await publication.file(slice, side, columnsOf(publication.metric)[0]);
  const kernels = game.slice(slice);
  const { width } = kernels;
  const result = newVerifiedFile();

  async function check(part: number, key: number, symbol: number): Promise<void> {
    const board = game.board({ slice, side, part, key });
    result.positions++;
    const [stored, derived] =
      'valueAtHand' in prober
        ? [{ code: symbol - DRAW }, { code: await best(game, prober, board) }]
        : [await prober.value(board), await bestSolutions(game, prober, board)];
    if (derived.code === stored.code && numberOf(derived) === numberOf(stored)) return;
    const numbers = { stored: numberOf(stored), derived: numberOf(derived) };
    addMismatch(result, () => ({
      slice,
      side,
      fen: game.format(board),
      stored: stored.code,
      derived: derived.code,
      ...('number' in stored && { numbers }),
    }));
  }

  progress({ type: 'phase', slice, phase: 'verify', total: file.positions });
  const stands = newStands(kernels, side);
  for await (const { first, length, symbols } of valuesByIndex(file, kernels, side)) {
    for (let from = 0; from < length; ) {
      const part = Math.floor((first + from) / width);
      const key = first + from - part * width;
      const to = Math.min(length, from + Math.min(ROWS, kernels.partSize(part) - key));
      const marks = stands(part, key, to - from);
      for (let i = from; i < to; i++) {
        if (marks[i - from] !== 0) await check(part, key + i - from, symbols[i]);
      }
      progress({ type: 'work', slice, done: to - from });
      from = to;
    }
  }
  return result;
}

/** Marks the positions that a file stores with 1, the others with 0: legal ones that are not don't-cares and repeat no other. */
function newStands(slice: Slice, side: Side) {
  const census = newCensus(ROWS);
  const marks = new Uint8Array(ROWS);
  return (part: number, first: number, length: number): Uint8Array => {
    if (slice.dontCares === undefined) {
      slice.census(side, part, first, length, census);
      readStatus(census, first, length, marks);
      for (let i = 0; i < length; i++) marks[i] = marks[i] === Status.broken ? 0 : 1;
      eachRepeat(slice, part, first, length, (place) => {
        marks[place] = 0;
      });
    } else {
      slice.dontCares(side, part, first, length, marks);
      for (let i = 0; i < length; i++) marks[i] ^= 1;
    }
    return marks;
  };
}

interface Solved {
  readonly code: number;
  readonly number?: number | null;
}

const numberOf = ({ number }: Solved): number => number ?? 0;

/** The code that the moves of a problem give it, and its number: the sum over the best moves, or how many they are. */
async function bestSolutions<Board>(
  game: Game<Board>,
  prober: PublishedProblems<Board>,
  board: Board,
): Promise<Required<Solved>> {
  const { metric } = prober;
  const { rankOf } = rankingOf(metric);
  const isSum = labellingOf(metric).numbering === 'solutions';
  const moves = game.moves(board);
  if (moves.length === 0) {
    const isReached = isGoal(metric, game.locate(board).side, game.terminal(board) === 'lost');
    return { code: isReached ? -1 : 0, number: numberAtEnd(metric, isReached) };
  }
  let code = 0;
  let number = -1;
  for (const { board: after } of moves) {
    const value = await prober.value(after);
    const backed = backUp(value.code, metric, false);
    const counted = isSum ? numberOf(value) : 1;
    if (number < 0 || rankOf(backed) > rankOf(code)) {
      code = backed;
      number = counted;
    } else if (backed === code) number += counted;
  }
  return { code, number: code === 0 ? 0 : Math.min(MOST_NUMBER, number) };
}

/** The best value of the moves of a board, or that of `terminal` if it has none. */
async function best<Board>(
  game: Game<Board>,
  prober: PublishedProber<Board>,
  board: Board,
): Promise<Outcome> {
  const next =
    game.search === undefined ? game.moves(board).map((move) => move.board) : game.search.successors(board);
  if (next.length === 0) return game.terminal(board) === 'drawn' ? 0 : -1;
  let found: Outcome = -1;
  for (const after of next) {
    const value = -(prober.valueAtHand(after) ?? (await prober.value(after))) as Outcome;
    if (value > found) found = value;
  }
  return found;
}
