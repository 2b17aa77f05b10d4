/**
 * The least memory in which a slice that streams is solved and verified. Work on a part is cut into stretches of rows as far as it
 * can be; what a phase needs of a whole part at a time is listed here. Parts are narrow, but for those of chess with six men and more: a
 * part has at least one pair of kings, and 64 times as many positions for each further piece.
 */
import { UserError } from '../../operators/core/errors.js';
import { isClocked } from '../game/clocked.js';
import type { Slice, SliceCatalogue, SliceIndex } from '../game/game.js';
import { bitBytes } from '../game/labels.js';
import type { Strategy } from '../game/strategy.js';
import type { Metric } from '../game/value.js';
import { bytesOfRank } from './best-moves.js';
import { markBytes, mostPageBytes } from './label-planes.js';
import { type MemoryPhase, MOST_PIECES, PHASE_MEMORY, STRETCH_UNIT } from './memory.js';
import { type RowedSlice, rowsOf } from './rows.js';

/** A slice, as far as the width of its parts and its kernels are concerned. */
type Streaming = SliceIndex & RowedSlice & Partial<Pick<Slice, 'rowMoves' | 'unconversions'>>;

/** Bytes of a partition, and the phase that needs them. */
export interface LeastMemory {
  readonly bytes: number;
  readonly phase: MemoryPhase;
}

/**
 * Parts that are no wider than this are never refused. What they need is a few MiB at most, which is among the memory that a process takes
 * beside its budget (docs/speed.md).
 */
const NARROW = 2 ** 18;

/** Most bytes of tables by which values become ranks: some of 64 KiB for each side and scale. */
const RANK_TABLES = 2 ** 20;

/** What phases need of a part at a time; fractions are those of {@link PHASE_MEMORY}. @param metric as of `rowsOf`. */
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
  const { unconvert, rounds, finish, verify } = PHASE_MEMORY;
  const rows = rowsOf(slice, strategy, metric);
  const hasNumbers = rows.numbering !== null;
  // A piece of each.
  const byKeys =
    (2 * bytesOfRank(hasNumbers) * 2 ** Math.ceil(Math.log2(Math.max(width, widest) / MOST_PIECES))) /
    verify.successors;
  // With numbers, each rank has one; and a stretch has what its moves count and what it expects.
  const byRows =
    (RANK_TABLES + (hasNumbers ? 5 : 2) * STRETCH_UNIT + (hasNumbers ? 2 : 1) * (width + widest)) /
    (verify['best moves'] + verify.successors + verify.requests);
  const needs: [phase: MemoryPhase, bytes: number][] = [
    ['unconvert', Math.max(0, ...wanted) / unconvert['wanted keys']],
    ['rounds', (mostPageBytes(width, rows) + markBytes(width, rows)) / rounds.labels],
    ['finish', (bitBytes(width) + (hasNumbers ? 3 : 2) * STRETCH_UNIT) / finish.values],
    ['verify', Math.max(byKeys, slice.rowMoves === undefined ? 0 : byRows)],
  ];
  const [phase, bytes] = needs.reduce((most, each) => (each[1] > most[1] ? each : most));
  return { phase, bytes: Math.max(width, widest) <= NARROW ? 0 : Math.ceil(bytes) };
}

/** How slices are solved, and with what. */
export interface Affording {
  readonly game: Pick<SliceCatalogue<Streaming>, 'slice'>;
  readonly metric: Metric;
  readonly strategy: Strategy;
  /** Bytes of a process, and how many partitions of a slice share them at least. */
  readonly memory: number;
  readonly sharing?: number;
}

/**
 * Called before anything is begun.
 * @throws UserError with the memory that the neediest of the slices takes, if that is more than there is.
 */
export function requireMemory(
  { game, metric, strategy, memory, sharing = 1 }: Affording,
  slices: readonly string[],
): void {
  // Those that are solved in memory are refused elsewhere (clocked.ts).
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
