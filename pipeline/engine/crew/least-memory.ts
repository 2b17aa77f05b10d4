/**
 * The least memory with which a streaming slice can be solved and verified. Most work on a part is done in stretches of rows; this file
 * lists what the phases need for a whole part at once. Only parts of chess with six men and more are wide: a part has all positions of at
 * least one pair of kings, 64 times as many for each further piece.
 */
import { UserError } from '../../../operators/core/errors.js';
import { isClocked } from '../../game/clocked.js';
import type { Slice, SliceCatalogue, SliceIndex } from '../../game/game.js';
import { bitBytes } from '../../game/labels.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { bytesOfRank } from '../memory/best-moves.js';
import { markBytes, mostPageBytes } from '../memory/label-planes.js';
import { type MemoryPhase, MOST_PIECES, PHASE_MEMORY, STRETCH_UNIT } from '../memory/phase-memory.js';
import { type RowedSlice, rowsOf } from '../memory/rows.js';

/** A slice, as far as the width of its parts and its kernels are concerned. */
type Streaming = SliceIndex & RowedSlice & Partial<Pick<Slice, 'rowMoves' | 'unconversions'>>;

/** Bytes of a partition, and the phase that needs them. */
export interface LeastMemory {
  readonly bytes: number;
  readonly phase: MemoryPhase;
}

/**
 * Slices with parts no wider than this are never refused. They need a few MiB at most, which docs/speed.md counts among the memory of a
 * process beside its budget.
 */
const NARROW = 2 ** 18;

/** Most bytes of the tables that turn values into ranks: a few of 64 KiB for each side and scale. */
const RANK_TABLES = 2 ** 20;

/**
 * The phase that needs most, and the budget with which it gets that much: a buffer has only its fraction of the budget ({@link PHASE_MEMORY}).
 * @param metric as in `rowsOf`.
 */
export function leastMemory(
  game: Pick<SliceCatalogue<Streaming>, 'slice'>,
  slice: Streaming,
  strategy: Strategy,
  metric?: Metric,
): LeastMemory {
  const width = slice.partSize(0);
  const there = slice.dependencies.map((dependency) => game.slice(dependency.slice).partSize(0));
  const widest = Math.max(0, ...there);
  const wanted = slice.dependencies.map(({ keysThere }, d) =>
    keysThere === undefined ? 0 : bitBytes(there[d]),
  );
  const { unconvert, 'convert by rows': convertByRows, rounds, finish, verify } = PHASE_MEMORY;
  const rows = rowsOf(slice, strategy, metric);
  const hasNumbers = rows.numbering !== null;
  // A piece of the slice and one of a dependency.
  const piece = 2 ** Math.ceil(Math.log2(Math.max(width, widest) / MOST_PIECES));
  const byKeys = (2 * bytesOfRank(hasNumbers) * piece) / verify.successors;
  // With numbers, a number lies beside each rank, and beside a best rank the count of moves and the rank that the position expects.
  const [ofRank, ofBest] = hasNumbers ? [2, 3] : [1, 1];
  const byRows =
    (RANK_TABLES + (1 + ofBest) * STRETCH_UNIT + ofRank * (width + widest)) /
    (verify['best moves'] + verify.successors + verify.requests);
  const adds = rows.numbering === 'solutions' && there.length > 0;
  const converted = (RANK_TABLES + 2 * STRETCH_UNIT + 2 * (width + widest)) / convertByRows.ranks;
  const needs: [phase: MemoryPhase, bytes: number][] = [
    adds ? ['convert by rows', converted] : ['unconvert', Math.max(0, ...wanted) / unconvert['wanted keys']],
    ['rounds', (mostPageBytes(width, rows) + markBytes(width, rows)) / rounds.labels],
    ['finish', (bitBytes(width) + (hasNumbers ? 3 : 2) * STRETCH_UNIT) / finish.values],
    ['verify', Math.max(byKeys, slice.rowMoves === undefined ? 0 : byRows)],
  ];
  const [phase, bytes] = needs.reduce((most, each) => (each[1] > most[1] ? each : most));
  return { phase, bytes: Math.max(width, widest) <= NARROW ? 0 : Math.ceil(bytes) };
}

/** How slices are solved, and with how much memory. */
export interface Affording {
  readonly game: Pick<SliceCatalogue<Streaming>, 'slice'>;
  readonly metric: Metric;
  readonly strategy: Strategy;
  /** Bytes of a process, and the least number of partitions of a slice that share them. */
  readonly memory: number;
  readonly sharing?: number;
}

/**
 * Called before work begins.
 * @throws UserError if a slice needs more memory than there is. The message gives the memory that suffices for all.
 */
export function requireMemory(
  { game, metric, strategy, memory, sharing = 1 }: Affording,
  slices: readonly string[],
): void {
  // Slices with values by clock are solved in memory; clocked.ts refuses those that do not fit.
  if (isClocked(metric)) return;
  let worst: (LeastMemory & { readonly slice: string }) | undefined;
  for (const slice of slices) {
    const least = leastMemory(game, game.slice(slice), strategy, metric);
    if (least.bytes > (worst?.bytes ?? memory / sharing)) worst = { ...least, slice };
  }
  if (worst === undefined) return;
  const mebibytes = Math.ceil((sharing * worst.bytes) / 2 ** 20);
  const shared = sharing === 1 ? '' : `, for ${sharing} partitions`;
  throw new UserError(
    `${worst.slice} has parts of ${game.slice(worst.slice).partSize(0)} positions, and needs ${mebibytes} MiB for buffers${shared}: give --memory ${mebibytes}MiB or more`,
  );
}
