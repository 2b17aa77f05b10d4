/**
 * The best of the moves of all positions of a part, by the ranks of the positions that they lead to (successor-ranks.ts). By rows a move
 * of 64 positions is one comparison of rows, and no move becomes a request. By keys moves are made one by one. Those that stay in
 * the part are looked up at once, since it is in the cache; the others become requests (successor | asker), which are joined with the
 * ranks part by part. Where parts are held in pieces, all are requests, which are joined piece by piece.
 */
import type { createPool } from '../../../operators/distribute/pool.js';
import { joinByMajor } from '../../../operators/join-by-major.js';
import { newRows } from '../../../operators/runs/rows.js';
import type { RowSource, Rows } from '../../../operators/runs/types.js';
import { newCensus } from '../../game/fill-census.js';
import type { Census, Emission, RowMoves, RowRanks, Side, Slice } from '../../game/game.js';
import { MOST_NUMBER, type Numbering } from '../../game/labelling.js';
import { hasBit } from '../../game/labels.js';
import { firstMajorBehind } from '../../game/majors.js';
import type { Context } from './context.js';
import { MOST_PIECES, STRETCH_UNIT } from './phase-memory.js';
import { type RankSource, SuccessorRanks } from './successor-ranks.js';

/** A slice whose moves are made. */
export type MovesContext = Pick<Context<Slice>, 'slice' | 'counters'>;

/** Whether moves to a table count: 0 is the slice's own, those of its dependencies follow. */
export type Wanted = (table: number) => boolean;

/** How moves are counted: what a number counts, and how many bytes behind the best rank of a position its count lies. */
export interface Counting {
  readonly numbering: Numbering;
  readonly best: number;
}

/** Ranks have a byte, in memory that the kernels reach; so are all arrays that `raise` takes. */
export class RowBest extends SuccessorRanks<Uint8Array> {
  protected readonly rows: RowRanks;
  private readonly conversionBias: readonly number[];
  private readonly isCounting: boolean;

  /**
   * @param memory of all, of which callers may `allocate` so many bytes.
   * @param counting where moves count for positions.
   */
  constructor(
    protected readonly moving: MovesContext,
    rowMoves: RowMoves,
    source: RankSource<Uint8Array>,
    scales: number,
    memory: number,
    bytes: number,
    counting: Counting | null = null,
  ) {
    super(source, scales, memory - bytes, counting === null ? 1 : 2);
    this.isCounting = counting !== null;
    const [own, dependencies] = [this.own.width, this.dependencies.width];
    this.rows = rowMoves.open(
      this.bytes + bytes,
      counting === null ? undefined : { ...counting, own, dependencies },
    );
    this.conversionBias = this.majors.slice(2);
  }

  close(): void {
    this.rows.close();
  }

  allocate(width: number): Uint8Array {
    return this.rows.allocate(width);
  }

  /** Ranks of a part, with its numbers behind them if there are any. */
  protected allocateRanks(width: number): Uint8Array {
    return this.rows.allocate(this.isCounting ? 2 * width : width);
  }

  protected override finishOwn(ranks: Uint8Array, side: Side, part: number, _scale: number): boolean {
    this.rows.complete(side, part, ranks);
    return true;
  }

  /**
   * Raises `best`, of the positions of a part from `first` on, by their moves, by a scale. Returns whether all that they lead to have
   * ranks.
   */
  async raise(
    side: Side,
    part: number,
    first: number,
    best: Uint8Array,
    scale: number,
    wanted?: Wanted,
  ): Promise<boolean> {
    const biases = this.conversionBias;
    const bias = firstMajorBehind(this.moving.slice, side);
    const behind = this.rows.behind(side, part, bias, biases);
    const some = (majors: readonly number[]) =>
      wanted === undefined ? majors : majors.filter((major) => wanted(this.tableOf(major)));
    const own = some(behind.own);
    const dependencies = some(behind.dependencies);
    const most = this.own.places;
    const theirMost = this.dependencies.places;
    for (let i = 0; i * most < own.length || i * theirMost < dependencies.length; i++) {
      const { isComplete, ranks } = await this.loadAll(
        [...own.slice(i * most, (i + 1) * most), ...dependencies.slice(i * theirMost, (i + 1) * theirMost)],
        scale,
      );
      if (!isComplete) return false;
      this.rows.raise(side, part, first, bias, biases, ranks, best);
    }
    return true;
  }
}

