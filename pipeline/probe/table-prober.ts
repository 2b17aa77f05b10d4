/** A prober on tables, however these are stored: values of positions and of their moves, from cached blocks. */

import { sort } from 'fast-sort';
import { assert, StorageError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import { isClocked, zeroesAlways } from '../clocked/metric.js';
import type { Game, Slice } from '../contract/game.js';
import { withRemedy } from '../contract/remedy.js';
import {
  backUp,
  brokenCode,
  decodeValue,
  type Metric,
  preference,
  RULE_PLIES,
  type Value,
} from '../formats/value.js';
import { slicePrefix } from '../table/table-names.js';
import type { OpenValues } from './open-values.js';
import type { Probed, ProbedMove, Prober } from './probed.js';

export interface TableProberOptions<Board> {
  readonly game: Game<Board>;
  readonly metric: Metric;
  /** The table of a slice; null if all its positions are drawn and it needs none. */
  readonly open: (slice: string) => Promise<OpenValues | null>;
  /** For messages: where the tables are. */
  readonly uri: string;
  /** As in `ProberOptions`. */
  readonly trustsMoves: boolean;
}

/** Nothing is opened before it is asked. */
export function tableProber<Board>(options: TableProberOptions<Board>): Prober<Board> {
  const { game, metric, uri, trustsMoves } = options;
  const clocked = isClocked(metric);
  const once = newOnce<string, OpenValues | null>();
  const table = (slice: string) => once(slice, () => options.open(slice));

  async function lookUp(board: Board, clock: number): Promise<{ slice: string; code: number }> {
    const address = game.locate(board);
    const { slice } = address;
    const terminal = game.terminal(board);
    if (terminal !== 'open') return { slice, code: terminal === 'lost' ? -1 : 0 };
    const opened = await table(slice);
    if (opened === null) return { slice, code: 0 };
    const code = await opened.code(address, clock);
    if (code === brokenCode(opened.valueType)) {
      throw contradiction(slice, `has no value for ${game.format(board)}`);
    }
    return { slice, code };
  }

  /** The plies since the last zeroing move that count for a board. */
  function clockOf(board: Board): number {
    const clock = game.clock?.(board) ?? 0;
    return !clocked || zeroesAlways(game.slice(game.locate(board).slice)) ? clock : 0;
  }

  function contradiction(slice: string, what: string): StorageError {
    return withRemedy(new StorageError(`${uri}/${slicePrefix(game.name, metric, slice)}`, what), {
      ...{ task: 'verify', game: game.name, metric, slice },
    });
  }

  async function probe(board: Board): Promise<Probed<Board>> {
    // All at once: where reading takes a round trip, they take one together.
    const legal = game.moves(board);
    const { slice } = game.locate(board);
    const clock = clockOf(board);
    const isRestart = (there: string) => there !== slice && restartsCount(game.slice(slice), there, metric);
    const clockAfter = (there: string) => (isRestart(there) ? 0 : clock + 1);
    const [own, ...after] = await Promise.all([
      trustsMoves && legal.length > 0 ? null : lookUp(board, clock),
      ...legal.map((move) => lookUp(move.board, clocked ? clockAfter(game.locate(move.board).slice) : 0)),
    ]);
    const isDrawnByRule = clocked && legal.length > 0 && clock >= RULE_PLIES;
    const moves: ProbedMove<Board>[] = legal.map(({ uci, san, board }, i) => {
      const conversion = after[i].slice !== slice;
      const restarts = isRestart(after[i].slice);
      const backed = isDrawnByRule ? 0 : backUp(after[i].code, metric, restarts);
      // Field by field: spreading objects took half of a probe.
      const { wdl, plies } = decodeValue(backed, metric, clock);
      return { uci, san, board, conversion, restarts, code: backed, wdl, plies };
    });
    const rank = metric === 'wdl' ? Math.sign : preference;
    const ordered = sort(moves).by([{ desc: (move) => rank(move.code) }, { asc: (move) => move.uci }]);
    const best = ordered[0];
    const code = own?.code ?? best.code;
    if (best !== undefined && rank(best.code) !== rank(code)) {
      const says = (value: Value) => value.wdl + (value.plies === null ? '' : ` in ${value.plies}`);
      throw contradiction(
        slice,
        `says ${says(decodeValue(code, metric))} for ${game.format(board)}, but its moves give ${says(best)}`,
      );
    }
    return { code, ...decodeValue(code, metric, clock), moves: ordered };
  }

  return { metric, probe, code: async (board) => (await lookUp(board, clockOf(board))).code };
}

/** Whether the count of a metric, or under `dtm50` the clock, restarts with a move from a slice to another one. */
function restartsCount({ name, dependencies }: Slice, there: string, metric: Metric): boolean {
  const dependency = dependencies.find((each) => each.slice === there);
  assert(dependency !== undefined, `${there}, where a move from ${name} leads, is a dependency of it`);
  return dependency.restarts.includes(isClocked(metric) ? 'dtz' : metric);
}
