/** `mergemate verify`: derives tables again by forward moves and names the first wrong position. */

import { UserError } from '../../operators/core/errors.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { publishedMetrics } from '../../pipeline/game/stipulation.js';
import { complain, ExitCode, endWith } from '../cli/exit.js';
import { askEndings, metricOf, slicesOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { whatIs } from '../cli/what-is.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { newDisplay } from '../progress/display.js';
import { findGame, gameNames } from '../registry.js';
import { publication } from '../run/publication.js';
import { findGraph, isGraphFile } from '../solved/asked-graph.js';
import { openTables } from '../solved/open.js';
import type { TableFlags, Verification } from '../solved/tables.js';
import { requireFolder, scratchParent, storeToRead } from '../stores.js';
import { whole } from '../ui/numbers.js';
import { isGameModule } from '../user-game.js';

interface VerifyFlags extends TableFlags {
  readonly memory: number;
  readonly workers: number;
  readonly rules?: boolean;
}

export async function runVerify(gameName: string, names: string[], flags: VerifyFlags): Promise<void> {
  const place = placeOf(gameName);
  if (flags.rules && (place !== null || flags.published !== undefined))
    throw new UserError(
      '--rules compares solved tables with the rules of their game: files that are published have no moves',
    );
  if (place !== null) return verifyFiles(place, names, flags);
  if (flags.published !== undefined && (await findGraph(gameName, flags.store)) === null) {
    const game = await findGame(gameName);
    const metric = metricOf(game, flags.metric);
    const slices = slicesOf(askEndings(namedFor(game, metric), names, flags.pieces));
    const asked = { slices, metric, store: flags.store, to: flags.published };
    requireFolder(flags.published, 'files');
    return publication(game, { ...asked, codec: null, oneSide: false, verify: 'moves' }, flags.json === true);
  }
  const tables = await openTables(gameName, names, flags);
  const scratch = claimScratch(scratchParent(flags.store, flags.scratch));
  try {
    await verifyTables(await tables.verification(scratch.folder), flags);
  } finally {
    scratch.release();
  }
}

async function verifyTables(
  verification: Verification,
  { json, workers, rules: asked = false }: VerifyFlags,
): Promise<void> {
  const { slices, what, units } = verification;
  if (asked && verification.rules === undefined)
    throw new UserError(
      `--rules is for keyed games: verification of ${what} computes every move by the rules without it`,
    );
  const rules = asked ? await shown(slices, verification.rules!) : null;
  const verified = await shown(slices, (progress) => verification.verify(progress), workers);
  const { positions, requests, wrong, doubtful } = verified;
  const mismatches = await verification.mismatches(verified);
  if (json)
    await printJson({
      ...verification.json(verified),
      wrong,
      ...(rules !== null && { rules }),
      doubtful,
      mismatches: mismatches.map(({ json }) => json),
    });
  else if (wrong === 0) {
    // By rows no move is looked up by itself.
    const by = requests > 0 ? ` by ${whole(requests)} ${units[1]}` : '';
    const right =
      rules !== null && rules.difference !== null
        ? `all values are right by the ${units[1]} that are stored, which are not those of the rules`
        : 'all values are right';
    await print(`${what}: ${whole(positions)} ${units[0]} checked${by}, ${right}\n`);
    if (rules?.difference === null)
      await print(
        `the rules give the same: ${whole(rules.moves)} moves of ${whole(rules.positions)} positions\n`,
      );
  }
  if (rules !== null && rules.difference !== null) {
    complain(rules.difference);
    endWith(ExitCode.no);
  }
  if (wrong === 0) return;
  for (const { text } of mismatches) complain(text);
  complain(`${what}: ${whole(wrong)} of ${whole(positions)} values are wrong`);
  endWith(ExitCode.no);
}

/** Does a part of the work with its progress on a terminal. */
async function shown<Result>(
  slices: readonly string[],
  work: (progress: ProgressListener) => Promise<Result>,
  workers = 1,
): Promise<Result> {
  const display = await newDisplay(slices, true, workers);
  try {
    const result = await work(display.listen);
    await display.close(false);
    return result;
  } catch (error) {
    await display.close(true);
    throw error;
  }
}

/** The folder or address of files in the place of a game; null for the names of games and graphs. */
function placeOf(what: string): string | null {
  if (gameNames.includes(what) || isGameModule(what) || isGraphFile(what)) return null;
  const isAddress = /^(?:s3|file):/i.test(what) || /[/\\]/.test(what) || what.startsWith('.');
  return isAddress || whatIs(what)?.isDirectory() === true ? what : null;
}

/** Files of Syzygy in a place, or what is published there of games that are built in. */
async function verifyFiles(place: string, names: readonly string[], flags: VerifyFlags): Promise<void> {
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
  const catalogues = await Promise.all(
    gameNames.flatMap((name) => publishedMetrics.map((each) => readCatalogue(store, name, each))),
  );
  if (catalogues.every((catalogue) => catalogue === null)) return verifySyzygy(place, names, flags);
  for (const catalogue of catalogues) {
    if (catalogue === null) continue;
    const game = await findGame(catalogue.game);
    const all = [...new Set(catalogue.files.map(({ slice }) => slice))];
    const named = namedFor(game, catalogue.metric);
    const slices = names.length === 0 ? all : slicesOf(askEndings(named, names, undefined));
    const asked = { slices, metric: catalogue.metric, store: flags.store, to: place, codec: null };
    await publication(game, { ...asked, oneSide: false, verify: 'moves' }, flags.json === true);
  }
}