/** Indices whose moves are made together, and rows of moves that are made at a time: both stay in the inner cache. */
const BATCH_INDICES = 1 << 11;
const BATCH_MOVES = 1 << 12;

/**
 * Ranks have two bytes, and one scale. Where positions have numbers, ranks have four bytes (`numberedRank`), and the numbers of equally good
 * moves are added up.
 */
export abstract class KeyBest extends SuccessorRanks<KeyRanks> {
  /** Moves that were made. */
  protected made = 0;
  private readonly census = newCensus(BATCH_INDICES);
  protected readonly keys = new Uint32Array(BATCH_INDICES);
  /** By number in `keys`: the best of the moves that stay in the part. */
  private readonly nearby: KeyRanks;
  private readonly rows: Rows;
  /** The rows, with numbers in `keys` in place of askers. */
  private readonly moves: Emission;

  /** Bits of a key that are its place in a piece; those above are the number of the piece. */
  private readonly shift: number;

  constructor(
    protected readonly moving: MovesContext,
    source: RankSource<KeyRanks>,
    memory: number,
    private readonly isNumbered: boolean,
  ) {
    const bytes = bytesOfRank(isNumbered);
    const shift = pieceShift(source, memory, bytes);
    super(source, 1, memory, bytes, 2 ** shift);
    this.shift = shift;
    this.nearby = this.allocate(BATCH_INDICES);
    this.rows = newRows(Math.max(BATCH_MOVES, moving.slice.maxMoves), 1);
    const { major, minor, payload } = this.rows;
    this.moves = { length: 0, major, minor, source: payload[0] };
  }

  /** The census of some indices, of which the first is number `at` of `best`. */
  protected note(_side: Side, _census: Census, _at: number, _length: number, _best: KeyRanks): void {}

  protected allocateRanks(width: number): KeyRanks {
    return this.allocate(width);
  }

  protected allocate(width: number): KeyRanks {
    return this.isNumbered ? new Uint32Array(width) : new Uint16Array(width);
  }

  /** Raises `best` by the moves of the positions of a part from `first` on. @param pool for requests. */
  async raise(
    side: Side,
    part: number,
    first: number,
    best: KeyRanks,
    pool: ReturnType<typeof createPool>,
  ): Promise<void> {
    await joinByMajor(
      this.requests(side, part, first, best),
      async (major) => {
        const { pieces } = this;
        return (await this.load(Math.floor(major / pieces), 0, major % pieces)).ranks;
      },
      (_major, keys, askers, found) => this.raiseBy(best, askers, found as KeyRanks, keys),
      { majors: this.pieces * this.majors.at(-1)!, pool, counters: this.moving.counters },
    );
  }

  /**
   * Makes the moves of positions of a part. Those that stay in the part are looked up, and `best` raised by them; the
   * others come out as requests (successor | asker's number in `best`). Their majors are those of the ranks, or number their pieces.
   */
  private async *requests(side: Side, part: number, start: number, best: KeyRanks): RowSource {
    const { slice } = this.moving;
    const { keys, nearby, moves } = this;
    const there = firstMajorBehind(slice, side);
    const conversionBias = Uint32Array.from(this.majors.slice(2));
    for (let at = 0; at < best.length; at += BATCH_INDICES) {
      const open = this.classify(side, part, start, at, best);
      nearby.fill(0, 0, open);
      for (let from = 0; from < open; ) {
        moves.length = 0;
        from = slice.moves(side, part, keys, from, open, there, moves);
        this.made += moves.length;
        // While requests were answered, the ranks of another part may have taken this place.
        if (this.pieces === 1) {
          const { ranks } = await this.load(there + part, 0);
          if (this.isNumbered) addWithin(nearby, moves, there + part, ranks);
          else raiseWithin(nearby, moves, there + part, ranks);
        }
        if (moves.length > 0) yield this.asRequests(start);
      }
      for (let i = 0; i < open; i++) {
        const number = keys[i] - start;
        if (this.isNumbered) best[number] = withMore(best[number], nearby[i]);
        else if (nearby[i] > best[number]) best[number] = nearby[i];
      }
      for (let from = 0; from < open; ) {
        moves.length = 0;
        from = slice.conversions(side, part, keys, from, open, conversionBias, moves);
        this.made += moves.length;
        if (moves.length > 0) yield this.asRequests(start);
      }
    }
  }

