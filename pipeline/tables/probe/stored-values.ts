/**
 * The values of published files, for a search without promises. A value that is not in memory ends the search, is
 * read, and the search starts again. So a lookup of a value in memory costs no promise.
 */
import type { Game, Side } from '../../game/game.js';
import type { IndexOrder } from '../../game/index-order.js';
import type { WdlSymbol } from '../codec/symbols.js';
import { orderOfFile } from '../published/ordered-symbols.js';
import type { Publication } from '../published/publication.js';
import type { Published } from '../published/reader.js';
import type { RunCache } from '../published/run-cache.js';
import { drawnThroughout } from './drawn-throughout.js';
import type { Outcome } from './search.js';

/** An open file. */
interface Opened {
  /** Its number in the cache. */
  readonly file: number;
  readonly width: number;
  readonly order: IndexOrder | null;
}

/** The position whose value a search waits for. */
export interface MissingValue {
  readonly slice: string;
  readonly side: Side;
  readonly part: number;
  readonly key: number;
}

export interface ReadValue extends MissingValue {
  readonly value: WdlSymbol;
}

/** Where the file has a position. */
function positionIn({ width, order }: Opened, part: number, key: number): number {
  const index = part * width + key;
  return order === null ? index : order.placeOf(index);
}

/** A side that is left out. */
const LEFT_OUT: unique symbol = Symbol('left out');

/** A position of a file, by the number that the cache gave the file. */
export interface PlaceInFile {
  readonly file: number;
  readonly position: number;
}

export interface StoredValues<Board> {
  /** The value in the published file; null if its side is left out. Calls `miss` for a value that is not in memory. */
  stored(board: Board, read: readonly ReadValue[], miss: (at: MissingValue) => never): Outcome | null;
  /** The place of a board that was searched for; null if its slice is not open, or has no file. */
  placeOf(board: Board): PlaceInFile | null;
  /** Reads a value. Null if all positions of the slice are drawn, or the side is left out: nothing had to be read. */
  fetch(missing: MissingValue): Promise<ReadValue | null>;
}

export function newStoredValues<Board>(
  game: Game<Board>,
  publication: Publication,
  cache: RunCache,
): StoredValues<Board> {
  /** By slice: the files of its sides; null where all positions are drawn and there is none. */
  const opened = new Map<string, (Opened | typeof LEFT_OUT | null | undefined)[]>();

  async function open(slice: string, side: Side): Promise<Published | null> {
    if (!publication.has(slice) && drawnThroughout(game.slice(slice))) return null;
    return publication.file(slice, side);
  }

  function add(there: Published, name: string, side: Side): Opened {
    const slice = game.slice(name);
    const order = orderOfFile(there, slice, side);
    return { file: cache.add(there), width: slice.width, order };
  }

  return {
    stored(board, read, miss) {
      const { slice, side, part, key } = game.locate(board);
      const there = opened.get(slice)?.[side];
      if (there === undefined) return miss({ slice, side, part, key });
      if (there === LEFT_OUT) return null;
      if (there === null) return 0;
      const value = cache.valueIfCached(there.file, positionIn(there, part, key));
      if (value >= 0) return (value - 1) as Outcome;
      for (const known of read) {
        if (known.key === key && known.part === part && known.side === side && known.slice === slice) {
          return (known.value - 1) as Outcome;
        }
      }
      return miss({ slice, side, part, key });
    },
    placeOf(board) {
      const { slice, side, part, key } = game.locate(board);
      const there = opened.get(slice)?.[side];
      if (there === LEFT_OUT || !there) return null;
      return { file: there.file, position: positionIn(there, part, key) };
    },
    async fetch({ slice, side, part, key }) {
      const sides = opened.get(slice) ?? [];
      opened.set(slice, sides);
      if (sides[side] === undefined && publication.leavesOut(slice, side)) sides[side] = LEFT_OUT;
      if (sides[side] === undefined) {
        const there = await open(slice, side);
        // Another search may have opened it while this one waited.
        if (sides[side] === undefined) sides[side] = there === null ? null : add(there, slice, side);
      }
      const there = sides[side];
      if (there === null || there === LEFT_OUT) return null;
      const value = await cache.value(there.file, positionIn(there, part, key));
      return { slice, side, part, key, value: value as WdlSymbol };
    },
  };
}
