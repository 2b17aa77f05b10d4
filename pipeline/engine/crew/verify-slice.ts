/** Verifies a finished table by forward moves and joins (pipeline/engine/verify/verify.ts), with a crew. */
import { z } from 'zod';
import { assert } from '../../../operators/core/errors.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import type { SliceCatalogue } from '../../game/game.js';
import { type TableManifest, VerifiedManifest } from '../../game/manifest.js';
import { stepAt } from '../../game/slice-objects.js';
import { DerivedPart, type Mismatch } from '../../game/step-manifests.js';
import { decodeValue, type Metric } from '../../game/value.js';
import { slicePrefix } from '../../tables/table-names.js';
import { isVerificationOf, verifiedManifest, verifiedName } from '../../tables/verified.js';
import { workPrefix } from '../memory/context.js';
import { bySideAndPart } from '../verify/verified-parts.js';
import type { Crew, Step } from './crew.js';
import { type CrewOptions, doByWorkers, openCrew } from './engine.js';
import { VERIFY } from './rank-crew.js';
import type { Showing } from './slice-phases.js';

/** Which table is derived again, and with what. */
export type VerifyOptions = Omit<CrewOptions, 'strategy'>;

/** The slice to verify, and the listener to progress. */
type VerifiedSlice = Pick<VerifyOptions, 'game' | 'slice' | 'metric' | 'progress'>;

/**
 * @returns how many positions and requests were checked, how many values are wrong, and the first wrong ones.
 * @throws UserError if the slice or a dependency is not solved, StorageError if a table is damaged.
 */
export async function verifySlice(options: VerifyOptions): Promise<DerivedPart> {
  const crew = await openCrew({ ...options, strategy: 'count' }, 'verify');
  const version = FORMAT_VERSION;
  const { version: _, ...found } = await crew.step(
    verification(options, Findings, (found) => ({ version, ...found })),
  );
  return found;
}

/** What a verification finds that leaves no record. */
const Findings = DerivedPart.extend({ version: z.literal(FORMAT_VERSION) });

/**
 * Verifies a table, and records that; a table that was verified before is not verified again.
 * @returns how many positions were verified, now or before.
 * @throws Error if the table fails: a bug; the table is left for inspection but not marked verified.
 */
export async function verifyByCrew(
  options: VerifiedSlice,
  table: TableManifest,
  crew: Crew,
): Promise<number> {
  const { game, metric, slice } = options;
  const { positions } = await crew.step({
    ...verification(options, VerifiedManifest, (found) => {
      requireNoneWrong(game, metric, slice, found);
      // Parts that another version verified and committed are perhaps not those that this version's partitions leave out.
      const expected = table.positions[0] + table.positions[1];
      assert(
        found.positions === expected,
        `${found.positions} of ${expected} positions of ${slice} were verified`,
      );
      return verifiedManifest(table, found);
    }),
    manifest: verifiedName(game.name, metric, slice),
    kind: 'result',
    isOf: (verified) => isVerificationOf(verified, table),
  });
  return positions;
}

/** The step of a crew that derives a table again. @param record makes the manifest of what was found. */
function verification<Whole extends object>(
  { game, slice, metric, progress }: VerifiedSlice,
  whole: Step<DerivedPart, Whole>['whole'],
  record: (found: DerivedPart) => Whole,
): Step<DerivedPart, Whole> {
  return {
    ...stepAt(workPrefix(slicePrefix(game.name, metric, slice), 'count'), { name: VERIFY }),
    kind: 'passing',
    part: DerivedPart,
    whole,
    begin: () => progress({ type: 'phase', slice, phase: 'verify', total: 2 * game.slice(slice).size }),
    run: (partition) => partition.verify(),
    join(parts, { counters }) {
      progress({ type: 'counted', slice, counters });
      const found = joinVerified(parts);
      const doubtful = describeDoubtful(slice, found);
      if (doubtful !== null) progress({ type: 'trouble', slice, what: doubtful });
      return record(found);
    },
  };
}

/** Says that the two ways of verification disagree about parts of a slice, which is a fault of one of them; null if they do not. */
function describeDoubtful(slice: string, { doubtful }: DerivedPart): string | null {
  if (doubtful === 0) return null;
  const parts = doubtful === 1 ? '1 part' : `${doubtful} parts`;
  return `verification by rows doubts ${parts} of ${slice} that single moves find right: please report this`;
}

/** Joins the findings of the partitions of a slice: the mismatches by side, part and key, the first of them without a gap. */
export function joinVerified(parts: readonly DerivedPart[]): DerivedPart {
  const sum = sumOf(parts);
  // Keys of a part are in order already: one partition has verified the part.
  sum.mismatches.sort(bySideAndPart);
  return sum;
}

function sumOf(parts: readonly DerivedPart[]): DerivedPart {
  const all = (what: Exclude<keyof DerivedPart, 'mismatches'>) =>
    parts.reduce((sum, part) => sum + part[what], 0);
  return {
    positions: all('positions'),
    requests: all('requests'),
    wrong: all('wrong'),
    doubtful: all('doubtful'),
    mismatches: parts.flatMap((part) => part.mismatches),
  };
}

/** @throws Error that names the first wrong value. */
export function requireNoneWrong(
  game: Shown,
  metric: Metric,
  slice: string,
  { wrong, mismatches }: Pick<DerivedPart, 'wrong' | 'mismatches'>,
): void {
  if (wrong === 0) return;
  const first = describeMismatch(game, metric, mismatches[0]);
  throw new Error(`${slice}: ${wrong} values fail verification; the first: ${first}`);
}

/** As {@link verifySlice} for several slices, at once where the engine can, even if some fail; the first mismatches of each. */
export async function verifySlices(
  options: Omit<VerifyOptions, 'slice'> & { readonly slices: readonly string[] },
): Promise<DerivedPart> {
  const { slices, metric, engine, progress } = options;
  // All dependencies are solved, so no slice waits for another.
  const plan = slices.map((slice) => ({ slice, dependencies: [], wave: 1 }));
  const results = await doByWorkers({ ...options, strategy: 'count' }, plan, {
    together: (slice) => verifySlice({ ...options, slice }),
    alone: (slice, budget) => engine.alone!({ kind: 'verify', slice, metric, budget }, progress),
  });
  return sumOf(results.map(({ done }) => done));
}

/** Where a mismatch is, in words. */
type Shown = SliceCatalogue & Showing;

/** A mismatch as text: the position, the value in the table, and the value by the moves, under `metric`. */
export function describeMismatch(game: Shown, metric: Metric, mismatch: Mismatch): string {
  const { slice, side, part, key, stored, derived, clock = 0, numbers } = mismatch;
  const where = `${slice}, ${game.colours[side]} to move, index ${part * game.slice(slice).width + key}`;
  const text = (code: number | null, number: number | undefined): string => {
    if (code === null) return 'broken';
    const { wdl, plies } = decodeValue(code, metric);
    const value = plies === null ? wdl : `${wdl} in ${plies}`;
    return number === undefined ? value : `${value} (number ${number})`;
  };
  const position = stored === null && derived === null ? '' : ` (${positionText(game, mismatch)})`;
  const plies = clock === 0 ? '' : `, with ${clock} plies on the clock`;
  return `${where}${position}${plies}: table says ${text(stored, numbers?.stored)}, moves give ${text(derived, numbers?.derived)}`;
}

function positionText(game: Showing, mismatch: Mismatch): string {
  try {
    return game.format(game.board(mismatch));
  } catch {
    return 'no position';
  }
}