  /** Puts the keys of positions with moves in `keys`, and returns their number. */
  private classify(side: Side, part: number, start: number, at: number, best: KeyRanks): number {
    const { census, keys } = this;
    const length = Math.min(BATCH_INDICES, best.length - at);
    const first = start + at;
    this.moving.slice.census(side, part, first, length, census);
    for (let i = 0; i < census.lost; i++) census.lostKeys[i] -= start;
    this.note(side, census, at, length, best);
    let open = 0;
    for (let i = 0; i < length; i++) if (hasBit(census.open, i)) keys[open++] = first + i;
    return open;
  }

  private raiseBy(best: KeyRanks, askers: Uint32Array, ranks: KeyRanks, keys: Uint32Array): void {
    if (!this.isNumbered) raise(best, askers, ranks, keys);
    else for (let i = 0; i < askers.length; i++) best[askers[i]] = withMore(best[askers[i]], ranks[keys[i]]);
  }

  /** The rows of `moves`, as requests. */
  private asRequests(start: number): Rows {
    const { major, minor, source, length } = this.moves;
    const { pieces, shift } = this;
    for (let i = 0; i < length; i++) source[i] = this.keys[source[i]] - start;
    if (pieces > 1)
      for (let i = 0; i < length; i++) {
        major[i] = major[i] * pieces + (minor[i] >>> shift);
        minor[i] &= 2 ** shift - 1;
      }
    this.rows.length = length;
    return this.rows;
  }
}

export type KeyRanks = Uint16Array | Uint32Array;

export function bytesOfRank(isNumbered: boolean): number {
  return isNumbered ? Uint32Array.BYTES_PER_ELEMENT : Uint16Array.BYTES_PER_ELEMENT;
}

/** A rank of 16 bits, and the number of the position that has it. */
export function numberedRank(rank: number, number: number): number {
  return rank * 256 + number;
}

/** The better of two numbered ranks; of equal ones the sum of their numbers, which are 0 where nothing is known yet. */
function withMore(best: number, more: number): number {
  if (best >>> 8 !== more >>> 8) return best > more ? best : more;
  return (best & ~255) | Math.min(MOST_NUMBER, (best & 255) + (more & 255));
}

/**
 * Binary logarithm of the positions in a piece: one piece of the slice and one of a dependency fit in `memory`, as whole parts if these do.
 */
function pieceShift(
  { indices: [own, ...dependencies] }: RankSource<KeyRanks>,
  memory: number,
  bytes: number,
): number {
  const width = own.partSize(0);
  const widest = Math.max(1, ...dependencies.map((slice) => slice.partSize(0)));
  const room = memory / bytes;
  const whole = Math.ceil(Math.log2(Math.max(width, widest)));
  if (width + widest <= room) return whole;
  const least = Math.max(Math.log2(STRETCH_UNIT), whole - Math.log2(MOST_PIECES));
  return Math.min(whole, Math.max(least, Math.floor(Math.log2(room / 2))));
}

function raise(best: KeyRanks, askers: Uint32Array, ranks: KeyRanks, keys: Uint32Array): void {
  for (let i = 0; i < askers.length; i++) {
    const rank = ranks[keys[i]];
    const asker = askers[i];
    if (rank > best[asker]) best[asker] = rank;
  }
}

/** As `raiseWithin`, for numbered ranks. */
function addWithin(best: KeyRanks, moves: Emission, within: number, ranks: KeyRanks): void {
  const { major, minor, source, length } = moves;
  let left = 0;
  for (let i = 0; i < length; i++) {
    if (major[i] === within) best[source[i]] = withMore(best[source[i]], ranks[minor[i]]);
    else {
      major[left] = major[i];
      minor[left] = minor[i];
      source[left++] = source[i];
    }
  }
  moves.length = left;
}

/** Raises best[source] by the ranks of the moves with the given major, and takes these out of the emission. */
function raiseWithin(best: KeyRanks, moves: Emission, within: number, ranks: KeyRanks): void {
  const { major, minor, source, length } = moves;
  let left = 0;
  for (let i = 0; i < length; i++) {
    const asker = source[i];
    if (major[i] === within) {
      const rank = ranks[minor[i]];
      if (rank > best[asker]) best[asker] = rank;
    } else {
      major[left] = major[i];
      minor[left] = minor[i];
      source[left++] = asker;
    }
  }
  moves.length = left;
}
