/**
 * Random positions of checkers in solved tables, held against rules that share no line with the product. Every value
 * must be the best that its moves give. A search without tables must find each win and loss of few plies, and no
 * other.
 */
import { storeToRead } from '../../jobs/stores.js';
import { assert } from '../../operators/core/errors.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { searchNaively } from '../oracle/checkers/deep.js';
import { formatFen } from '../oracle/checkers/fen.js';
import {
  BLACK_KING,
  BLACK_MAN,
  isCrowning,
  moves,
  type Position,
  WHITE_KING,
  WHITE_MAN,
} from '../oracle/checkers/rules.js';
import { randomFrom } from '../support/graph-game.js';

export interface NaiveRow {
  readonly positions: number;
  /** Values that the moves of the position bear out. */
  readonly byMoves: number;
  /** Won, lost, or neither within the depth, as the search without tables says. */
  readonly won: number;
  readonly lost: number;
  readonly neither: number;
  /** FENs. */
  readonly wrong: readonly string[];
}

const PIECES = [BLACK_MAN, BLACK_KING, WHITE_MAN, WHITE_KING];

/** @param depth of the search without tables, in plies. */
export async function benchNaive(
  uri: string,
  { pieces, positions, depth, seed }: Record<'pieces' | 'positions' | 'depth' | 'seed', number>,
): Promise<NaiveRow> {
  const below = randomFrom(seed);
  const prober = newProber({ game: checkers, store: storeToRead(uri) });
  /** The table's value: won in n plies n, lost in n plies -n - 1, drawn 0. */
  const codeOf = (position: Position) => prober.code(checkers.parse(formatFen(position)));
  let byMoves = 0;
  const counts = { won: 0, lost: 0, neither: 0 };
  const wrong: string[] = [];
  for (let i = 0; i < positions; i++) {
    const position = randomPosition(pieces, below);
    const value = await codeOf(position);
    const isBest = value === bestOf(await Promise.all(moves(position).map(({ after }) => codeOf(after))));
    byMoves += isBest ? 1 : 0;
    const found = searchNaively(position, depth);
    counts[found === null ? 'neither' : found.won ? 'won' : 'lost']++;
    const plies = value > 0 ? value : -value - 1;
    const expected = value === 0 || plies > depth ? null : { won: value > 0, plies };
    const isFound = found?.won === expected?.won && found?.plies === expected?.plies;
    if (!isBest || !isFound) wrong.push(formatFen(position));
  }
  return { positions, byMoves, ...counts, wrong };
}

/** The value of a position whose moves lead to positions of these values. */
function bestOf(after: readonly number[]): number {
  const lost = after.filter((value) => value < 0);
  if (lost.length > 0) return Math.min(...lost.map((value) => -value));
  // Without moves all is over at once.
  return after.includes(0) ? 0 : -Math.max(-1, ...after) - 2;
}

/** Both sides have a piece; any squares, kinds and side to move are as likely as any. */
function randomPosition(pieces: number, below: (n: number) => number): Position {
  assert(pieces >= 2, 'each side has a piece');
  for (;;) {
    const squares = new Int8Array(33);
    for (let left = pieces; left > 0; ) {
      const square = 1 + below(32);
      const piece = PIECES[below(4)];
      if (squares[square] !== 0 || isCrowning(piece, square)) continue;
      squares[square] = piece;
      left--;
    }
    const both = squares.some((piece) => piece > 0) && squares.some((piece) => piece < 0);
    if (both) return { side: below(2) === 0 ? 'black' : 'white', squares };
  }
}
