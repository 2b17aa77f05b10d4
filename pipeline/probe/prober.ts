/**
 * Looks positions up in finished tables: a position's value, and what each of its moves makes of it. Blocks of tables
 * are cached, least recently used first out, so that a stream of any length is answered in bounded memory.
 */

import { sort } from 'fast-sort';
import { assert, StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { newCensus } from '../census.js';
import { newClockedLookUp } from '../clocked/look-up.js';
import { isClocked, zeroesAlways } from '../clocked/metric.js';
import type { Game, Move, Slice } from '../game.js';
import { slicePrefix } from '../table/names.js';
import { needTable, openTable, type Table } from '../table/table.js';
import {
  backUp,
  brokenCode,
  decodeValue,
  type Metric,
  preference,
  RULE_PLIES,
  type Value,
} from '../value.js';
import { type BlockCache, newBlockCache } from './block-cache.js';

/** Values that are not from tables may tell plies in pairs: then there may be one ply more than `plies`. */
export interface Told extends Value {
  readonly precise?: false;
}

export interface ProbedMove<Board> extends Move<Board>, Told {
  /**
   * The value of the move for the mover, as a code of pipeline/value.ts: plies counted from the position before it. Codes know
   * no clock, but those of `dtm50`; `wdl` does ({@link Game.clock}).
   */
  readonly code: number;
  /** The move leaves the slice. */
  readonly conversion: boolean;
  /** The metric's count starts anew with the move, or under `dtm50` the clock: under these and `dtz` it is a zeroing move. */
  readonly restarts: boolean;
}

/** A position's value, and its moves. */
export interface Probed<Board> extends Told {
  readonly code: number;
  /** All legal moves, best first: wins by fewer plies (cursed ones have more than others), draws, losses by more plies, then by their uci names. */
  readonly moves: readonly ProbedMove<Board>[];
}

/** Looks positions up in solved tables. */
export interface Prober<Board> {
  readonly metric: Metric;
  /**
   * @throws UserError if no slice can hold the board or its table is not in the store; StorageError if a table is
   * damaged, or gives the position another value than its moves give it.
   */
  probe(board: Board): Promise<Probed<Board>>;
  /** The code of the board alone, without a look at its moves. Throws as {@link probe}. */
  code(board: Board): Promise<number>;
}

/** All else follows from `game` and `store`, unless it is given. */
export interface ProberOptions<Board> {
  readonly game: Game<Board>;
  /** The first of the game's, unless it is another. */
  readonly metric?: Metric;
  readonly store: Store;
  /** Bytes that cached blocks may take: 16 MiB, unless it is another number. */
  readonly cacheBytes?: number;
  /** In place of a cache of its own: one that is shared with other probers. */
  readonly cache?: BlockCache;
  /**
   * Whether a position with moves has its value from them alone: then fewer blocks are read, and the value is not held against
   * its own. False unless it is said.
   */
  readonly trustsMoves?: boolean;
}

const CACHE_BYTES = 16 * 2 ** 20;

/** Opens the tables of a game, to look positions up. Nothing is read before it is asked. */
export function newProber<Board>(options: ProberOptions<Board>): Prober<Board> {
  const { game, store, metric = game.metrics[0], cacheBytes = CACHE_BYTES } = options;
  const { cache = newBlockCache(cacheBytes), trustsMoves = false } = options;
  const clocked = isClocked(metric) ? newClockedLookUp(store, cache) : null;
  /** The table of a slice; null if all its positions are drawn and it needs none. */
  const tables = new Map<string, Promise<Table | null>>();

  function table(slice: string): Promise<Table | null> {
    let found = tables.get(slice);
    if (found === undefined) {
      found = openOrDrawn(store, game, metric, slice);
      tables.set(slice, found);
      // A table that is missing now may be there the next time.
      found.catch(() => tables.delete(slice));
    }
    return found;
  }

  /** @param clock under `dtm50`: plies since the last zeroing move. */
  async function lookUp(board: Board, clock: number): Promise<{ slice: string; code: number }> {
    const { slice, side, part, key } = game.locate(board);
    const terminal = game.terminal(board);
    if (terminal !== 'open') return { slice, code: terminal === 'lost' ? -1 : 0 };
    const opened = await table(slice);
    if (opened === null) return { slice, code: 0 };
    const code = await (clocked === null
      ? cache.code(opened, side, part, key)
      : clocked.code(opened, { slice, side, part, key }, clock));
    if (code === brokenCode(opened.manifest.valueType)) {
      throw contradiction(slice, `has no value for ${game.format(board)}`);
    }
    return { slice, code };
  }

  /** The plies since the last zeroing move that count for a board. */
  function clockOf(board: Board): number {
    const clock = game.clock?.(board) ?? 0;
    return clocked === null || zeroesAlways(game.slice(game.locate(board).slice)) ? clock : 0;
  }

  function contradiction(slice: string, what: string): StorageError {
    return new StorageError(
      `${store.uri}/${slicePrefix(game.name, metric, slice)}`,
      `${what}: run "mergemate verify ${game.name} ${slice} --metric ${metric}"`,
    );
  }

  async function probe(board: Board): Promise<Probed<Board>> {
    // All at once: where reading takes a round trip, they take one together.
    const legal = game.moves(board);
    const { slice } = game.locate(board);
    const clock = clockOf(board);
    const isAnew = (there: string) => there !== slice && startsAnew(game.slice(slice), there, metric);
    const clockAfter = (there: string) => (isAnew(there) ? 0 : clock + 1);
    const [own, ...after] = await Promise.all([
      trustsMoves && legal.length > 0 ? null : lookUp(board, clock),
      ...legal.map((move) =>
        lookUp(move.board, clocked === null ? 0 : clockAfter(game.locate(move.board).slice)),
      ),
    ]);
    const isDrawnByRule = clocked !== null && legal.length > 0 && clock >= RULE_PLIES;
    const moves: ProbedMove<Board>[] = legal.map(({ uci, san, board }, i) => {
      const conversion = after[i].slice !== slice;
      const restarts = isAnew(after[i].slice);
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

/** Whether the count of a metric, or under `dtm50` the clock, starts anew with a move from a slice to another one. */
function startsAnew({ name, dependencies }: Slice, there: string, metric: Metric): boolean {
  const dependency = dependencies.find((each) => each.slice === there);
  assert(dependency !== undefined, `${there}, where a move from ${name} leads, is a dependency of it`);
  return dependency.restarts.includes(isClocked(metric) ? 'dtz' : metric);
}

async function openOrDrawn<Board>(
  store: Store,
  game: Game<Board>,
  metric: Metric,
  slice: string,
): Promise<Table | null> {
  const found = await openTable(store, game, metric, slice);
  if (found !== null) return found;
  if (drawnThroughout(game.slice(slice))) return null;
  return needTable(store, game, metric, slice);
}

/** Slices whose positions can be looked through while someone waits for a probe. */
const SMALL = 1 << 14;

/** Nobody ever wins where no position is lost and no move leads elsewhere: two bare kings. */
export function drawnThroughout(slice: Slice): boolean {
  if (slice.dependencies.length > 0 || slice.size > SMALL) return false;
  const census = newCensus(SMALL);
  for (const side of [0, 1] as const) {
    for (let part = 0; part < slice.parts; part++) {
      const length = slice.partSize(part);
      assert(length <= SMALL, 'a part is no larger than its slice');
      slice.census(side, part, 0, length, census);
      if (census.lost > 0) return false;
    }
  }
  return true;
}
