/**
 * Which tables answer for a position of chess where some tables are of roots (pipeline/games/chess/root.ts), and what they answer. A position is
 * looked up in the tables of its ending, else in a root that has its exact value, else in a root that has two tables for it; roots that forbid
 * promotions come last. An answer from two tables has both values: the worst and the best case of the player to move. Where a root restricts the
 * moves of one side, its tables have what this side has for sure, and the other case is not known.
 *
 * Problems have roots of their own. Their two cases are that the unknown is never the goal, and that it always is. What the first has are true
 * solutions; where the second has the same plies and the same number, there are no others.
 *
 * Runs in browsers: how tables are opened is up to the caller.
 */
import { sort } from 'fast-sort';
import { UserError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import type { Game } from '../../pipeline/game/game.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { outcomeRank } from '../../pipeline/game/value.js';
import { ALL_PROMOTIONS } from '../../pipeline/games/chess/root.js';
import { type RootGame, rootGame } from '../../pipeline/games/chess/root-game.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { NAMINGS, type Naming, namingFor } from '../../pipeline/games/chess/shape.js';
import { rangeText, type SolvedValue } from '../positions/value.js';
import { capital, verdict } from '../ui/verdict.js';
import type { Answer, Answers } from './solved.js';

/** Where the worst and the best case of the player to move are looked up, which are the same tables for an exact value; null: nowhere. */
export interface Places<Tables> {
  readonly least: Tables | null;
  readonly most: Tables | null;
  /** Of a root. */
  readonly game: RootGame | null;
}

/** The view of a root by each of its bounds. */
type View = readonly [hi: RootGame, lo: RootGame];

export interface RootSource<Tables> {
  /** Chess as its endings are named by the metrics of play. */
  readonly chess: Game;
  /** Names, in the order in which positions are looked up in them (jobs/roots/stored-roots.ts). */
  readonly roots: readonly string[];
  /** The metric that is asked for; undefined: any. */
  readonly metric: Metric | undefined;
  /** Whether a slice is solved under the metric that is asked for, or under any if none is. */
  readonly hasTable: (slice: string) => Promise<boolean>;
  /** Opens the tables of endings. */
  readonly openEndings: () => Tables;
  /** Opens the tables of a root, for the positions of a view. */
  readonly openRoot: (game: RootGame) => Tables;
}

export class RootPlaces<Tables> {
  private readonly rooted = new Map<RootGame, Tables>();
  private readonly views: readonly View[];
  private readonly tabled = newOnce<string, boolean>();
  private endings: Tables | undefined;

  constructor(private readonly source: RootSource<Tables>) {
    this.views = source.roots.map((root) => [rootGame(root, 'hi'), rootGame(root, 'lo')]);
  }

  /** Where the position is looked up: one place for play and one for problems, as far as there are tables and the metric asks for them. */
  async placesOf(board: ChessBoard): Promise<readonly [Places<Tables>, ...Places<Tables>[]]> {
    this.endings ??= this.source.openEndings();
    const ending: Places<Tables> = { least: this.endings, most: this.endings, game: null };
    const found = new Set<Places<Tables>>();
    for (const naming of this.namings()) {
      if (await this.hasEnding(board, naming)) found.add(ending);
      else {
        const solved = await this.solvedViews(board, naming);
        if (solved.length > 0) found.add(this.placesIn(solved, board));
      }
    }
    const [first, ...others] = found;
    if (first !== undefined) return [first, ...others];
    // Where no root is solved so far, the error names what is missing.
    const namings = this.namings();
    const holding = this.views.filter(([hi]) => namings.includes(hi.naming) && hi.holds(board));
    return [holding.length === 0 ? ending : this.placesIn(holding, board)];
  }

  /** Whether a solved root answers for the position, of play or of problems unless one of them is named: a table of its ending would come first. */
  async isFromRoot(board: ChessBoard, asked: readonly Naming[] = NAMINGS): Promise<boolean> {
    for (const naming of this.namings()) {
      if (!asked.includes(naming)) continue;
      const solved = await this.solvedViews(board, naming);
      if (solved.length > 0 && !(await this.hasEnding(board, naming))) return true;
    }
    return false;
  }

  /** What a place answers. @param probe looks the position up in some tables, under the same metrics in all of them. */
  async answersIn(
    { least, most, game }: Places<Tables>,
    board: ChessBoard,
    probe: (tables: Tables) => Promise<Answers>,
  ): Promise<Answers> {
    const answers = await probe((least ?? most)!);
    const others = least === null || most === null || most === least ? null : await probe(most);
    const promotions = game === null || game.promotions === ALL_PROMOTIONS ? undefined : game.promotions;
    const leftOut = game === null ? [] : this.leftOut(game, board);
    const [first, ...more] = answers.map((answer, i) => ({
      ...(others !== null
        ? between(answer, others[i])
        : least === null
          ? withValues(answer, atMost)
          : most === null
            ? withValues(answer, atLeast)
            : answer),
      ...(game !== null && { root: game.root }),
      ...(promotions !== undefined && { promotions }),
      ...(leftOut.length > 0 && { leftOut }),
    }));
    return [first, ...more];
  }

  /**
   * The tables of a place whose best play, or whose solutions, are those of the answer. Throws UserError, with the verdict on the position, if
   * none are sure.
   */
  lineIn({ least, most }: Places<Tables>, board: ChessBoard, answer: Answer): Tables {
    if (least !== null && least === most) return least;
    const fail = (what: string): never => {
      throw new UserError(`${what}: ${rootVerdict(this.source.chess, board, answer)}`);
    };
    if (stipulations[answer.metric].numbers) {
      if (answer.plies !== null || answer.most === undefined) return least!;
      return fail('no solution is sure');
    }
    if (most !== null && (answer.most ?? answer).wdl === 'loss') return most;
    if (least !== null && (answer.wdl === 'win' || answer.most === undefined)) return least;
    return fail('there is no best play');
  }

  /** The moves that a root forbids. */
  private leftOut(game: RootGame, board: ChessBoard): string[] {
    const all = this.source.chess.moves(board);
    return all.filter(({ uci }) => game.isForbidden(board, uci)).map(({ san }) => san);
  }

  /** Those of the metric that is asked for; all, if none is. */
  private namings(): readonly Naming[] {
    const { metric } = this.source;
    return metric === undefined ? NAMINGS : [namingFor(metric)];
  }

  /** @param views of roots that have the position, in the order in which they are asked; some. */
  private placesIn(views: readonly View[], board: ChessBoard): Places<Tables> {
    // Roots that restrict moves come last, and then those that forbid promotions, since their values are those of another game.
    const [[{ promotions, restricted }]] = views;
    const alike = views.filter(([one]) => one.promotions === promotions && one.restricted === restricted);
    const [hi, lo] = alike.find(([one]) => !one.isBounded(board)) ?? alike[0];
    if (restricted !== null) {
      const sure = this.seenFrom(restricted === 0 ? lo : hi);
      const [least, most] = board.side === restricted ? [sure, null] : [null, sure];
      return { least, most, game: hi };
    }
    if (!hi.isBounded(board)) {
      const exact = this.seenFrom(hi);
      return { least: exact, most: exact, game: hi };
    }
    const [least, most] = hi.naming === 'sided' || board.side === 0 ? [lo, hi] : [hi, lo];
    return { least: this.seenFrom(least), most: this.seenFrom(most), game: hi };
  }

  private seenFrom(game: RootGame): Tables {
    let found = this.rooted.get(game);
    if (found === undefined) this.rooted.set(game, (found = this.source.openRoot(game)));
    return found;
  }

  /** The roots of a naming that have the position, and a table for it. */
  private async solvedViews(board: ChessBoard, naming: Naming): Promise<View[]> {
    const solved: View[] = [];
    for (const view of this.views)
      if (
        view[0].naming === naming &&
        view[0].holds(board) &&
        (await this.hasTable(view[0].locate(board).slice))
      )
        solved.push(view);
    return solved;
  }

  /** Whether there is a table of the position's ending. */
  private async hasEnding(board: ChessBoard, naming: Naming): Promise<boolean> {
    const { chess } = this.source;
    const game = naming === 'sided' ? chess.sided! : chess;
    try {
      return await this.hasTable(game.locate(board).slice);
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  private hasTable(slice: string): Promise<boolean> {
    return this.tabled(slice, () => this.source.hasTable(slice));
  }
}

/** "White to move: win in 39 to 45 plies, if pawns become Q only" */
export function rootVerdict(game: Game, board: unknown, answer: Answer): string {
  const { metric, most, promotions } = answer;
  const mover = game.mover(board);
  const words =
    most === undefined
      ? verdict(answer, metric, mover, game, game.clock?.(board))
      : `${capital(mover)} to move: ${rangeText(answer, metric)}`;
  return promotions === undefined ? words : `${words}, if pawns become ${[...promotions].join(', ')} only`;
}

/** An answer with other values, of the position and of its moves. */
function withValues(answer: Answer, valued: <T extends SolvedValue>(value: T) => T): Answer {
  return { ...valued(answer), moves: answer.moves.map(valued) };
}

/** The value is a lower bound: the player has it for sure, and may have more. */
function atLeast<T extends SolvedValue>(value: T): T {
  return { ...value, most: { wdl: 'win', plies: null } };
}

/** The value is an upper bound: the player has no more, and may have less. */
function atMost<T extends SolvedValue>({ wdl, plies, ...value }: T): T {
  return { ...value, wdl: 'loss', plies: null, most: { wdl, plies } } as unknown as T;
}

/** An answer by the worst case, with what the best case makes of it. */
function between(least: Answer, most: Answer): Answer {
  const of = new Map(most.moves.map((move) => [move.name, move]));
  const moves = least.moves.map((move) => ranged(move, of.get(move.name)!));
  if (stipulations[least.metric].numbers) {
    const { setPlay, ...value } = least;
    const isKnown = setPlay?.plies === most.setPlay?.plies && setPlay?.number === most.setPlay?.number;
    return { ...ranged(value, most), moves, ...(isKnown && { setPlay }) };
  }
  // They are in order by the worst case. Of those with the same outcome in it, the better ones in the best case come first.
  const inOrder = sort(moves).by([
    { desc: outcomeRank },
    { desc: ({ most, wdl }) => outcomeRank(most ?? { wdl }) },
  ]);
  return { ...ranged(least, most), moves: inOrder };
}

function ranged<T extends SolvedValue>(least: T, { wdl, plies, number }: SolvedValue): T {
  const isExact = least.wdl === wdl && least.plies === plies && least.number === number;
  return isExact ? least : { ...least, most: { wdl, plies } };
}
