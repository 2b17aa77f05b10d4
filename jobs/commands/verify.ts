/** `mergemate verify`: derives tables again by forward moves and says where they are wrong. */

import { statSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import { describeMismatch } from '../../pipeline/engine/verify-slice.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { DerivedPart } from '../../pipeline/game/step-manifests.js';
import type { Metric } from '../../pipeline/game/value.js';
import { coordinate } from '../engines/coordinator.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { complain, ExitCode } from '../exit.js';
import { askEndings, metricOf, slicesOf, type VerifyCommandOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { publication } from '../publication.js';
import { findGame, gameNames, referenceOf } from '../registry.js';
import { budgetOf } from '../settings.js';
import { scratchParent, storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';
import { isGameModule } from '../user-game.js';
import { findGraph, isGraphFile } from './asked-graph.js';

export async function runVerify(
  gameName: string,
  names: string[],
  flags: VerifyCommandOptions,
): Promise<void> {
  const place = placeOf(gameName);
  if (place !== null) return verifyFiles(place, names, flags);
  const graph = await findGraph(gameName, flags.store);
  if (graph !== null) return (await import('./graph-verify.js')).verifyGraph(graph, names, flags);
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const endings = askEndings(game, names, flags.pieces);
  const slices = slicesOf(endings);
  if (flags.published !== undefined) {
    const asked = { slices, metric, store: flags.store, to: flags.published, codec: null };
    return publication(game, { ...asked, oneSide: false, verify: 'moves' }, flags.json === true);
  }
  // Asked here already, so that nothing is begun or shown for tables that are not there.
  await needTables(storeToRead(flags.store), game, metric, slices, askedWords(names, flags.pieces));

  const parent = scratchParent(flags.store, flags.scratch);
  const scratch = claimScratch(parent);
  const display = await newDisplay(slices, true, flags.workers);
  const verified = await coordinate(
    {
      kind: 'verify',
      game: referenceOf(game),
      store: flags.store,
      scratchFolder: scratch.folder,
      slices,
      metric,
      strategy: 'count',
      verify: true,
      budget: budgetOf(flags.memory),
      workers: flags.workers,
    },
    display.listen,
  ).finally(() => scratch.release());
  await display.close(false);

  await printResult(verified, game, metric, endings, flags.json === true);
}

/** The folder or address of files in the place of a game; null for the names of games and graphs. */
function placeOf(what: string): string | null {
  if (gameNames.includes(what) || isGameModule(what) || isGraphFile(what)) return null;
  const isAddress = /^(?:s3|file):/i.test(what) || /[/\\]/.test(what) || what.startsWith('.');
  return isAddress || statSync(what, { throwIfNoEntry: false })?.isDirectory() === true ? what : null;
}

/** Files of Syzygy in a place, or what is published there of games that are built in. */
async function verifyFiles(
  place: string,
  names: readonly string[],
  flags: VerifyCommandOptions,
): Promise<void> {
  const { metric, published, pieces } = flags;
  for (const [flag, value] of Object.entries({ metric, published, pieces }))
    if (value !== undefined)
      throw new UserError(
        `--${flag} is for games: ${place} is verified as its files say, all or those of some endings`,
      );
  const store = storeToRead(place);
  const [{ readCatalogue }, { runVerify: verifySyzygy }] = await Promise.all([
    import('../../pipeline/tables/published/catalogue.js'),
    import('./syzygy-verify.js'),
  ]);
  const catalogues = await Promise.all(gameNames.map((name) => readCatalogue(store, name)));
  if (catalogues.every((catalogue) => catalogue === null)) return verifySyzygy(place, names, flags);
  for (const catalogue of catalogues) {
    if (catalogue === null) continue;
    const game = await findGame(catalogue.game);
    const all = [...new Set(catalogue.files.map(({ slice }) => slice))];
    const slices = names.length === 0 ? all : slicesOf(askEndings(game, names, undefined));
    const asked = { slices, metric: catalogue.metric, store: flags.store, to: place, codec: null };
    await publication(game, { ...asked, oneSide: false, verify: 'moves' }, flags.json === true);
  }
}

async function printResult(
  verified: DerivedPart,
  game: Game,
  metric: Metric,
  endings: readonly Ending[],
  json: boolean,
): Promise<void> {
  const slices = slicesOf(endings);
  const { positions, requests, wrong } = verified;
  const mismatches = verified.mismatches.slice(0, 10);
  const one = slices.length === 1;
  const what = `${one ? slices[0] : `${slices.length} slices`}, ${metric}`;
  if (json) {
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
  process.exitCode = ExitCode.no;
}
