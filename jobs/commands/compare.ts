/** `mergemate compare`: the sort solver beside the two classic designs, on the same ending in the same memory. */

import { writeFileSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import { writing } from '../../operators/storage/errno.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { complain, ExitCode, endWith, sayWhenInterrupted } from '../cli/exit.js';
import { io } from '../cli/io.js';
import { type MetricOptions, metricOf, sliceOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { requirePlaceOfFile } from '../cli/what-is.js';
import { type ComparisonStep, compare } from '../compare/compare.js';
import { describeDisagreement, size } from '../compare/comparison-text.js';
import type { Device } from '../compare/device-model.js';
import { reportPage, reportText } from '../compare/document.js';
import { forkEach } from '../compare/fork.js';
import { reportJson } from '../compare/json.js';
import { makeReport, type ReportHead } from '../compare/report.js';
import { type SolverName, solvers, solversFor } from '../compare/solvers.js';
import type { IoMode } from '../compare/task.js';
import { coordinate } from '../engines/coordinator.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { findGame } from '../registry.js';
import { openStore, storeFolder } from '../stores.js';
import { bytes, duration } from '../ui/numbers.js';

interface CompareFlags extends MetricOptions {
  readonly solvers?: SolverName[];
  readonly memory: number[];
  readonly io: IoMode;
  readonly device: Device[];
  readonly html?: string;
  readonly scratch?: string;
}

export async function runCompare(gameName: string, ending: string, flags: CompareFlags): Promise<void> {
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  if (isClocked(metric))
    throw new UserError(
      `compare cannot be used with --metric ${metric}: the other solvers have no half-move clock`,
    );
  if (stipulations[metric].goalOf !== 'either')
    throw new UserError(
      `compare cannot be used with --metric ${metric}: in the other solvers both sides play to win, and no solutions are counted`,
    );
  const slice = sliceOf(game, ending);
  const { io, html } = flags;
  const solvers = solversFor(game, slice, flags.solvers);
  const memories = flags.memory;
  // Before hours of measuring.
  if (html !== undefined) requirePlaceOfFile('--html', html);
  const folder = storeFolder(flags.store);
  if (folder === null)
    throw new UserError(`store ${openStore(flags.store).uri}: compare works in a folder only`);
  const parent = flags.scratch ?? folder;
  const scratch = claimScratch(parent);
  sayWhenInterrupted('endings that were solved for it are kept, and the same command compares anew');
  try {
    const found = await compare({
      game,
      slice,
      metric,
      solvers,
      memories,
      io,
      storeFolder: folder,
      scratchFolder: scratch.folder,
      launch: forkEach(),
      prepare: (task) => coordinate(task, () => {}),
      progress: say,
    });
    const asked = { game: game.name, ending: slice, metric, io, memories, solvers, devices: flags.device };
    const report = makeReport({ ...asked, command: commandOf(asked) }, found);
    if (html !== undefined) writing(html, () => writeFileSync(html, reportPage(report)));
    if (flags.json) await printJson(reportJson(report));
    else await print(reportText(report));
    for (const each of report.disagreements) complain(`tables differ: ${describeDisagreement(each)}`);
    if (report.disagreements.length > 0) endWith(ExitCode.no);
  } finally {
    scratch.release();
  }
}

/** One line a run on stderr: they may take hours. */
function say(step: ComparisonStep): void {
  const put = (text: string) => io.err.write(text);
  if (step.type === 'prepare') put(`solving what it converts to: ${step.slices.join(' ')}\n`);
  else if (step.type === 'run') put(`${solvers[step.solver].title}, ${size(step.memory)}: `);
  else if (step.outcome.status === 'unable') put(`cannot run: ${step.outcome.reason}\n`);
  else {
    const { wallMs, cpuMs, peakRssBytes } = step.outcome;
    put(`${duration(wallMs)}, CPU ${duration(cpuMs)}, peak RSS ${bytes(peakRssBytes)}\n`);
  }
}

function commandOf({ game, ending, metric, solvers, memories, io }: Omit<ReportHead, 'command'>): string {
  const sizes = memories.map((n) => size(n).replace(' ', '')).join(',');
  return `mergemate compare ${game} ${ending} --metric ${metric} --solvers ${solvers.join(',')} --memory ${sizes} --io ${io}`;
}
