/** `mergemate verify`: derives a table again by forward moves and says where it is wrong. */
import type { Command } from 'commander';
import { needTable } from '../../pipeline/table/table.js';
import { describeMismatch } from '../../pipeline/verify-slice.js';
import { Bounds } from '../bounds.js';
import { lead } from '../engines/lead.js';
import { claimScratch, removeDeadScratch } from '../engines/scratch-folder.js';
import { complain, ExitCode } from '../exit.js';
import { askSlice, type MetricOptions, wholeNumber, withMetric, withStore } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, openStore, scratchParent } from '../registry.js';
import { parseSize } from '../sizes.js';
import { whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';

interface VerifyFlags extends MetricOptions {
  readonly memory: string;
  readonly workers: number;
  readonly scratch?: string;
}

export function addVerify(program: Command): void {
  const { least, most } = Bounds.workers;
  withMetric(withStore(program.command('verify <game> <ending>')))
    .summary('derive a table again by forward moves')
    .description(
      'Derives every value of a solved ending again, by the forward moves of each position and the values of the positions\n' +
        'they lead to, and compares. A wrong value is named, and the exit code is 2.',
    )
    .option('--memory <size>', 'memory for buffers, at least 1MiB', '256MiB')
    .option('--workers <n>', 'threads', wholeNumber('--workers', least, most), 1)
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .action(runVerify);
}

async function runVerify(gameName: string, ending: string, options: VerifyFlags): Promise<void> {
  const game = findGame(gameName);
  const asked = askSlice(game, ending);
  const { metric } = options;
  const memory = Math.max(Bounds.memory.least, parseSize(options.memory, '--memory'));
  // Asked here already, so that nothing is begun or shown for a table that is not there.
  await needTable(openStore(options.store), game, metric, asked.slice);

  const parent = scratchParent(options.store, options.scratch);
  removeDeadScratch(parent);
  const scratch = claimScratch(parent);
  const display = await newDisplay([asked.slice], true);
  display.listen({ type: 'slice', slice: asked.slice, number: 1, of: 1 });
  const verified = await lead(
    {
      kind: 'verify',
      game: game.name,
      store: options.store,
      scratchFolder: scratch.folder,
      slices: [asked.slice],
      metric,
      strategy: 'count',
      verify: true,
      budget: { memory, fanIn: 16, batchRows: 65536 },
      workers: options.workers,
    },
    display.listen,
  ).finally(() => scratch.release());
  await display.close(false);

  const { positions, requests, wrong } = verified;
  const mismatches = verified.mismatches.slice(0, 10);
  if (options.json) {
    const { width } = game.slice(asked.slice);
    const located = mismatches.map(({ side, part, key, stored, derived, slice }) => ({
      slice,
      side: side === 0 ? 'white' : 'black',
      index: part * width + key,
      stored,
      derived,
    }));
    await printJson({
      game: game.name,
      ending: asked.slice,
      metric,
      positions,
      requests,
      wrong,
      mismatches: located,
    });
  } else if (wrong === 0) {
    await print(
      `${asked.slice}, ${metric}: ${whole(positions)} positions checked by ${whole(requests)} requests, all values are right\n`,
    );
  }
  if (wrong === 0) return;
  for (const mismatch of mismatches) complain(describeMismatch(game, metric, mismatch));
  complain(`${asked.slice}, ${metric}: ${whole(wrong)} of ${whole(positions)} values are wrong`);
  process.exitCode = ExitCode.failed;
}
