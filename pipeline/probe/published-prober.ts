/**
 * Looks positions up in published tables. Values that those leave out are searched for (search.ts). Values in memory are
 * returned without waiting; only a block that is not there has to be read, by one read of one block.
 */
import { sort } from 'fast-sort';
import { StorageError } from '../../operators/core/errors.js';
import type { Game, Side } from '../game.js';
import type { Publication } from '../publish/publication.js';
import { newPositionCache } from '../table/published/position-cache.js';
import type { Published } from '../table/published/reader.js';
import { newRunCache, type RunCacheCounts } from '../table/published/run-cache.js';
import type { Value } from '../table/published/symbols.js';
import { backUp, decodeValue } from '../value.js';
import { drawnThroughout } from './drawn-throughout.js';
import type { ProbedMove, Prober } from './prober.js';
import { newSearch, type Outcome, type SearchCounters } from './search.js';

/** Which publication is asked. */
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
  /** Values asked for, and how many of them the position cache knew. */
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

/** An open file. */
interface Opened {
  /** Its number in the cache. */
  readonly file: number;
  readonly width: number;
}

/** The position whose value a search waits for. */
interface Missing {
  readonly slice: string;
  readonly side: Side;
  readonly part: number;
  readonly key: number;
}

interface Read extends Missing {
  readonly value: Value;
}

/** A side that is left out. */
const LEFT_OUT: unique symbol = Symbol('left out');

const NOTHING_READ: readonly Read[] = [];

/** Ends a search that has to wait. Always the same one: to make an error costs more than a lookup. */
const WAIT = new Error('a value must be read first');

/** Opens a publication, to look positions up. */
export function newPublishedProber<Board>(options: PublishedProberOptions<Board>): PublishedProber<Board> {
  const { game, publication } = options;
  const cache = newRunCache(options.cacheBytes);
  const positions = newPositionCache(options.positionBytes);
  const asked = { positions: 0, known: 0 };
  /** By slice: the files of its sides; null where all positions are drawn and there is none. */
  const opened = new Map<string, (Opened | typeof LEFT_OUT | null | undefined)[]>();
  /** Values read for the search under way: they stay even if a small cache gives the block up. */
  let read: readonly Read[] = NOTHING_READ;
  let missing: Missing | null = null;

  function miss(at: Missing): never {
    missing = at;
    throw WAIT;
  }

  function stored(board: Board): Outcome | null {
    const { slice, side, part, key } = game.locate(board);
    const there = opened.get(slice)?.[side];
    if (there === undefined) return miss({ slice, side, part, key });
    if (there === LEFT_OUT) return null;
    if (there === null) return 0;
    const value = cache.valueIfCached(there.file, part * there.width + key);
    if (value >= 0) return (value - 1) as Outcome;
    for (const known of read) {
      if (known.key === key && known.part === part && known.side === side && known.slice === slice) {
        return (known.value - 1) as Outcome;
      }
    }
    return miss({ slice, side, part, key });
  }

  const search = newSearch(
    game.search ?? { dontCare: () => false, successors: () => [], same: Object.is },
    stored,
  );

  /** By a board that was searched for: its place in the position cache, if its slice is open. */
  function placeOf(board: Board): { file: number; position: number } | null {
    const { slice, side, part, key } = game.locate(board);
    const there = opened.get(slice)?.[side];
    if (there === LEFT_OUT || !there) return null;
    return { file: there.file, position: part * there.width + key };
  }

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
      if (place !== null) positions.put(place.file, place.position, (value + 1) as Value);
      asked.positions++;
      return value;
    } catch (error) {
      if (error !== WAIT) throw error;
      return null;
    }
  }

  /** Null if all positions of the slice are drawn, or the side is left out: nothing had to be read. */
  async function fetch({ slice, side, part, key }: Missing): Promise<Read | null> {
    const sides = opened.get(slice) ?? [];
    opened.set(slice, sides);
    if (sides[side] === undefined && publication.leavesOut(slice, side)) sides[side] = LEFT_OUT;
    if (sides[side] === undefined) {
      const there = await open(slice, side);
      // Another search may have opened it while this one waited.
      sides[side] ??= there === null ? null : { file: cache.add(there), width: game.slice(slice).width };
    }
    const there = sides[side];
    if (there === null || there === LEFT_OUT) return null;
    return { slice, side, part, key, value: await cache.value(there.file, part * there.width + key) };
  }

  async function open(slice: string, side: Side): Promise<Published | null> {
    if (!publication.has(slice) && drawnThroughout(game.slice(slice))) return null;
    return publication.file(slice, side);
  }

  /** Several may wait at the same time, each with what it has read. */
  async function value(board: Board): Promise<Outcome> {
    const mine: Read[] = [];
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
    metric: 'wdl',
    value,
    code: value,
    valueAtHand,
    counters: { search: search.counters, blocks: cache.counts, asked },

    async probe(board) {
      const legal = game.moves(board);
      const [code, ...after] = await Promise.all([value(board), ...legal.map((move) => value(move.board))]);
      const { slice } = game.locate(board);
      const moves: ProbedMove<Board>[] = legal.map((move, i) => {
        const result = Math.sign(backUp(after[i], 'wdl', false));
        const conversion = game.locate(move.board).slice !== slice;
        return { ...move, conversion, restarts: false, code: result, ...decodeValue(result, 'wdl') };
      });
      const ordered = sort(moves).by([{ desc: (move) => move.code }, { asc: (move) => move.uci }]);
      const best = ordered[0];
      if (best !== undefined && best.code !== code) {
        throw new StorageError(
          publication.where(slice),
          `says ${decodeValue(code, 'wdl').wdl} for ${game.format(board)}, but its moves give ${best.wdl}`,
        );
      }
      return { code, ...decodeValue(code, 'wdl'), moves: ordered };
    },
  };
}
