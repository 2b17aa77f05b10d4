/**
 * The solutions of a problem, from a table of its stipulation. A side that seeks the goal or helps plays any of the moves that reach it soonest,
 * a side that avoids it any move at all. A position is looked up once, however many lines lead through it.
 */
import { newOnce } from '../../../operators/core/once.js';
import type { Game } from '../../game/game.js';
import { roleOf } from '../../game/labelling.js';
import type { Probed, ProbedMove, Prober } from './probed.js';

/** Positions that are remembered. */
const REMEMBERED = { most: 1 << 16 };

export class Solutions<Board> {
  private readonly known = newOnce<string, readonly ProbedMove<Board>[]>(REMEMBERED);
  private readonly lasts = newOnce<string, ReadonlySet<string>>(REMEMBERED);

  /** @param game the one whose slice names the tables have (named-for.ts). */
  constructor(
    private readonly game: Game<Board>,
    private readonly prober: Prober<Board>,
  ) {}

  /** The moves with which a solution may continue: none if this is the goal, or if the goal cannot be reached. */
  moves(board: Board): Promise<readonly ProbedMove<Board>[]> {
    return this.known(this.keyOf(board), async () => this.movesOf(board, await this.prober.probe(board)));
  }

  /** The lines to the goal, best moves first in each position. There may be a great many: callers should stop once they have enough. */
  async *lines(
    board: Board,
    before: readonly ProbedMove<Board>[] = [],
  ): AsyncGenerator<readonly ProbedMove<Board>[]> {
    const moves = await this.moves(board);
    if (moves.length === 0 && before.length > 0) yield before;
    for (const move of moves) yield* this.lines(move.board, [...before, move]);
  }

  /** How many different moves solutions begin with. */
  async starts(board: Board): Promise<number> {
    return (await this.moves(board)).length;
  }

  /**
   * How many different moves solutions end with: the same man from one square to another is one move. Without `most` all solutions are looked
   * at, which may be those of most positions of the ending. @param most more than so many are counted as one more.
   */
  async ends(board: Board, most = Number.POSITIVE_INFINITY): Promise<number> {
    return (await this.lastMoves(board, most)).size;
  }

  /** Without the counters of moves, which change no solution. */
  private keyOf(board: Board): string {
    return this.game.format(board).split(' ', 4).join(' ');
  }

  private movesOf(board: Board, { code, moves }: Probed<Board>): readonly ProbedMove<Board>[] {
    if (code === 0) return [];
    const avoids = roleOf(this.prober.metric, this.game.locate(board).side) === 'avoid';
    return avoids ? moves : moves.filter((move) => move.code === code);
  }

  /** With more than `most`, some of them. */
  private lastMoves(board: Board, most: number): Promise<ReadonlySet<string>> {
    return this.lasts(`${most} ${this.keyOf(board)}`, async () => {
      const all = new Set<string>();
      for (const { uci, board: after } of await this.moves(board)) {
        const behind = await this.lastMoves(after, most);
        if (behind.size === 0) all.add(uci);
        for (const last of behind) all.add(last);
        if (all.size > most) break;
      }
      return all;
    });
  }
}
