/** Verifies a finished table by forward moves and joins (pipeline/phases/verify.ts), with a crew. */
import type { Budget } from '../operators/core/budget.js';
import { addCounters, newCounters } from '../operators/core/counters.js';
import type { Store } from '../operators/storage/store.js';
import { doSlices } from './do-slices.js';
import type { Game } from './game.js';
import { cutParts } from './phases/context.js';
import type { Mismatch, Verified } from './phases/verify.js';
import type { ProgressListener } from './progress.js';
import { type Engine, memberBudget } from './solvers/external/engine.js';
import { decodeValue, type Metric } from './value.js';

/** Which table is derived again, and with what. */
export interface VerifyOptions {
  readonly game: Game;
  readonly slice: string;
  readonly metric: Metric;
  readonly store: Store;
  readonly budget: Budget;
  readonly engine: Engine;
  readonly progress: ProgressListener;
}

/**
 * @returns how many positions and requests were checked, how many values are wrong, and the first of those.
 * @throws UserError if the slice or a dependency is not solved, StorageError if a table is damaged.
 */
export async function verifySlice(options: VerifyOptions): Promise<Verified> {
  const { game, slice: name, metric, engine, progress } = options;
  const slice = game.slice(name);
  const intervals = cutParts(slice.parts, engine.workers);
  progress({ type: 'phase', slice: name, phase: 'verify', total: 2 * slice.size });
  const members = await engine.open(
    intervals.map((parts) => ({
      slice: name,
      metric,
      strategy: 'count',
      parts,
      budget: memberBudget(options.budget, intervals.length, slice),
      sharedPools: false,
      durable: true,
    })),
    (done) => progress({ type: 'work', slice: name, done }),
  );
  const settled = await Promise.allSettled(members.map((member) => member.verify()));
  const sum: Verified = { positions: 0, requests: 0, mismatches: [], wrong: 0 };
  for (const result of settled) {
    if (result.status === 'rejected') throw result.reason;
    addVerified(sum, result.value);
  }
  const counters = newCounters();
  for (const each of await Promise.all(members.map((member) => member.takeCounters()))) {
    addCounters(counters, each);
  }
  progress({ type: 'counted', slice: name, counters });
  return sum;
}

/** As {@link verifySlice}, several slices, at once where the engine can, whatever is found; the first mismatches of each. */
export async function verifySlices(
  options: Omit<VerifyOptions, 'slice'> & { readonly slices: readonly string[] },
): Promise<Verified> {
  const { slices, metric, engine, progress } = options;
  // What they convert to is solved: none waits for another.
  const plan = slices.map((slice) => ({ slice, dependencies: [], wave: 1 }));
  const did = await doSlices(options, plan, {
    together: (slice) => verifySlice({ ...options, slice }),
    alone: (slice, budget) => engine.alone!({ kind: 'verify', slice, metric, budget }, progress),
  });
  const sum: Verified = { positions: 0, requests: 0, mismatches: [], wrong: 0 };
  for (const { done } of did) addVerified(sum, done);
  return sum;
}

function addVerified(sum: Verified, more: Verified): void {
  sum.positions += more.positions;
  sum.requests += more.requests;
  sum.wrong += more.wrong;
  sum.mismatches.push(...more.mismatches);
}

/** One mismatch for people: where, what the table says and what the moves give, under `metric`. */
export function describeMismatch(game: Game, metric: Metric, mismatch: Mismatch): string {
  const { slice, side, part, key, stored, derived } = mismatch;
  const where = `${slice}, ${game.colours[side]} to move, index ${part * game.slice(slice).width + key}`;
  const text = (code: number | null): string => {
    if (code === null) return 'broken';
    const { wdl, plies } = decodeValue(code, metric);
    return plies === null ? wdl : `${wdl} in ${plies}`;
  };
  const position = stored === null && derived === null ? '' : ` (${positionText(game, mismatch)})`;
  return `${where}${position}: table says ${text(stored)}, moves give ${text(derived)}`;
}

function positionText(game: Game, mismatch: Mismatch): string {
  try {
    return game.format(game.board(mismatch));
  } catch {
    return 'no position';
  }
}
