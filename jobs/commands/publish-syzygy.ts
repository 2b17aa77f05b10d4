/** `mergemate publish --as syzygy`: the files that chess programs probe. */

import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { askedWords, needTables } from '../asked/tables.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { askEndings, type MetricOptions } from '../cli/options.js';
import { note, print, printJson } from '../cli/output.js';
import { removeRemains } from '../engines/remains.js';
import { claimScratch } from '../engines/scratch-folder.js';
import type { Written } from '../export/syzygy-files.js';
import { SeldomLines } from '../progress/display.js';
import { findGame } from '../registry.js';
import { makeByCrew } from '../sets/crew.js';
import { openStore, scratchParent, storeToRead } from '../stores.js';
import { tableText } from '../ui/document.js';
import { bytes } from '../ui/numbers.js';

export interface SyzygyFlags extends MetricOptions {
  readonly pieces?: number;
  /** Where the files go. */
  readonly to: string;
  readonly plies?: Plies;
  readonly force?: boolean;
  readonly memory: number;
  readonly workers: number;
  readonly scratch?: string;
}

export async function publishSyzygy(names: string[], flags: SyzygyFlags): Promise<void> {
  const { store, to: out, plies = 'exact', force = false, json = false, pieces, memory, workers } = flags;
  if (flags.metric !== undefined && flags.metric !== SYZYGY_METRIC)
    throw new UserError(
      `Syzygy files hold plies under the metric ${SYZYGY_METRIC}: --as syzygy cannot be combined with another --metric`,
    );
  const game = await findGame('chess');
  const filed = filedEndings(game, askedFor(game, names, pieces));
  sayWhenInterrupted('files that were finished are there, and the same command makes the others');
  const slices = [...new Set(filed.flatMap((one) => one.slices))];
  await needTables(storeToRead(store), game, SYZYGY_METRIC, slices, askedWords(names, pieces));
  const { forecastFiles } = await import('../plan/cost.js');
  const forecast = await forecastFiles(game, slices, SYZYGY_METRIC);
  if (forecast !== null) note(forecast);
  await removeRemains(openStore(out), (name) => !name.includes('/'));
  const { folder: scratchFolder, release } = claimScratch(scratchParent(store, flags.scratch));
  const place = { store, out, plies, force, memory, scratchFolder };
  const lines = new SeldomLines();
  let files: readonly Written[];
  try {
    files = await makeByCrew(place, workers, filed, (one, { type, text }) => {
      if (type === 'warn') note(text);
      else if (!json)
        lines.say(() => `${one.material.name} [${filed.indexOf(one) + 1}/${filed.length}] ${text}`);
    });
  } finally {
    release();
  }
  if (json) await printJson({ game: game.name, metric: SYZYGY_METRIC, out, plies, files });
  else await print(summary(out, files));
}

/** Endings with a right to capture en passant are no files of their own. */
function askedFor(game: Game, names: readonly string[], men: number | undefined): Ending[] {
  const named = new Set(names.map((name) => game.ending(name).name));
  return askEndings(game, names, men).filter(
    ({ name, class: whole }) => named.has(name) || !whole.endsWith('ep'),
  );
}

function summary(out: string, files: readonly Written[]): string {
  const rows = files.map((file) => [file.name, file.bytes, file.written ? 'written' : 'was there']);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${out}\n\n${tableText({ columns: ['file', 'bytes', ''], rows })}\n${files.length} files, ${bytes(total)}\n`;
}
