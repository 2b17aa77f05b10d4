/** `mergemate verify`: derives tables again by forward moves and says where they are wrong. */
import type { Command } from 'commander';
import { describeMismatch } from '../../pipeline/verify-slice.js';
import { Bounds } from '../bounds.js';
import { lead } from '../engines/lead.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { complain, ExitCode } from '../exit.js';
import {
  askEndings,
  type MetricOptions,
  metricOf,
  slicesOf,
  wholeNumber,
  withMetric,
  withPieces,
} from '../options.js';
import { print, printJson } from '../output.js';
import { publication } from '../publication.js';
import { findGame, referenceOf } from '../registry.js';
import { parseSize } from '../sizes.js';
import { withStore } from '../store-option.js';
import { scratchParent, storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';

interface VerifyFlags extends MetricOptions {
  readonly memory: string;
  readonly workers: number;
  readonly scratch?: string;
  readonly pieces?: number;
  readonly published?: string;
}

export function addVerify(program: Command): void {
  const { least, most } = Bounds.workers;
  withPieces(withMetric(withStore(program.command('verify <game> [endings...]'))))
    .summary('derive tables again by forward moves')
    .description(
      'Derives every value of solved endings again, by the forward moves of each position and the values of the positions\n' +
        'they lead to, and compares. A wrong value is named, and the exit code is 2.',
    )
    .option(
      '--published <uri>',
      'verify the published files there instead: every stored value, by the published values that its moves lead to',
    )
    .option('--memory <size>', 'memory for buffers, at least 1MiB', '256MiB')
    .option(
      '--workers <n>',
      'threads: slices are verified at once, large ones by all of them',
      wholeNumber('--workers', least, most),
      1,
    )
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .action(runVerify);
}

async function runVerify(gameName: string, names: string[], flags: VerifyFlags): Promise<void> {
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const endings = askEndings(game, names, flags.pieces);
  const slices = slicesOf(endings);
  if (flags.published !== undefined) {
    const asked = { slices, metric, store: flags.store, to: flags.published, codec: null, verify: true };
    return publication(game, asked, flags.json === true);
  }
  const memory = Math.max(Bounds.memory.least, parseSize(flags.memory, '--memory'));
  // Asked here already, so that nothing is begun or shown for tables that are not there.
  await needTables(storeToRead(flags.store), game, metric, slices, askedWords(names, flags.pieces));

  const parent = scratchParent(flags.store, flags.scratch);
  const scratch = claimScratch(parent);
  const display = await newDisplay(slices, true, flags.workers);
  const verified = await lead(
    {
      kind: 'verify',
      game: referenceOf(game),
      store: flags.store,
      scratchFolder: scratch.folder,
      slices,
      metric,
      strategy: 'count',
      verify: true,
      budget: { memory, fanIn: 16, batchRows: 65536 },
      workers: flags.workers,
    },
    display.listen,
  ).finally(() => scratch.release());
  await display.close(false);

  const { positions, requests, wrong } = verified;
  const mismatches = verified.mismatches.slice(0, 10);
  const one = slices.length === 1;
  const what = `${one ? slices[0] : `${slices.length} slices`}, ${metric}`;
  if (flags.json) {
    const located = mismatches.map(({ side, part, key, stored, derived, slice }) => ({
      slice,
      side: game.colours[side],
      index: part * game.slice(slice).width + key,
      stored,
      derived,
    }));
    await printJson({
      game: game.name,
      ...(one ? { ending: slices[0] } : { endings: endings.map(({ name }) => name), slices: slices.length }),
      metric,
      positions,
      requests,
      wrong,
      mismatches: located,
    });
  } else if (wrong === 0) {
    await print(
      `${what}: ${whole(positions)} positions checked by ${whole(requests)} requests, all values are right\n`,
    );
  }
  if (wrong === 0) return;
  for (const mismatch of mismatches) complain(describeMismatch(game, metric, mismatch));
  complain(`${what}: ${whole(wrong)} of ${whole(positions)} values are wrong`);
  process.exitCode = ExitCode.failed;
}
