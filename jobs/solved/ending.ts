/** Positions of games that are solved by endings, looked up in tables, published tables or Syzygy files. */

import { UserError } from '../../operators/core/errors.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { publishedAs, stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { builtIn } from '../../pipeline/games/built-in.js';
import { isByMoves } from '../../pipeline/games/chess/move-tail.js';
import { type MainLine, mainLine } from '../../pipeline/tables/probe/main-line.js';
import { newProber, type Prober } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { isUnsure, verdictOf } from '../../pipeline/tables/probe/verdict.js';
import { positionReaderOf } from '../cli/fen-lists.js';
import { type Result, resultOf } from '../ui/game-tags.js';
import { numbered } from '../ui/numbered-moves.js';
import { solutionText } from '../ui/problem-notation.js';
import { capital, distance, hasMates, outcomeWord, verdict } from '../ui/verdict.js';
import { positionWords } from '../user-game.js';
import {
  type Lookup,
  type LookupFlags,
  openLookup,
  type TableSource,
  tableSource,
  type UnderMetric,
} from './open-prober.js';
import type { Answer, Answers, Solved, SolvedLine, SolvedValue } from './solved.js';

/** As it was written, and as the game has it. */
export interface Position {
  readonly fen: string;
  readonly board: unknown;
}

/** Best play under one metric, or the solutions of a problem. */
interface MetricLine {
  readonly metric: Metric;
  readonly json: object;
  /** The verdict on the position. */
  readonly head: string;
  /** Empty: there are none. */
  readonly moves: string;
}

/** Solutions of a problem, unless a limit is given. */
const SOLUTIONS = 20;

export class SolvedEndings implements Solved<Position> {
  readonly players: readonly [string, string];
  readonly what: string;
  private opened: Promise<Lookup> | undefined;
  private counted: Lookup['caches'] = null;

  /**
   * @param asked the game as the command line names it.
   * @param source in place of the store that flags name.
   */
  constructor(
    private readonly game: Game,
    asked: string,
    private readonly flags: LookupFlags,
    private readonly source?: TableSource,
  ) {
    this.players = game.colours;
    this.what = positionWords(asked);
  }

  starts(): never {
    throw new UserError(`give either ${this.what} or --file`);
  }

  parse(text: string): Position {
    const fen = positionReaderOf(this.game.name)(text)?.fen ?? text;
    const board = this.game.parse(fen);
    const isWay = this.game.name === 'chess' && isByMoves(fen.replaceAll('_', ' '));
    return { fen: isWay ? this.game.format(board) : fen, board };
  }

  format({ fen }: Position): string {
    return fen;
  }

  names({ fen }: Position): object {
    return { fen };
  }

  namesOfText(fen: string): object {
    return { fen };
  }

  diagram({ board }: Position): string {
    return this.game.diagram(board);
  }

  clock({ board }: Position): number {
    return this.game.clock?.(board) ?? 0;
  }

  /** Opens the tables, which the first position does otherwise. Throws UserError or StorageError if their place is not there. */
  open(): Promise<Lookup> {
    return (this.opened ??= openLookup(this.game, this.flags, this.source));
  }

  async probe({ board }: Position): Promise<Answers> {
    const { probe, caches } = await this.open();
    this.counted = caches;
    const probings = await probe(board);
    const mover = this.moverOf(board);
    // Others than the games that are built in have one notation.
    const hasUci = Object.hasOwn(builtIn, this.game.name);
    const under = ({ metric, probed, setPlay }: UnderMetric): Answer => ({
      metric,
      mover,
      isOver: probed.moves.length === 0,
      ...verdictOf(probed),
      number: probed.number,
      setPlay,
      moves: probed.moves.map((move) => ({
        name: move.san,
        ...(hasUci && { uci: move.uci }),
        board: move.board,
        ...verdictOf(move),
        number: move.number,
      })),
    });
    const [first, ...others] = probings;
    return [under(first), ...others.map(under)];
  }

  verdict({ board }: Position, answer: Answer): string {
    const { game } = this;
    return verdict(answer, answer.metric, game.mover(board), game, game.clock?.(board));
  }

  distance(value: SolvedValue, metric: Metric): string {
    return distance(value, metric, this.game);
  }

  caches(): string {
    return this.counted?.() ?? '';
  }

