/**
 * Makes tables from published files, so that slices that convert to published ones can be solved. Stored values are taken as they are;
 * a search finds those that are left out, as in a probe. The tables are those of the metric `wdl`, with the same digests.
 */

import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { CENSUS_ROWS, newCensus, piecesOf, readStatus } from '../../game/fill-census.js';
import { type Game, type Side, type Slice, Status } from '../../game/game.js';
import { readManifest, TableManifest } from '../../game/manifest.js';
import { type PlannedSlice, planSlices } from '../../game/plan.js';
import type { ProgressListener } from '../../game/progress.js';
import { eachRepeat } from '../../game/repeats.js';
import { PUBLISHED_METRIC } from '../../game/stipulation.js';
import { brokenCode } from '../../game/value.js';
import { halfOf } from '../../game/views.js';
import { DRAW } from '../../tables/codec/symbols.js';
import { makeTable } from '../../tables/made-table.js';
import { newPublishedProber, type PublishedProber } from '../../tables/probe/published-prober.js';
import { valuesByIndex } from '../../tables/published/ordered-symbols.js';
import type { Publication } from '../../tables/published/publication.js';
import { tableManifestName } from '../../tables/table-names.js';

const BROKEN = brokenCode('i8');

/** The slices to be solved, and the published slices that they convert to. */
export interface Unpacking {
  /** Without what is published. */
  readonly plan: readonly PlannedSlice[];
  /** Published slices, which are left out; and those of them that the plan converts to. */
  readonly standing: readonly string[];
  readonly published: readonly string[];
}

/** Plans slices and all that they convert to, but for what is published. Slices that are wanted are solved all the same. */
export function planBeyond(game: Game, wanted: readonly string[], publication: Publication): Unpacking {
  const asked = new Set(wanted);
  const names = publication.catalogue.files.map(({ slice }) => slice);
  const standing = new Set(names.filter((slice) => !asked.has(slice)));
  const plan = planSlices(game, wanted, standing);
  const behind = plan.flatMap(({ slice }) => game.slice(slice).dependencies.map((to) => to.slice));
  const published = [...new Set(behind)].filter((slice) => standing.has(slice));
  return { plan, standing: [...standing], published };
}

/** Which files are made a table, and where it is put. */
export interface UnpackOptions {
  readonly game: Game;
  readonly publication: Publication;
  readonly store: Store;
  /** Bytes for decoded blocks, in which left out values are searched for. */
  readonly memory: number;
  readonly batchRows: number;
  /** Ends the names of runs, as in SliceOptions. */
  readonly attempt: string;
  readonly progress: ProgressListener;
}

/**
 * Makes tables of published slices; those that are there are left as they are.
 * @throws UserError if the game has no metric `wdl`, DamageError for damaged files.
 */
export async function unpack(options: UnpackOptions, slices: readonly string[]): Promise<void> {
  const { game, publication, store, memory, attempt, batchRows, progress } = options;
  if (!game.metrics.includes(PUBLISHED_METRIC))
    throw new UserError(`${game.name} has no metric ${PUBLISHED_METRIC}`);
  const prober = newPublishedProber({
    game,
    publication,
    cacheBytes: memory / 2,
    positionBytes: memory / 4,
  });
  for (const [i, name] of slices.entries()) {
    const manifest = tableManifestName(game.name, PUBLISHED_METRIC, name);
    if ((await readManifest(store, manifest, TableManifest)) !== null) continue;
    const slice = game.slice(name);
    progress({ type: 'slice', slice: name, number: i + 1, of: slices.length });
    await makeTable({
      game,
      slice,
      metric: PUBLISHED_METRIC,
      store,
      attempt,
      batchRows,
      progress,
      phase: 'unpack',
      codes: (side) => codesOf(game, publication, prober, slice, side),
    });
    progress({ type: 'finished', slice: name });
  }
}

async function* codesOf(
  game: Game,
  publication: Publication,
  prober: PublishedProber<unknown>,
  slice: Slice,
  side: Side,
): AsyncGenerator<Segment> {
  // A slice that is its own mirror image has files of one side: the values of the other are the same.
  const from = halfOf(game, slice.name, side).repeats && game.locatesMirrored ? 0 : side;
  const fill = newFiller(game, prober, slice, from);
  for await (const segment of segmentsOf(publication, slice, from)) {
    const { part, key, codes, known } = segment;
    await fill(part, key, codes, known);
    yield segment;
  }
}

/** Positions of one part that follow each other, and their codes; `known`: a file has them, but for those that it leaves out. */
interface Segment {
  readonly part: number;
  readonly key: number;
  readonly codes: Int8Array;
  readonly known: boolean;
}

async function* segmentsOf(publication: Publication, slice: Slice, side: Side): AsyncGenerator<Segment> {
  const { width } = slice;
  const known = !publication.leavesOut(slice.name, side);
  const codes = new Int8Array(CENSUS_ROWS);
  const values = known
    ? valuesByIndex(await publication.file(slice.name, side), slice, side)
    : unknown(slice);
  for await (const { first, length, symbols } of values) {
    for (let from = 0; from < length; ) {
      const key = (first + from) % width;
      const count = Math.min(length - from, width - key, CENSUS_ROWS);
      for (let i = 0; i < count; i++) codes[i] = symbols[from + i] - DRAW;
      yield { part: Math.floor((first + from) / width), key, codes: codes.subarray(0, count), known };
      from += count;
    }
  }
}

function* unknown(slice: Slice) {
  const symbols = new Uint8Array(CENSUS_ROWS);
  for (let part = 0; part < slice.parts; part++) {
    for (const { first, length } of piecesOf(slice, part))
      yield { first: part * slice.width + first, length, symbols };
  }
}

/** Replaces the values that a file leaves out by codes found in a search. */
function newFiller(game: Game, prober: PublishedProber<unknown>, slice: Slice, side: Side) {
  const census = newCensus(CENSUS_ROWS);
  const status = new Uint8Array(CENSUS_ROWS);
  const leftOut = new Uint8Array(CENSUS_ROWS);

  return async (part: number, key: number, codes: Int8Array, known: boolean): Promise<void> => {
    const { length } = codes;
    slice.census(side, part, key, length, census);
    readStatus(census, key, length, status);
    leftOut.fill(known ? 0 : 1, 0, length);
    if (known) slice.dontCares?.(side, part, key, length, leftOut);
    eachRepeat(slice, part, key, length, (place) => {
      leftOut[place] = 1;
    });
    for (let i = 0; i < length; i++) {
      if (status[i] === Status.broken) codes[i] = BROKEN;
      else if (leftOut[i] !== 0) {
        const board = game.board({ slice: slice.name, side, part, key: key + i });
        codes[i] = prober.valueAtHand(board) ?? (await prober.value(board));
      }
    }
  };
}
