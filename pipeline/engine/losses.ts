/**
 * Strikes the counts of parts, in a round that labels losses.
 *
 * Counts that lie in memory are struck as the requests come. Others would have to be read and written again for it, though in late rounds
 * most requests hit positions that are won already, whose counts no longer matter. So the requests of such a part are kept. If they stay
 * few, they strike the part's bits `unwon` first, which are fewer than the counts. What that clears are the struck positions that are not
 * won; the bits are put back. Then the sectors of the counts that hold such positions are read, struck by the same requests, and written.
 * Elsewhere the counts in memory are anything, and what the strikes find there is dropped.
 *
 * Many requests would leave no sector alone: they strike the counts when there are more than a few for each sector. Nor are the counts of
 * narrow parts worth the trouble: they are read and written in less time than it takes.
 *
 * Memory: the requests of a part, and the positions that they clear; a part with more of either is struck as a whole.
 */
import type { SomeRows } from '../../operators/runs/dense-blocks.js';
import type { Batch } from '../../operators/runs/types.js';
import type { LabelledSets, RowKernels, RowLabels, SetColumns, Side } from '../game/game.js';
import { setBit } from '../game/labels.js';
import type { LabelPlanes } from './label-planes.js';
import { areSets, bitsIn, setsOf } from './rows.js';

/** How rows strike a part: as they are, or by the unmoves that stay in the part. */
export type StrikeKind = 'rows' | 'within';

/** Returns how many sets struck the part where `kind` is within it. @param from the side to move of the sets that are unmoved. */
export function strikeBatch(
  labels: RowLabels,
  kind: StrikeKind,
  { from, part }: { readonly from: Side; readonly part: number },
  batch: Batch,
): number {
  if (kind === 'within') return labels.strikeWithin(from, part, setsOf(batch), batch.length);
  if (areSets(batch)) labels.strikeRows(setsOf(batch), batch.length);
  else labels.strikeKeys(batch.minor, batch.length);
  return 0;
}

/** Bytes of a set that is kept. */
const SET_BYTES = 12;
/** A request strikes some ten rows by the unmoves of its men, and few of these in positions that are not won. */
const SETS_A_SECTOR = 8;
/**
 * Only counts that take at least this share of the memory for labels are left alone where they can be. In KBNKN in 64 MiB, whose parts
 * take 1/200 of it, a seventh fewer bytes were written, at the price of a quarter more CPU in the rounds.
 */
const LEAST_SHARE = 1 / 32;

/** Batches of a part in room for so many rows, to be struck again. */
class KeptBatches {
  private readonly rows: SetColumns;
  private length = 0;
  private readonly kept: { readonly kind: StrikeKind; readonly from: number; readonly areSets: boolean }[] =
    [];

  constructor(readonly room: number) {
    this.rows = newSets(room);
  }

  clear(): void {
    this.length = 0;
    this.kept.length = 0;
  }

  /** Returns whether all are at most so many now; else the batch is not kept. */
  add(kind: StrikeKind, batch: Batch, most: number): boolean {
    const { minor, low, high } = setsOf(batch);
    if (this.length + batch.length > Math.min(most, this.room)) return false;
    this.kept.push({ kind, from: this.length, areSets: areSets(batch) });
    this.rows.minor.set(minor.subarray(0, batch.length), this.length);
    if (areSets(batch)) {
      this.rows.low.set(low.subarray(0, batch.length), this.length);
      this.rows.high.set(high.subarray(0, batch.length), this.length);
    }
    this.length += batch.length;
    return true;
  }

  *all(): Generator<{ readonly kind: StrikeKind; readonly batch: Batch }> {
    for (const [i, { kind, from, areSets }] of this.kept.entries()) {
      const to = this.kept[i + 1]?.from ?? this.length;
      const { minor, low, high } = this.rows;
      const payload = areSets ? [low.subarray(from, to), high.subarray(from, to)] : [];
      yield { kind, batch: { major: 0, length: to - from, minor: minor.subarray(from, to), payload } };
    }
  }
}

function newSets(room: number): SetColumns {
  return { minor: new Uint32Array(room), low: new Uint32Array(room), high: new Uint32Array(room) };
}

export class LossStriker {
  private readonly kept: KeptBatches;
  /** The sets of a part that the requests clear: positions that are struck and not won. */
  private readonly cleared: SetColumns;
  private readonly room: number;
  private clearedLength = 0;
  private side: Side = 0;
  private part = -1;
  /** How many sets may be kept of the part; 0: its counts are struck. */
  private most = 0;

  /** @param memory bytes for the sets of a part. */
  constructor(
    private readonly labels: RowLabels,
    private readonly rows: RowKernels,
    private readonly planes: LabelPlanes,
    memory: number,
  ) {
    this.room = planes.allFit ? 0 : Math.max(1, Math.floor(memory / SET_BYTES / 2));
    this.kept = new KeptBatches(this.room);
    this.cleared = newSets(this.room);
  }

  /** Turns to a part of the positions of a side. */
  async enter(side: Side, part: number): Promise<void> {
    this.side = side;
    this.part = part;
    this.kept.clear();
    const { planes } = this;
    const areStruck = !this.areTogether || !this.areWide(part) || planes.counts[side].holds(part);
    this.most = areStruck ? 0 : planes.sectorsOf('counts', side, part) * SETS_A_SECTOR;
    if (this.most === 0) await this.turnToCounts();
  }

