/** Positions of chess in a store that has tables of roots: the view of commands and of the server (root-places.ts says which tables answer). */
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { ALL_PROMOTIONS } from '../../pipeline/games/chess/root.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { type Naming, namingFor } from '../../pipeline/games/chess/shape.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { metricOf } from '../cli/options.js';
import { rangeText, type SolvedValue } from '../positions/value.js';
import { type Position, SolvedEndings } from './ending.js';
import { type LookupFlags, openLookup, type TableSource } from './open-prober.js';
import type { ProblemTables } from './problem-tables.js';
import { type Places, RootPlaces, rootVerdict } from './root-places.js';
import type { Answer, Answers, Solved, SolvedLine } from './solved.js';

export class RootedEndings extends SolvedEndings implements Solved<Position> {
  private readonly places: RootPlaces<SolvedEndings>;

  constructor(
    private readonly all: Game,
    named: string,
    private readonly asked: LookupFlags,
    private readonly tables: TableSource,
    roots: readonly string[],
  ) {
    super({ ...all, parse: parseManyMen } as unknown as Game, named, () => openLookup(all, asked, tables));
    const metric = asked.metric === undefined ? undefined : metricOf(all, asked.metric);
    const metrics = metric === undefined ? all.metrics : [metric];
    const solvedOf = (game: Game) => new SolvedEndings(game, named, () => openLookup(game, asked, tables));
    this.places = new RootPlaces({
      chess: all,
      roots,
      metric,
      async hasTable(slice) {
        for (const each of metrics)
          if ((await tables.store.size(tableManifestName(all.name, each, slice))) !== null) return true;
        return false;
      },
      openEndings: () => solvedOf(all),
      openRoot: (game) => solvedOf(game as unknown as Game),
    });
  }

  override async probe(position: Position): Promise<Answers> {
    const found: Answer[] = [];
    for (const places of await this.placesOf(position)) found.push(...(await this.probeIn(position, places)));
    return found as unknown as Answers;
  }

  private placesOf({ board }: Position) {
    return this.places.placesOf(board as ChessBoard);
  }

  private probeIn(position: Position, places: Places<SolvedEndings>): Promise<Answers> {
    return this.places.answersIn(places, position.board as ChessBoard, (tables) => tables.probe(position));
  }

  /** Best play in the tables of a root. The value of the first position may be a bound, or hold where pawns become some pieces only. */
  override async line(position: Position, limit?: number): Promise<SolvedLine> {
    const [places] = await this.placesOf(position);
    const { least, most, game } = places;
    const root = game !== null && { root: game.root };
    if (least === most && (game === null || game.promotions === ALL_PROMOTIONS)) {
      const { json, text } = await least!.line(position, limit);
      return { json: { ...json, ...root }, text };
    }
    const [answer] = await this.probeIn(position, places);
    const from = this.places.lineIn(places, position.board as ChessBoard, answer);
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

  override verdict({ board }: Position, answer: Answer): string {
    return rootVerdict(this.all, board, answer);
  }

  override distance(value: SolvedValue, metric: Metric): string {
    return value.most === undefined ? super.distance(value, metric) : '';
  }

  /** As {@link RootPlaces.isFromRoot}. */
  isFromRoot({ board }: Position, asked?: readonly Naming[]): Promise<boolean> {
    return this.places.isFromRoot(board as ChessBoard, asked);
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
}
