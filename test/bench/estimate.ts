/** Calibrates the cost model on one large ending and holds its forecasts against others that it has not seen. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { cutSlices } from '../../pipeline/cut.js';
import type { Calibration } from '../../pipeline/estimate/calibration.js';
import { sampleSlice } from '../../pipeline/estimate/sample.js';
import { type Assumptions, DEFAULT_ASSUMPTIONS, workOf } from '../../pipeline/estimate/work.js';
import { estimate, type SliceEstimate } from '../../pipeline/estimate.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { inlineEngine } from '../../pipeline/solvers/external/engine.js';
import { verifySlice } from '../../pipeline/verify-slice.js';
import { calibrate, cpuOf, type SolvedRun, type VerifiedRun } from './calibrate.js';

const MiB = 2 ** 20;
const LARGE = 'KBBKN';
const LITTLE = 64 * MiB;
const MUCH = 1024 * MiB;

export interface EstimateRow {
  readonly ending: string;
  readonly what: 'measured' | 'predicted' | 'predicted, share and rounds given';
  readonly positions: number;
  readonly decided: number;
  readonly rounds: number;
  readonly requests: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly cpuSeconds: number;
}

export interface EstimateBench {
  readonly calibration: Calibration;
  readonly rows: EstimateRow[];
}

/** @param solve solves an ending in a process of its own, and what it converts to if that is not there. */
export async function benchEstimate(
  solve: (ending: string, flags: readonly string[]) => SolvedRun[],
  folder: string,
  machine: string,
  unseen: readonly string[],
): Promise<EstimateBench> {
  const run = (ending: string, memory: number): SolvedRun => {
    for (const { slice } of chess.slice(ending).dependencies) solve(slice, ['--no-verify']);
    rmSync(join(folder, 'chess', 'dtm', ending), { recursive: true, force: true });
    return solve(ending, ['--no-verify', '--memory', String(memory)]).at(-1)!;
  };
  const tiny = run('KQK', LITTLE);
  const much = run(LARGE, MUCH);
  const little = run(LARGE, LITTLE);
  const work = workOf(sampleSlice(chess.slice(LARGE)), knownOf(little));
  const verified = await timeVerification(localStore(folder, { durable: false }));
  const calibration = calibrate({
    machine,
    tiny,
    little,
    littleMemory: LITTLE,
    much,
    muchMemory: MUCH,
    work,
    verified,
  });
  const rows = unseen.flatMap((ending): EstimateRow[] => {
    const solved = run(ending, LITTLE);
    return [
      {
        ending,
        what: 'measured',
        positions: solved.positions,
        decided: (solved.wins + solved.losses) / solved.positions,
        rounds: solved.rounds,
        requests: solved.requests,
        bytesRead: solved.bytesRead,
        bytesWritten: solved.bytesWritten,
        cpuSeconds: cpuOf(solved) / 1000,
      },
      predictedRow(ending, 'predicted', DEFAULT_ASSUMPTIONS, calibration),
      predictedRow(ending, 'predicted, share and rounds given', knownOf(solved), calibration),
    ];
  });
  return { calibration, rows };
}

const knownOf = (run: SolvedRun): Assumptions => ({
  decided: (run.wins + run.losses) / run.positions,
  rounds: run.rounds,
});

function predictedRow(
  ending: string,
  what: EstimateRow['what'],
  assumptions: Assumptions,
  calibration: Calibration,
): EstimateRow {
  const { work, phases } = predict(ending, assumptions, calibration);
  const sum = (of: (phase: SliceEstimate['phases'][number]) => number) =>
    phases.reduce((so, phase) => so + of(phase), 0);
  return {
    ending,
    what,
    positions: work.positions,
    decided: assumptions.decided,
    rounds: work.rounds,
    requests: work.requests,
    bytesRead: sum((phase) => phase.bytesRead),
    bytesWritten: sum((phase) => phase.bytesWritten),
    cpuSeconds: sum((phase) => phase.cpuSeconds),
  };
}

function predict(ending: string, assumptions: Assumptions, calibration: Calibration): SliceEstimate {
  const cuts = cutSlices(chess, [ending], { memory: LITTLE, partitions: 1, wholeBelow: 0 });
  const samples = cuts.map(({ slice }) => sampleSlice(chess.slice(slice)));
  const { slices } = estimate(cuts, samples, {
    metric: 'dtm',
    verify: false,
    assumptions,
    calibration,
    machines: { count: 1, workers: 1, bandwidth: 1e8, phaseSeconds: 0 },
    prices: { thousandPuts: 0, thousandGets: 0, gigabyteMonth: 0, machineHour: 0 },
  });
  return slices.at(-1)!;
}

async function timeVerification(store: Store): Promise<VerifiedRun> {
  let bytesRead = 0;
  const counting: Store = {
    ...store,
    read(name, offset, into) {
      bytesRead += into.length;
      return store.read(name, offset, into);
    },
  };
  const before = process.cpuUsage();
  const { requests } = await verifySlice({
    game: chess,
    slice: LARGE,
    metric: 'dtm',
    store: counting,
    budget: { memory: LITTLE, fanIn: 16, batchRows: 65536 },
    engine: inlineEngine(chess, counting, newScratch(memoryStore(), 'scratch')),
    progress: () => {},
  });
  const { user, system } = process.cpuUsage(before);
  return { rows: requests, cpuSeconds: (user + system) / 1e6, bytesRead };
}