  /** Whether the counts of a row lie together: those of several bytes a position lie in planes of the whole part. */
  private get areTogether(): boolean {
    return this.rows.width > 1 || this.rowBytes === 1;
  }

  /** Whether the counts of a part are worth being left alone. */
  private areWide(part: number): boolean {
    const { planes, side } = this;
    return (
      !planes.allFit && planes.bytesOf('counts', side, part) >= LEAST_SHARE * planes.memory.content.length
    );
  }

  private async turnToCounts(wanted?: SomeRows): Promise<void> {
    const counts = await this.planes.counts[this.side].load(this.part, wanted);
    this.labels.label('lost', this.side, counts, this.part);
  }

  /** Whether a batch can be kept; else {@link strike} is called with it, after {@link strikeAll} if anything is kept. */
  keep(kind: StrikeKind, batch: Batch): boolean {
    return this.most > 0 && this.kept.add(kind, batch, this.most);
  }

  /** Whether the counts are struck at once. */
  get strikesCounts(): boolean {
    return this.most === 0;
  }

  /** Strikes the labels that were turned to. Returns how many sets of the part itself struck it. */
  strike(kind: StrikeKind, batch: Batch): number {
    return strikeBatch(this.labels, kind, { from: (1 - this.side) as Side, part: this.part }, batch);
  }

  /** Strikes the counts by what was kept, and from now on at once. Returns as `strike`. */
  async strikeAll(): Promise<number> {
    this.most = 0;
    await this.turnToCounts();
    return this.strikeKept();
  }

  private strikeKept(): number {
    let sets = 0;
    for (const { kind, batch } of this.kept.all()) sets += this.strike(kind, batch);
    return sets;
  }

  /**
   * Strikes the bits of what is not won by what was kept, and puts them back. The sets that this clears are in `cleared`.
   * @returns as `strike`, and whether there was room for all sets.
   */
  private async clear(): Promise<{ sets: number; fits: boolean }> {
    const { labels, cleared, room, side, part } = this;
    const bits = await this.planes.unwon[side].load(part);
    labels.label('won', side, bits, part);
    const sets = this.strikeKept();
    this.clearedLength = 0;
    let fits = true;
    while (labels.hasLabelled()) {
      const found = labels.drain();
      if (this.rows.width === 1) for (let i = 0; i < found.length; i++) setBit(bits, found.minor[i]);
      else putSets(bits, found);
      fits &&= this.clearedLength + found.length <= room;
      if (!fits) continue;
      cleared.minor.set(found.minor.subarray(0, found.length), this.clearedLength);
      cleared.low.set(found.low.subarray(0, found.length), this.clearedLength);
      cleared.high.set(found.high.subarray(0, found.length), this.clearedLength);
      this.clearedLength += found.length;
    }
    return { sets, fits };
  }

  /**
   * Ends the strikes of the part. Calls `lost` with the positions that are lost now, in order; they are valid until it returns.
   * @returns as `strike`, of what was kept.
   */
  async leave(lost: (found: LabelledSets) => Promise<void>): Promise<number> {
    const { labels } = this;
    const counts = this.planes.counts[this.side];
    if (this.most === 0) {
      counts.dirty();
      while (labels.hasLabelled()) await lost(labels.drain());
      return 0;
    }
    const { sets, fits } = await this.clear();
    if (!fits) {
      await this.strikeAll();
      await this.leave(lost);
      return sets;
    }
    if (this.clearedLength === 0) return sets;
    await this.turnToCounts(this.countsOfCleared);
    this.strikeKept();
    counts.dirty(this.countsOfCleared);
    for (let from = 0; labels.hasLabelled(); ) {
      const { some, next } = this.amongCleared(labels.drain(), from);
      from = next;
      if (some.length > 0) await lost(some);
    }
    return sets;
  }

  /** The counts of the cleared sets. */
  private get countsOfCleared(): SomeRows {
    return { numbers: this.cleared.minor, length: this.clearedLength, bytes: this.rowBytes };
  }

  /** Bytes of the counts of a row. */
  private get rowBytes(): number {
    return (this.rows.width * this.rows.countPlanes[this.side]) / 8;
  }

  /** What is both among the cleared sets, from the `from`-th on, and found: both ascend. */
  private amongCleared(
    found: LabelledSets,
    from: number,
  ): { readonly some: LabelledSets; readonly next: number } {
    const { cleared, clearedLength, rows } = this;
    const { minor, low, high } = found;
    let next = from;
    let length = 0;
    let positions = 0;
    for (let i = 0; i < found.length; i++) {
      while (next < clearedLength && cleared.minor[next] < minor[i]) next++;
      if (next === clearedLength || cleared.minor[next] !== minor[i]) continue;
      if (rows.width > 1) {
        const evens = low[i] & cleared.low[next];
        const odds = high[i] & cleared.high[next];
        if ((evens | odds) === 0) continue;
        low[length] = evens;
        high[length] = odds;
        positions += bitsIn(evens) + bitsIn(odds);
      } else positions++;
      minor[length++] = minor[i];
    }
    return { some: { length, minor, low, high, positions }, next };
  }
}

function putSets(bits: Uint8Array, { minor, low, high, length }: LabelledSets): void {
  for (let i = 0; i < length; i++) {
    const at = 8 * minor[i];
    for (let byte = 0; byte < 4; byte++) {
      bits[at + byte] |= (low[i] >>> (8 * byte)) & 255;
      bits[at + 4 + byte] |= (high[i] >>> (8 * byte)) & 255;
    }
  }
}
