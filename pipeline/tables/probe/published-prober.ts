/**
 * Looks positions up in published tables. Values that those leave out are searched for (search.ts). Values in memory are
 * returned without waiting; only a block that is not there has to be read, by one read of one block.
 */

import { StorageError } from '../../../operators/core/errors.js';
import type { Game } from '../../game/game.js';
import { PUBLISHED_METRIC } from '../../game/stipulation.js';
import type { WdlSymbol } from '../codec/symbols.js';
import { newPositionCache } from '../published/position-cache.js';
import type { Publication } from '../published/publication.js';
import { newRunCache, type RunCacheCounts } from '../published/run-cache.js';
import type { Prober } from './prober.js';
import { newSearch, type Outcome, type SearchCounters } from './search.js';
import { type MissingValue, newStoredValues, type ReadValue } from './stored-values.js';
import { judging } from './table-prober.js';

/** The publication, and the sizes of its caches. */
export interface PublishedProberOptions<Board> {
  readonly game: Game<Board>;
  readonly publication: Publication;
  /** Bytes that decoded blocks may take. */
  readonly cacheBytes: number;
  /** Bytes that the values of single positions may take. */
  readonly positionBytes: number;
}

/** Counts of the reads that answers took. */
export interface PublishedCounters {
  readonly search: Readonly<SearchCounters>;
  readonly blocks: Readonly<RunCacheCounts>;
  /** Looked up values, and how many of them came from the position cache. */
  readonly asked: { positions: number; known: number };
}

/** Looks positions up in published tables: wins, draws and losses. */
export interface PublishedProber<Board> extends Prober<Board> {
  /** @throws UserError if a slice is not published, StorageError if a file is damaged. */
  value(board: Board): Promise<Outcome>;
  /** The value of a board, or null if a block must be read for it ({@link value} does). */
  valueAtHand(board: Board): Outcome | null;
  readonly counters: PublishedCounters;
}

const NOTHING_READ: readonly ReadValue[] = [];

/** Thrown to end a search that has to wait. One object for all, because making an error costs more than a lookup. */
const WAIT = new Error('a value must be read first');

/** Opens a publication, to look positions up. */
export function newPublishedProber<Board>(options: PublishedProberOptions<Board>): PublishedProber<Board> {
  const { game, publication } = options;
  const cache = newRunCache(options.cacheBytes);
  const positions = newPositionCache(options.positionBytes);
  const { stored, placeOf, fetch } = newStoredValues(game, publication, cache);
  const asked = { positions: 0, known: 0 };
  /** Values read for the current search. They stay even if a small cache evicts their block. */
  let read: readonly ReadValue[] = NOTHING_READ;
  let missing: MissingValue | null = null;

  function miss(at: MissingValue): never {
    missing = at;
    throw WAIT;
  }

  const search = newSearch(
    game.search ?? { dontCare: () => false, successors: () => [], same: Object.is },
    (board) => stored(board, read, miss),
  );

  function valueAtHand(board: Board): Outcome | null {
    const place = placeOf(board);
    if (place !== null) {
      const known = positions.get(place.file, place.position);
      if (known >= 0) {
        asked.positions++;
        asked.known++;
        return (known - 1) as Outcome;
      }
    }
    try {
      const value = search.value(board);
      if (place !== null) positions.put(place.file, place.position, (value + 1) as WdlSymbol);
      asked.positions++;
      return value;
    } catch (error) {
      if (error !== WAIT) throw error;
      return null;
    }
  }

  /** Several may wait at the same time, each with what it has read. */
  async function value(board: Board): Promise<Outcome> {
    const mine: ReadValue[] = [];
    for (;;) {
      read = mine;
      const found = valueAtHand(board);
      read = NOTHING_READ;
      if (found !== null) return found;
      const more = await fetch(missing!);
      if (more !== null) mine.push(more);
    }
  }

  return {
    metric: PUBLISHED_METRIC,
    value,
    code: value,
    valueAtHand,
    counters: { search: search.counters, blocks: cache.counts, asked },
    probe: judging(
      {
        game,
        metric: PUBLISHED_METRIC,
        contradiction: (slice, what) => new StorageError(publication.where(slice), what),
        trustsMoves: false,
      },
      async (board) => ({
        slice: game.locate(board).slice,
        code: await value(board),
        number: null,
        isOver: game.terminal(board) !== 'open',
      }),
    ),
  };
}
