/** `mergemate publish --as site`: the page with tables beside it, for any plain file server. */

import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { type Metric, SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import { readRoot } from '../../pipeline/games/chess/root.js';
import { namingFor } from '../../pipeline/games/chess/shape.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { needTables } from '../asked/tables.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { PAGES } from '../cli/files.js';
import { askEndings, type MetricOptions, metricOf, requirePublished, slicesOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { newDisplay } from '../progress/display.js';
import { allGames, findGame } from '../registry.js';
import { growHeap } from '../runtime/heap.js';
import { reachSources } from '../server/sources.js';
import { exportSite } from '../site/export-site.js';
import { isSiteGame, TABLES } from '../site/site-layout.js';
import { requireFolder } from '../stores.js';
import { bytes, whole } from '../ui/numbers.js';
import { pageFolder } from './page-beside.js';

export interface SiteFlags extends MetricOptions {
  readonly to: string;
  readonly published?: string;
  readonly syzygy?: string;
  /** Address of the tables for the page; undefined: beside the page. */
  readonly tables?: string;
  readonly pieces?: number;
}

/** Throws UserError for text that is no address of a folder. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UserError(
      `--tables: "${text}" is not an address of a folder, as https://bucket.example/tables is one`,
    );
  }
  return url.href.replace(/\/*$/, '/');
}

/** Whether the tables of a name may be of a metric: those of a root of play are of no metric of problems, nor the other way round. */
function goesWith(metric: Metric, name: string): boolean {
  const root = readRoot(name);
  return root === null || root.naming === namingFor(metric);
}

/** Throws UserError if no slice of an ending is solved for any metric. */
async function needSolved(store: Store, game: Game, name: string): Promise<void> {
  const slicesUnder = (metric: Metric) =>
    goesWith(metric, name) ? slicesOf(askEndings(namedFor(game, metric), [name], undefined)) : [];
  for (const metric of game.metrics)
    for (const slice of slicesUnder(metric))
      if ((await store.size(tableManifestName(game.name, metric, slice))) !== null) return;
  const first = game.metrics.find((metric) => goesWith(metric, name))!;
  await needTables(store, game, first, slicesUnder(first), name);
}

/** Of one game, or of all that a store has. */
export async function publishSite(
  gameName: string | undefined,
  endings: readonly string[],
  flags: SiteFlags,
): Promise<void> {
  const { to } = flags;
  const tablesAt = flags.tables === undefined ? null : addressOf(flags.tables);
  const folder = pageFolder(to, PAGES);
  const asked = gameName === undefined ? null : await findGame(gameName);
  const { store, published = null, syzygy = null, onlyFiles } = await reachSources(flags);
  if (!onlyFiles) requireFolder(flags.store);
  growHeap();
  const all = (await allGames()).filter((each) => isSiteGame(each) && (!onlyFiles || each.name === 'chess'));
  const games = asked === null ? all : [asked];
  const [game] = games;
  if (asked === null && (flags.pieces !== undefined || flags.metric !== undefined))
    throw new UserError('--as site: endings, --pieces and --metric are those of one game: name it');
  if (syzygy !== null && games.every(({ name }) => name !== 'chess'))
    throw new UserError('Syzygy files are of chess: --syzygy cannot be combined with other games');
  if (syzygy !== null && flags.metric !== undefined && flags.metric !== SYZYGY_METRIC)
    throw new UserError(
      'Syzygy files hold plies under the metric dtz: leave out --metric, or give --metric dtz',
    );
  const isAll = endings.length === 0 && flags.pieces === undefined;
  const metric = flags.metric === undefined ? undefined : metricOf(game, flags.metric);
  if (published !== null && metric !== undefined) requirePublished(game, metric);
  const slicesUnder = (under: Metric) => {
    const named = metric === undefined ? endings.filter((name) => goesWith(under, name)) : endings;
    const isNone = named.length === 0 && flags.pieces === undefined && endings.length > 0;
    return isNone ? [] : slicesOf(askEndings(namedFor(game, under), named, flags.pieces));
  };
  const slices = isAll ? null : slicesUnder;
  if (metric !== undefined && isClocked(metric))
    throw new UserError(
      `--as site cannot be combined with --metric ${metric}: the page of a site has no half-move clock`,
    );
  if (metric === undefined && published === null && syzygy === null)
    for (const name of endings) await needSolved(store, game, name);
  const json = flags.json === true;
  sayWhenInterrupted('run the same command again to continue');
  const display = await newDisplay(isAll ? [] : slicesUnder(metric ?? game.metrics[0]), json);
  let failed = true;
  try {
    const progress = display.listen;
    const what = { store, published, syzygy, games, metric, slices };
    const summary = await exportSite({ ...what, to: folder, tablesAt, page: PAGES, progress });
    failed = false;
    if (json) {
      await printJson({ site: to, ...summary });
      return;
    }
    const had = summary.games.map(({ name, metrics }) => `${name}: ${metrics.join(', ')}`).join('; ');
    await print(
      `${to} is a site of its own (${had}): ${whole(summary.objects)} files with values, ${bytes(summary.bytes)}\n`,
    );
    if (tablesAt !== null)
      await print(
        `What is in ${join(to, TABLES)} belongs at ${tablesAt}, and all else where the page is to be\n`,
      );
  } finally {
    await display.close(failed);
  }
}
