/** Measures the constants of the cost model on one large ending, and holds the forecasts of the program against others. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { DECIDED } from '../../pipeline/analysis/forecast/constants.js';
import { type Assumptions, estimate, type SliceEstimate } from '../../pipeline/analysis/forecast/estimate.js';
import { sampleSlice } from '../../pipeline/analysis/forecast/sample.js';
import { knownRounds, workOf } from '../../pipeline/analysis/forecast/work.js';
import { type CutSlice, cutSlices } from '../../pipeline/engine/crew/cut.js';
import { inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { verifySlice } from '../../pipeline/engine/crew/verify-slice.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { type CalibrationRun, calibrate, cpuOf, type VerifiedRun } from './calibrate.js';

const MiB = 2 ** 20;

/** Endings to calibrate on, and endings to test forecasts with. Memory is in bytes. */
export interface EstimateSetting {
  /** The ending that is measured in little memory, so that most labels pass through it, and in enough for all. */
  readonly large: string;
  readonly little: number;
  readonly much: number;
  /** Solved in little memory. */
  readonly unseen: readonly string[];
}

export const CALIBRATING: EstimateSetting = {
  large: 'KBBKN',
  little: 64 * MiB,
  much: 1024 * MiB,
  unseen: ['KRKB', 'KQKN', 'KBNKN', 'KQQKN'],
};

/** Takes half a minute: shows that all works. Its constants are those of small endings, compiling included. */
export const QUICK: EstimateSetting = {
  large: 'KQKR',
  little: 4 * MiB,
  much: 64 * MiB,
  unseen: ['KRKB', 'KQKN'],
};

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
  /** The constants as this machine gives them. */
  readonly calibration: ReturnType<typeof calibrate>;
  readonly rows: EstimateRow[];
}

/** @param solve solves an ending in a process of its own, and its dependencies if they are not there. */
export async function benchEstimate(
  solve: (ending: string, flags: readonly string[]) => CalibrationRun[],
  folder: string,
  machine: string,
  { large, little, much, unseen }: EstimateSetting,
): Promise<EstimateBench> {
  const run = (ending: string, memory: number): CalibrationRun => {
    for (const { slice } of chess.slice(ending).dependencies) solve(slice, []);
    rmSync(join(folder, 'chess', 'dtm', ending), { recursive: true, force: true });
    return solve(ending, ['--memory', String(memory), '--workers', '1']).at(-1)!;
  };
  const tiny = run('KQK', little);
  const inMuch = run(large, much);
  const inLittle = run(large, little);
  const calibration = calibrate({
    machine: `${machine}; ${large}`,
    tiny,
    little: inLittle,
    littleCut: cutsOf(large, little).at(-1)!,
    much: inMuch,
    work: workOf(sampleSlice(chess.slice(large)), knownOf(inLittle).decided, knownRounds(inLittle.rounds)),
    verified: await timeVerification(localStore(folder, { durable: false }), large, little),
  });
  const rows = unseen.flatMap((ending): EstimateRow[] => {
    const solved = run(ending, little);
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
      predictedRow(ending, little, 'predicted', { decided: DECIDED, rounds: undefined }),
      predictedRow(ending, little, 'predicted, share and rounds given', knownOf(solved)),
    ];
  });
  return { calibration, rows };
}

const knownOf = (run: CalibrationRun): Assumptions => ({
  decided: (run.wins + run.losses) / run.positions,
  rounds: run.rounds,
});

const cutsOf = (ending: string, memory: number): CutSlice[] =>
  cutSlices(chess, [ending], { memory, partitions: 1, wholeBelow: 0 });

function predictedRow(
  ending: string,
  memory: number,
  what: EstimateRow['what'],
  assumptions: Assumptions,
): EstimateRow {
  const { work, phases } = predict(ending, memory, assumptions);
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

function predict(ending: string, memory: number, assumptions: Assumptions): SliceEstimate {
  const cuts = cutsOf(ending, memory);
  const samples = cuts.map(({ slice }) => sampleSlice(chess.slice(slice)));
  const { slices } = estimate(cuts, samples, {
    metric: 'dtm',
    verify: false,
    assumptions,
    machines: { count: 1, workers: 1, bandwidth: 1e8, phaseSeconds: 0 },
  });
  return slices.at(-1)!;
}

async function timeVerification(store: Store, slice: string, memory: number): Promise<VerifiedRun> {
  let bytesRead = 0;
  const counting: Store = {
    ...store,
    read(name, offset, into) {
      bytesRead += into.length;
      return store.read(name, offset, into);
    },
  };
  const before = process.cpuUsage();
  await verifySlice({
    game: chess,
    slice,
    metric: 'dtm',
    store: counting,
    budget: { memory, fanIn: 16, batchRows: 65536 },
    engine: inlineEngine(chess, counting, newScratch(memoryStore(), 'scratch')),
    progress: () => {},
  });
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, bytesRead };
}
