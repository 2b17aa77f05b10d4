/** Positions of games that are solved by endings, looked up in tables, published tables or Syzygy files. */

import { UserError } from '../../operators/core/errors.js';
import { oneOf } from '../../operators/core/once.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { MainLine } from '../../pipeline/tables/probe/main-line.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import { positionReaderOf } from '../asked/fen-lists.js';
import type { ProbedLine } from '../positions/shapes.js';
import type { SolvedValue } from '../positions/value.js';
import { numbered } from '../ui/numbered-moves.js';
import { solutionText } from '../ui/problem-notation.js';
import { capital, distance, hasMates, verdict } from '../ui/verdict.js';
import { positionWords } from '../user-game.js';
import { endingLine, endingSolutions, moverOf, probedAnswer } from './ending-answer.js';
import type { Lookup } from './open-prober.js';
import type { Answer, Answers, Solved, SolvedLine } from './solved.js';

/** A position as the game has it. */
export interface Position {
  readonly board: unknown;
}

/** Best play under one metric, or the solutions of a problem. */
interface MetricLine {
  readonly metric: Metric;
  readonly json: ProbedLine;
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
  /** Opens the tables, which the first position does otherwise. Throws UserError or StorageError if their place is not there. */
  readonly open: () => Promise<Lookup>;
  private counted: Lookup['caches'];

  /** @param asked the game as the command line names it. */
  constructor(
    readonly game: Game,
    asked: string,
    open: () => Promise<Lookup>,
  ) {
    this.players = game.colours;
    this.what = positionWords(asked);
    this.open = oneOf(open);
  }

  starts(): never {
    throw new UserError(`give either ${this.what} or --file`);
  }

  parse(text: string): Position {
    const fen = positionReaderOf(this.game.name)(text)?.fen ?? text;
    return { board: this.game.parse(fen) };
  }

  format({ board }: Position): string {
    return this.game.format(board);
  }

  names(): object {
    return {};
  }

  diagram({ board }: Position): string {
    return this.game.diagram(board);
  }

  clock({ board }: Position): number {
    return this.game.clock?.(board) ?? 0;
  }

  async probe({ board }: Position): Promise<Answers> {
    const { probersOf, caches } = await this.open();
    this.counted = caches;
    const [first, ...others] = await probersOf(board);
    const answers: [Answer, ...Answer[]] = [await probedAnswer(this.game, first, board)];
    for (const prober of others) answers.push(await probedAnswer(this.game, prober, board));
    return answers;
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

  async line({ board }: Position, limit = SOLUTIONS): Promise<SolvedLine> {
    const { probersOf, noLine } = await this.open();
    const probers = await probersOf(board);
    // Where another metric has a line, the one without distances is passed over: it has none.
    const followed = probers.filter(({ metric }) => stipulations[metric].plies);
    if (noLine !== undefined && followed.length === 0) throw new UserError(noLine);
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
      json: isOnly
        ? json
        : { ...json, metrics: Object.fromEntries(lines.map((each) => [each.metric, each.json])) },
      text: `${this.game.diagram(board)}\n${texts.join('\n')}`,
    };
  }

  private async best(game: Game, prober: Prober<unknown>, board: unknown): Promise<MetricLine> {
    const { metric } = prober;
    const { best, json } = await endingLine(game, prober, board);
    const head = verdict(best.start, metric, game.mover(board), game, game.clock?.(board));
    return {
      metric,
      json,
      head,
      moves: lineText(game, best, metric, moverOf(this.game, board), json.result ?? ''),
    };
  }

  private async solutions(
    game: Game,
    prober: Prober<unknown>,
    board: unknown,
    limit: number,
  ): Promise<MetricLine> {
    const { metric } = prober;
    const { start, json } = await endingSolutions(game, prober, board, limit);
    const mover = moverOf(this.game, board);
    const lines = json.lines.map((line) => {
      const names = line.map(({ move }) => move);
      return `${solutionText(metric, names, mover)}\n`;
    });
    const rest = json.more ? `and more: --limit ${2 * limit} prints more of them\n` : '';
    const head = verdict(start, metric, game.mover(board), game);
    return { metric, json, head, moves: `${lines.join('')}${rest}` };
  }
}

function lineText(game: Game, line: MainLine<unknown>, metric: Metric, mover: Side, result: string): string {
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
  const points = hasMates(game) ? result : `${capital(colour)} wins`;
  return `${moves}${moves === '' ? '' : ' '}${points}\n${note}${drawn}`;
}
