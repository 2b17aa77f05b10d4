/** `mergemate serve --export`: the page with tables beside it, for any plain file server. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { sayWhenInterrupted } from '../exit.js';
import { askEndings, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { exportSite } from '../site/export-site.js';
import { TABLES } from '../site/site-layout.js';
import { bytes, whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';

export interface ExportRequest {
  readonly store: Store;
  readonly published: Store | null;
  readonly syzygy: Store | null;
  /** The games asked for, or all. */
  readonly games: readonly Game[];
  /** Metric as typed. */
  readonly metric: string | undefined;
  readonly endings: readonly string[];
  readonly to: string;
  /** Address of the tables for the page, as typed; undefined: beside the page. */
  readonly tablesAt: string | undefined;
  /** The folder of the built page. */
  readonly page: string;
  readonly json: boolean;
}

/** Throws UserError for text that is no address of a folder. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UserError(
      `--tables: "${text}" is no address of a folder, as https://bucket.example/tables is one`,
    );
  }
  return url.href.replace(/\/*$/, '/');
}

export async function runExport(request: ExportRequest): Promise<void> {
  const { store, published, syzygy, games, endings, to, page, json } = request;
  const tablesAt = request.tablesAt === undefined ? null : addressOf(request.tablesAt);
  if (!existsSync(page)) throw new StorageError(page, 'the page is not built: run "npm run build"');
  const [game] = games;
  if (game === undefined || (games.length > 1 && (endings.length > 0 || request.metric !== undefined))) {
    throw new UserError('--export: endings and --metric are those of one game: name it with --game');
  }
  if (published !== null && request.metric !== undefined && request.metric !== 'wdl') {
    throw new UserError(
      'published tables hold wins, draws and losses: --published goes without --metric, or with --metric wdl',
    );
  }
  if (syzygy !== null && games.every(({ name }) => name !== 'chess'))
    throw new UserError("Syzygy's files are of chess: --syzygy goes without other games");
  if (syzygy !== null && request.metric !== undefined && request.metric !== 'dtz')
    throw new UserError(
      "Syzygy's files hold plies under the metric dtz: --syzygy goes without --metric, or with --metric dtz",
    );
  const slices = endings.length === 0 ? null : slicesOf(askEndings(game, endings, undefined));
  const metric = request.metric === undefined ? undefined : metricOf(game, request.metric);
  if (metric !== undefined && isClocked(metric))
    throw new UserError(
      `--export goes without --metric ${metric}: the page of a site has no half-move clock`,
    );
  sayWhenInterrupted('run the same command again to continue');
  const display = await newDisplay(slices ?? [], json);
  let failed = true;
  try {
    const progress = display.listen;
    const what = { store, published, syzygy, games, metric, slices };
    const summary = await exportSite({ ...what, to, tablesAt, page, progress });
    failed = false;
    if (json) {
      await printJson({ export: to, ...summary });
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
