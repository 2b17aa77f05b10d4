/**
 * Positions of chess in a store that has tables of roots (pipeline/games/chess/root.ts). A position is looked up in the tables of its ending,
 * else in a root that has its exact value, else in a root that has two tables for it; roots that forbid promotions come last. An answer from
 * two tables has both values: the worst and the best case of the player to move.
 */
import { sort } from 'fast-sort';
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { ALL_PROMOTIONS } from '../../pipeline/games/chess/root.js';
import { type RootGame, rootGame } from '../../pipeline/games/chess/root-game.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { metricOf } from '../cli/options.js';
import { outcomeRank, rangeWords } from '../ui/range.js';
import { capital } from '../ui/verdict.js';
import { type Position, SolvedEndings } from './ending.js';
import type { LookupFlags, TableSource } from './open-prober.js';
import type { Answer, Answers, Solved, SolvedLine, SolvedValue } from './solved.js';

/** Where a position is looked up: in one set of tables, or in two, the worst and the best case of the player to move. */
type Places = readonly [SolvedEndings] | readonly [least: SolvedEndings, most: SolvedEndings];

export class RootedEndings extends SolvedEndings implements Solved<Position> {
  private readonly rooted = new Map<RootGame, SolvedEndings>();
  /** By view of a root that forbids promotions, those that it allows. */
  private readonly restricted = new Map<SolvedEndings, string>();
  private readonly views: readonly (readonly [hi: RootGame, lo: RootGame])[];

  constructor(
    private readonly all: Game,
    private readonly named: string,
    private readonly asked: LookupFlags,
    private readonly tables: TableSource,
    roots: readonly string[],
  ) {
    super({ ...all, parse: parseManyMen } as unknown as Game, named, asked, tables);
    this.views = roots.map((root) => [rootGame(root, 'hi'), rootGame(root, 'lo')]);
  }

  override async probe(position: Position): Promise<Answers> {
    const [least, most] = await this.placesOf(position);
    const answers = await least.probe(position);
    const others = (await most?.probe(position)) ?? null;
    const promotions = this.restricted.get(least);
    const [first, ...more] = answers.map((answer, i) => ({
      ...(others === null ? answer : between(answer, others[i])),
      ...(promotions !== undefined && { promotions }),
    }));
    return [first, ...more];
  }

  override async line(position: Position, limit?: number): Promise<SolvedLine> {
    const [least, most] = await this.placesOf(position);
    if (most === undefined) return least.line(position, limit);
    const [answer] = await this.probe(position);
    if (answer.wdl === 'loss' && answer.most === undefined) return most.line(position);
    if (answer.wdl === 'win' || answer.most === undefined) return least.line(position);
    throw new UserError(`there is no best play: ${this.verdict(position, answer)}`);
  }

  override verdict(position: Position, answer: Answer): string {
    const mover = capital(this.all.mover(position.board));
    const words =
      answer.most === undefined ? super.verdict(position, answer) : `${mover} to move: ${rangeWords(answer)}`;
    return answer.promotions === undefined
      ? words
      : `${words}, if pawns become ${[...answer.promotions].join(', ')} only`;
  }

  override distance(value: SolvedValue, metric: Metric): string {
    return value.most === undefined ? super.distance(value, metric) : '';
  }

  private async placesOf({ board }: Position): Promise<Places> {
    const chessBoard = board as ChessBoard;
    const holding = this.views.filter(([hi]) => hi.holds(chessBoard));
    if (holding.length === 0 || (await this.hasEnding(board))) return [this.ofEnding()];
    const solved = await this.solvedViews(chessBoard);
    // Where no root is solved so far, the error names what is missing.
    const views = solved.length > 0 ? solved : holding;
    // Roots that forbid promotions come last, since their values are those of another game.
    const alike = views.filter(([{ promotions }]) => promotions === views[0][0].promotions);
    const exact = alike.find(([hi]) => !hi.isBounded(chessBoard));
    if (exact !== undefined) return [this.seenFrom(exact[0])];
    const [hi, lo] = alike[0];
    const both = [this.seenFrom(lo), this.seenFrom(hi)] as const;
    return chessBoard.side === 0 ? both : [both[1], both[0]];
  }

  /** Whether a solved root answers for the position: a table of its ending would come first. */
  async isFromRoot({ board }: Position): Promise<boolean> {
    return (await this.solvedViews(board as ChessBoard)).length > 0 && !(await this.hasEnding(board));
  }

  /** The roots that have the position, and a table for it. */
  private async solvedViews(board: ChessBoard): Promise<(typeof this.views)[number][]> {
    const solved: (typeof this.views)[number][] = [];
    for (const view of this.views)
      if (view[0].holds(board) && (await this.hasTable(view[0].locate(board).slice))) solved.push(view);
    return solved;
  }

  /** Whether there is a table of the position's ending. */
  private async hasEnding(board: unknown): Promise<boolean> {
    try {
      return await this.hasTable(this.all.locate(board).slice);
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  /** Whether a slice is solved under the metric that is asked for, or under any if none is. */
  private hasTable(slice: string): Promise<boolean> {
    let found = this.tabled.get(slice);
    if (found === undefined) this.tabled.set(slice, (found = this.findTable(slice)));
    return found;
  }
  private readonly tabled = new Map<string, Promise<boolean>>();

  private async findTable(slice: string): Promise<boolean> {
    const { metric } = this.asked;
    for (const each of metric === undefined ? this.all.metrics : [metricOf(this.all, metric)])
      if ((await this.tables.store.size(tableManifestName(this.all.name, each, slice))) !== null) return true;
    return false;
  }

  private ofEnding(): SolvedEndings {
    return (this.ending ??= new SolvedEndings(this.all, this.named, this.asked, this.tables));
  }
  private ending: SolvedEndings | undefined;

  private seenFrom(game: RootGame): SolvedEndings {
    let found = this.rooted.get(game);
    if (found === undefined) {
      found = new SolvedEndings(game as unknown as Game, this.named, this.asked, this.tables);
      this.rooted.set(game, found);
      if (game.promotions !== ALL_PROMOTIONS) this.restricted.set(found, game.promotions);
    }
    return found;
  }
}

/** An answer by the worst case, with what the best case makes of it. */
function between(least: Answer, most: Answer): Answer {
  const of = new Map(most.moves.map((move) => [move.name, move]));
  const moves = least.moves.map((move) => ranged(move, of.get(move.name)!));
  // They are in order by the worst case. Of those with the same outcome in it, the better ones in the best case come first.
  const inOrder = sort(moves).by([
    { desc: outcomeRank },
    { desc: ({ most, wdl }) => outcomeRank(most ?? { wdl }) },
  ]);
  return { ...ranged(least, most), moves: inOrder };
}

function ranged<T extends SolvedValue>(least: T, { wdl, plies }: SolvedValue): T {
  return least.wdl === wdl && least.plies === plies ? least : { ...least, most: { wdl, plies } };
}
