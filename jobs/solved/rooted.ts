/**
 * Positions of chess in a store that has tables of roots (pipeline/games/chess/root.ts). A position is looked up in the tables of its ending,
 * else in a root that has its exact value, else in a root that has two tables for it; roots that forbid promotions come last. An answer from
 * two tables has both values: the worst and the best case of the player to move. Where a root restricts the moves of one side, its tables
 * have what this side has for sure, and the other case is not known.
 *
 * Problems have roots of their own. Their two cases are that the unknown is never the goal, and that it always is. What the first has are true
 * solutions; where the second has the same plies and the same number, there are no others.
 */
import { sort } from 'fast-sort';
import { UserError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { outcomeRank } from '../../pipeline/game/value.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { ALL_PROMOTIONS } from '../../pipeline/games/chess/root.js';
import { type RootGame, rootGame } from '../../pipeline/games/chess/root-game.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { NAMINGS, type Naming, namingFor } from '../../pipeline/games/chess/shape.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { metricOf } from '../cli/options.js';
import { rangeText, type SolvedValue } from '../positions/value.js';
import { capital } from '../ui/verdict.js';
import { type Position, SolvedEndings } from './ending.js';
import { type LookupFlags, openLookup, type TableSource } from './open-prober.js';
import type { ProblemTables } from './problem-tables.js';
import type { Answer, Answers, Solved, SolvedLine } from './solved.js';

/** Where the worst and the best case of the player to move are looked up, which are the same tables for an exact value; null: nowhere. */
interface Places {
  readonly least: SolvedEndings | null;
  readonly most: SolvedEndings | null;
  /** Of a root. */
  readonly game: RootGame | null;
}

/** The view of a root by each of its bounds. */
type View = readonly [hi: RootGame, lo: RootGame];

export class RootedEndings extends SolvedEndings implements Solved<Position> {
  private readonly rooted = new Map<RootGame, SolvedEndings>();
  private readonly views: readonly View[];

  constructor(
    private readonly all: Game,
    private readonly named: string,
    private readonly asked: LookupFlags,
    private readonly tables: TableSource,
    roots: readonly string[],
  ) {
    super({ ...all, parse: parseManyMen } as unknown as Game, named, () => openLookup(all, asked, tables));
    this.views = roots.map((root) => [rootGame(root, 'hi'), rootGame(root, 'lo')]);
  }

  override async probe(position: Position): Promise<Answers> {
    const found: Answer[] = [];
    for (const places of await this.placesOf(position)) found.push(...(await this.probeIn(position, places)));
    return found as unknown as Answers;
  }

  private async probeIn(position: Position, { least, most, game }: Places): Promise<Answers> {
    const answers = await (least ?? most)!.probe(position);
    const others = least === null || most === null || most === least ? null : await most.probe(position);
    const promotions = game === null || game.promotions === ALL_PROMOTIONS ? undefined : game.promotions;
    const leftOut = game === null ? [] : this.leftOut(game, position.board as ChessBoard);
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

  /** Best play in the tables of a root. The value of the first position may be a bound, or hold where pawns become some pieces only. */
  override async line(position: Position, limit?: number): Promise<SolvedLine> {
    const [{ least, most, game }] = await this.placesOf(position);
    const root = game !== null && { root: game.root };
    if (least === most && (game === null || game.promotions === ALL_PROMOTIONS)) {
      const { json, text } = await least!.line(position, limit);
      return { json: { ...json, ...root }, text };
    }
    const [answer] = await this.probeIn(position, { least, most, game });
    const from = least === most ? least! : this.lineFrom(position, answer, least, most);
    const { json, text } = await from.line(position, limit);
    const { promotions } = answer;
    const known = answer.most === undefined ? undefined : rangeText(answer, answer.metric);
    if (known === undefined && promotions === undefined) return { json: { ...json, ...root }, text };
    return {
      json: {
        ...json,
        ...root,
        ...(known !== undefined && { known }),
        ...(promotions !== undefined && { promotions }),
      },
      text: `${text}\n${this.verdict(position, answer)}\n`,
    };
  }

  /** The tables whose best play, or whose solutions, are those of the answer. Throws UserError if none are sure. */
  private lineFrom(
    position: Position,
    answer: Answer,
    least: SolvedEndings | null,
    most: SolvedEndings | null,
  ): SolvedEndings {
    if (stipulations[answer.metric].numbers) {
      if (answer.plies !== null || answer.most === undefined) return least!;
      throw new UserError(`no solution is sure: ${this.verdict(position, answer)}`);
    }
    if (most !== null && (answer.most ?? answer).wdl === 'loss') return most;
    if (least !== null && (answer.wdl === 'win' || answer.most === undefined)) return least;
    throw new UserError(`there is no best play: ${this.verdict(position, answer)}`);
  }

  /** The moves that a root forbids. */
  private leftOut(game: RootGame, board: ChessBoard): string[] {
    const all = this.all.moves(board);
    return all.filter(({ uci }) => game.isForbidden(board, uci)).map(({ san }) => san);
  }

  override verdict(position: Position, answer: Answer): string {
    const mover = capital(this.all.mover(position.board));
    const words =
      answer.most === undefined
        ? super.verdict(position, answer)
        : `${mover} to move: ${rangeText(answer, answer.metric)}`;
    return answer.promotions === undefined
      ? words
      : `${words}, if pawns become ${[...answer.promotions].join(', ')} only`;
  }

  override distance(value: SolvedValue, metric: Metric): string {
    return value.most === undefined ? super.distance(value, metric) : '';
  }

  /** Where the position is looked up: one place for play and one for problems, as far as there are tables and the metric asks for them. */
  private async placesOf({ board }: Position): Promise<readonly [Places, ...Places[]]> {
    const chessBoard = board as ChessBoard;
    const ending: Places = { least: this.ofEnding(), most: this.ofEnding(), game: null };
    const found = new Set<Places>();
    for (const naming of this.namings()) {
      if (await this.hasEnding(board, naming)) found.add(ending);
      else {
        const solved = await this.solvedViews(chessBoard, naming);
        if (solved.length > 0) found.add(this.placesIn(solved, chessBoard));
      }
    }
    const [first, ...others] = found;
    if (first !== undefined) return [first, ...others];
    // Where no root is solved so far, the error names what is missing.
    const namings = this.namings();
    const holding = this.views.filter(([hi]) => namings.includes(hi.naming) && hi.holds(chessBoard));
    return [holding.length === 0 ? ending : this.placesIn(holding, chessBoard)];
  }

  /** Those of the metric that is asked for; all, if none is. */
  private namings(): readonly Naming[] {
    const { metric } = this.asked;
    return metric === undefined ? NAMINGS : [namingFor(metricOf(this.all, metric))];
  }

  /** @param views of roots that have the position, in the order in which they are asked; some. */
  private placesIn(views: readonly View[], board: ChessBoard): Places {
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

  /** Whether a solved root answers for the position, of play or of problems unless one of them is named: a table of its ending would come first. */
  async isFromRoot({ board }: Position, asked: readonly Naming[] = NAMINGS): Promise<boolean> {
    for (const naming of this.namings()) {
      if (!asked.includes(naming)) continue;
      const solved = await this.solvedViews(board as ChessBoard, naming);
      if (solved.length > 0 && !(await this.hasEnding(board, naming))) return true;
    }
    return false;
  }

  /**
   * The tables of a root that answer for a problem, under the metric that is asked for; null if no root has the position, or the table of its ending
   * does. Throws UserError where only other games than chess have tables.
   */
  async problemTables(fen: string): Promise<ProblemTables | null> {
    const metric = metricOf(this.all, this.asked.metric);
    const position = this.parse(fen);
    if (!(await this.isFromRoot(position, [namingFor(metric)]))) return null;
    const [{ least, most, game }] = await this.placesOf(position);
    const isBounded = least !== most && !stipulations[metric].numbers;
    if (least === null || most === null || isBounded || game?.promotions !== ALL_PROMOTIONS)
      throw new UserError(
        `the tables of a root that has ${fen} are of fewer moves, or bounds, which judge no problem`,
      );
    const { store, cache } = this.tables;
    const tablesOf = ({ game }: SolvedEndings) => {
      const named = namedFor(game, metric);
      return { game: named, prober: newProber({ game: named, metric, store, cache }) };
    };
    return { ...tablesOf(least), ...(most !== least && { most: tablesOf(most).prober }) };
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
  private async hasEnding(board: unknown, naming: Naming): Promise<boolean> {
    const game = naming === 'sided' ? this.all.sided! : this.all;
    try {
      return await this.hasTable(game.locate(board).slice);
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  /** Whether a slice is solved under the metric that is asked for, or under any if none is. */
  private hasTable(slice: string): Promise<boolean> {
    return this.tabled(slice, () => this.findTable(slice));
  }
  private readonly tabled = newOnce<string, boolean>();

  private async findTable(slice: string): Promise<boolean> {
    const { metric } = this.asked;
    for (const each of metric === undefined ? this.all.metrics : [metricOf(this.all, metric)])
      if ((await this.tables.store.size(tableManifestName(this.all.name, each, slice))) !== null) return true;
    return false;
  }

  private ofEnding(): SolvedEndings {
    return (this.ending ??= this.solvedOf(this.all));
  }
  private ending: SolvedEndings | undefined;

  private solvedOf(game: Game): SolvedEndings {
    return new SolvedEndings(game, this.named, () => openLookup(game, this.asked, this.tables));
  }

  private seenFrom(game: RootGame): SolvedEndings {
    let found = this.rooted.get(game);
    if (found === undefined) {
      found = this.solvedOf(game as unknown as Game);
      this.rooted.set(game, found);
    }
    return found;
  }
}

/** An answer with other values, of the position and of its moves. */
function withValues(answer: Answer, valued: <T extends SolvedValue>(value: T) => T): Answer {
  return { ...valued(answer), moves: answer.moves.map(valued) };
}

/** The value is what the player has for sure. */
function atLeast<T extends SolvedValue>(value: T): T {
  return { ...value, most: { wdl: 'win', plies: null } };
}

/** The value is the best that the player can have. */
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
