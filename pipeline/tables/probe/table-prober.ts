/** Probers, however values are stored: the value of a position, and those of its moves. */

import { assert, StorageError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import { isClocked, zeroes, zeroesAlways } from '../../game/clocked.js';
import type { Game, Slice } from '../../game/game.js';
import { isGoal, numberAtEnd } from '../../game/labelling.js';
import { rankingOf } from '../../game/ranking.js';
import { withRemedy } from '../../game/remedy.js';
import { stipulations } from '../../game/stipulation.js';
import { backUp, brokenCode, decodeValue, type Metric, RULE_PLIES, type Value } from '../../game/value.js';
import { slicePrefix } from '../table-names.js';
import type { OpenValues } from './open-values.js';
import type { ProbedMove, Prober } from './probed.js';
import {
  type Category,
  type Coded,
  categoryOf,
  compareMoves,
  judgedAs,
  moveCategory,
  type Ordered,
  withBest,
} from './verdict.js';

interface JudgingOptions<Board> {
  readonly game: Game<Board>;
  readonly metric: Metric;
  /** The error of a table whose values contradict each other: `what` it says. */
  readonly contradiction: (slice: string, what: string) => StorageError;
  /** As in `ProberOptions`. */
  readonly trustsMoves: boolean;
}

export interface TableProberOptions<Board> extends JudgingOptions<Board> {
  /** The table of a slice; null if all its positions are drawn and it needs none. */
  readonly open: (slice: string) => Promise<OpenValues | null>;
  /** As in `ProberOptions`. */
  readonly versionOf?: ((slice: string) => number) | undefined;
}

interface LookedUp {
  readonly slice: string;
  readonly code: number;
  readonly number: number | null;
  /** There are no moves. */
  readonly isOver: boolean;
}

/** @param clock under `dtm50`: plies since the last zeroing move. */
type LookUp<Board> = (board: Board, clock: number) => Promise<LookedUp>;

/** Also looks up what tables hold of a board, without a look at its moves. */
export interface TableProber<Board> extends Prober<Board> {
  /** `number`: null where the metric has none. Throws as {@link probe}. */
  value(board: Board): Promise<{ readonly code: number; readonly number: number | null }>;
}

const exact = (code: number): Coded => ({ code, precise: true });

/** A prober on tables, from cached blocks. Opens nothing before the first lookup. */
export function tableProber<Board>(options: TableProberOptions<Board>): TableProber<Board> {
  const { game, metric, contradiction, versionOf } = options;
  const once = newOnce<string, OpenValues | null>();
  const table = (slice: string): Promise<OpenValues | null> =>
    once(slice, () => options.open(slice), versionOf?.(slice));

  async function lookUp(board: Board, clock: number): Promise<LookedUp> {
    const address = game.locate(board);
    const { slice, side } = address;
    const terminal = game.terminal(board);
    if (terminal !== 'open') {
      const isReached = isGoal(metric, side, terminal === 'lost');
      return { slice, code: isReached ? -1 : 0, number: numberAtEnd(metric, isReached), isOver: true };
    }
    const opened = await table(slice);
    if (opened === null) return { slice, code: 0, number: numberAtEnd(metric, false), isOver: false };
    const [code, number = null] = await Promise.all([opened.code(address, clock), opened.number?.(address)]);
    if (code === brokenCode(opened.valueType)) {
      throw contradiction(slice, `has no value for ${game.format(board)}`);
    }
    return { slice, code, number, isOver: false };
  }

  const value = (board: Board) => lookUp(board, clockOf(game, metric, board));
  return {
    metric,
    probe: judging(options, lookUp),
    value,
    code: async (board) => (await value(board)).code,
  };
}

/** The plies since the last zeroing move that count for a board. */
function clockOf<Board>(game: Game<Board>, metric: Metric, board: Board): number {
  const clock = game.clock?.(board) ?? 0;
  return !isClocked(metric) || zeroesAlways(game.slice(game.locate(board).slice)) ? clock : 0;
}

/** The `probe` of a prober that looks boards up by `lookUp`. */
export function judging<Board>(
  { game, metric, contradiction, trustsMoves }: JudgingOptions<Board>,
  lookUp: LookUp<Board>,
): Prober<Board>['probe'] {
  const clocked = isClocked(metric);
  const { goalOf } = stipulations[metric];
  const { rankOf } = rankingOf(metric);
  const order = (a: Ordered, b: Ordered) => compareMoves(a, b, rankOf, goalOf === 'either');

  /** The codes of a position for its verdict. No rule changes that of a game that is over. */
  const knownOf = ({ code, isOver }: Pick<LookedUp, 'code' | 'isOver'>) => ({
    [isOver ? 'over' : metric]: exact(code),
  });

  /** The category of a move, for the side that makes it: `backed` is its code, and `board` where it leads. */
  function categoryAfter(found: LookedUp, backed: number, clock: number | null, board: Board): Category {
    if (stipulations[metric].rule50 === 'cursed') return categoryOf({ [metric]: exact(backed) }, clock);
    if (goalOf !== 'either') return categoryOf({ [metric]: exact(backed) }, null);
    // Boards of an index do not count plies, so none of their moves is taken for a zeroing one.
    return moveCategory(knownOf(found), clock, clock === 0 ? 1 : (game.clock?.(board) ?? null));
  }

  return async (board) => {
    // All at once, so that they share the round trip where reading takes one.
    const legal = game.moves(board);
    const { slice } = game.locate(board);
    const clock = clockOf(game, metric, board);
    const isRestart = (there: string) =>
      there !== slice && restartsCount(game as Pick<Game, 'slice'>, game.slice(slice), there, metric);
    const clockAfter = (there: string) => (isRestart(there) ? 0 : clock + 1);
    const [own, ...after] = await Promise.all([
      // What its moves are worth does not say how many of them are counted.
      trustsMoves && legal.length > 0 && !stipulations[metric].numbers ? null : lookUp(board, clock),
      ...legal.map((move) => lookUp(move.board, clocked ? clockAfter(game.locate(move.board).slice) : 0)),
    ]);
    const isDrawnByRule = clocked && legal.length > 0 && clock >= RULE_PLIES;
    // Problems have no 50-move rule.
    const passed = goalOf === 'either' ? (game.clock?.(board) ?? null) : null;
    const moves: ProbedMove<Board>[] = legal.map(({ uci, san, board }, i) => {
      const conversion = after[i].slice !== slice;
      const restarts = isRestart(after[i].slice);
      const backed = isDrawnByRule ? 0 : backUp(after[i].code, metric, restarts);
      const category = isDrawnByRule ? 'draw' : categoryAfter(after[i], backed, passed, board);
      // Field by field: spreading objects took half of a probe.
      const { wdl, plies, precise } = judgedAs(category, exact(backed), metric);
      const { number } = after[i];
      const answer = { uci, san, board, conversion, restarts, code: backed, wdl, plies, precise, category };
      return number === null ? answer : { ...answer, number };
    });
    const ordered = moves.sort(order);
    const best = moves.reduce<ProbedMove<Board> | undefined>(
      (most, move) => (most === undefined || rankOf(move.code) > rankOf(most.code) ? move : most),
      undefined,
    );
    const code = own?.code ?? best!.code;
    if (best !== undefined && rankOf(best.code) !== rankOf(code)) {
      const says = (value: Value) => value.wdl + (value.plies === null ? '' : ` in ${value.plies}`);
      throw contradiction(
        slice,
        `says ${says(decodeValue(code, metric))} for ${game.format(board)}, but its moves give ${says(best)}`,
      );
    }
    const isOver = legal.length === 0;
    const number = own === null ? null : own.number;
    const category = withBest(categoryOf(knownOf({ code, isOver }), passed), ordered[0]?.category);
    const found = { code, ...judgedAs(category, exact(code), metric), moves: ordered };
    return number === null ? found : { ...found, number };
  };
}

/** Returns the function that makes the error of solved tables, which can be verified. @param uri of their store. */
export function contradictionIn(
  uri: string,
  game: string,
  metric: Metric,
): TableProberOptions<unknown>['contradiction'] {
  return (slice, what) =>
    withRemedy(new StorageError(`${uri}/${slicePrefix(game, metric, slice)}`, what), {
      task: 'verify',
      game,
      metric,
      slice,
    });
}

/** Whether the count of a metric, or where values go by clock the clock, restarts with a move from a slice to another one. */
function restartsCount(
  game: Pick<Game, 'slice'>,
  { name, dependencies }: Slice,
  there: string,
  metric: Metric,
): boolean {
  const isAssumed = (slice: string) => game.slice(slice).assumed !== undefined;
  // Which assumed slice a position is located in does not depend on where it is reached from: they are all alike.
  const dependency =
    dependencies.find((each) => each.slice === there) ??
    (isAssumed(there) ? dependencies.find(({ slice }) => isAssumed(slice)) : undefined);
  assert(dependency !== undefined, `${there}, where a move from ${name} leads, is a dependency of it`);
  return isClocked(metric) ? zeroes(dependency) : dependency.restarts.includes(metric);
}