  async line({ fen, board }: Position, limit = SOLUTIONS): Promise<SolvedLine> {
    const { flags } = this;
    if (flags.syzygy !== undefined)
      throw new UserError('--line follows tables: Syzygy files do not say which win is shortest');
    const hasPlies = (metric: Metric) => stipulations[publishedAs(metric)].plies;
    const refusal = new UserError(
      'published tables of wins, draws and losses have no main line: --line with --published is for problems and keyed games',
    );
    if (flags.published !== undefined && !this.game.metrics.some(hasPlies)) throw refusal;
    const { probersOf } = await this.open();
    const probers = await probersOf(board);
    // Where another metric has a line, the one without distances is passed over: it has none.
    const followed = probers.filter(({ metric }) => stipulations[metric].plies);
    if (flags.published !== undefined && followed.length === 0) throw refusal;
    const lines: MetricLine[] = [];
    for (const prober of followed.length === 0 ? probers : followed) {
      const { numbers } = stipulations[prober.metric];
      const under = namedFor(this.game, prober.metric);
      lines.push(
        await (numbers ? this.solutions(under, prober, board, limit) : this.best(under, prober, board)),
      );
    }
    const [{ json }, ...others] = lines;
    const isOnly = others.length === 0;
    const texts = lines.map(
      ({ metric, head, moves }) =>
        `${isOnly ? '' : `${metric.padEnd(5)}  `}${head}\n${moves === '' ? '' : `\n${moves}`}`,
    );
    return {
      json: { fen, ...json, ...(!isOnly && { metrics: lines.map((each) => each.json) }) },
      text: `${this.game.diagram(board)}\n${texts.join('\n')}`,
    };
  }

  /** Looks positions up under a metric, in the tables of a store alone, and without the 50-move rule. */
  proberOf(metric: Metric): { readonly game: Game; readonly prober: Prober<unknown> } {
    const { store, cache } = this.source ?? tableSource(this.flags);
    const game = namedFor(this.game, metric);
    return { game, prober: newProber({ game, metric, store, cache }) };
  }

  private async best(game: Game, prober: Prober<unknown>, board: unknown): Promise<MetricLine> {
    const { metric } = prober;
    const line = await mainLine(game, prober, board);
    const mover = this.moverOf(board);
    const { start, steps } = line;
    const json = {
      metric,
      plies: start.plies,
      line: steps.map(({ san }) => san),
      uci: steps.map(({ uci }) => uci),
      conversions: steps.flatMap(({ conversion }, i) => (conversion ? [i + 1] : [])),
      restarts: steps.flatMap(({ restarts }, i) => (restarts ? [i + 1] : [])),
      outcome: line.result,
      precise: start.precise,
      category: start.category,
      ...(line.isCut && { goesOn: 'in Syzygy files' }),
      ruleDrawsAt: line.ruleDrawsAt,
      result: score(line, mover),
    };
    const head = verdict(start, metric, game.mover(board), game, game.clock?.(board));
    return { metric, json, head, moves: lineText(game, line, metric, mover) };
  }

  private async solutions(
    game: Game,
    prober: Prober<unknown>,
    board: unknown,
    limit: number,
  ): Promise<MetricLine> {
    const { metric } = prober;
    const start = await prober.probe(board);
    const found: (readonly string[])[] = [];
    let more = false;
    for await (const line of new Solutions(game, prober).lines(board)) {
      more = found.length === limit;
      if (more) break;
      found.push(line.map(({ san }) => san));
    }
    const { plies, number, wdl } = start;
    const mover = this.moverOf(board);
    const json = { metric, outcome: outcomeWord(wdl, true), plies, solutions: number, lines: found, more };
    const lines = found.map((sans) => `${solutionText(metric, sans, mover)}\n`);
    const rest = more ? `and more: --limit ${2 * limit} prints more of them\n` : '';
    const head = verdict(start, metric, game.mover(board), game);
    return { metric, json, head, moves: `${lines.join('')}${rest}` };
  }

  private moverOf(board: unknown): Side {
    return this.game.mover(board) === this.game.colours[0] ? 0 : 1;
  }
}

/** The points of the side that begins the game first; "*" where the 50-move rule draws this line, and may not draw a better one. */
function score(line: MainLine<unknown>, mover: Side): Result | '*' {
  return isUnsure(line.start.category) && line.ruleDrawsAt !== null
    ? '*'
    : resultOf(line.result, mover === 0);
}

function lineText(game: Game, line: MainLine<unknown>, metric: Metric, mover: Side): string {
  if (line.result === 'draw') return 'A drawn position has no main line.\n';
  const first = line.steps.findIndex((step) => step.restarts);
  const { restartsAt, rule50 } = stipulations[metric];
  const what = restartsAt === 'zeroing move' || rule50 === 'clocked' ? 'Zeroing move' : 'Conversion';
  const end = hasMates(game) ? 'mate' : 'the end';
  const note =
    first < 0
      ? ''
      : `\n${what}: ${line.steps[first].san} (ply ${first + 1}); the line goes on ${line.isCut ? 'in Syzygy files' : `to ${end}`}.\n`;
  const drawn =
    line.ruleDrawsAt === null
      ? ''
      : line.ruleDrawsAt === 0
        ? '\nThe 50-move rule draws the game here, before any move.\n'
        : `\nThe 50-move rule draws the game after ${line.steps[line.ruleDrawsAt - 1].san} (ply ${line.ruleDrawsAt}).\n`;
  const moves = numbered(
    line.steps.map(({ san }) => san),
    mover,
  );
  // "1-0" means White in chess, but not the first player of every game: other games name the winner.
  const colour = game.colours[(line.result === 'win') === (mover === 0) ? 0 : 1];
  const points = hasMates(game) ? score(line, mover) : `${capital(colour)} wins`;
  return `${moves}${moves === '' ? '' : ' '}${points}\n${note}${drawn}`;
}
