/** Finds out whether the endings asked for are solved. */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedSlice } from '../../pipeline/game/slice-words.js';
import type { Metric } from '../../pipeline/game/value.js';
import { guardOf } from '../../pipeline/tables/table-guard.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { costOfAdvice } from '../plan/advice.js';
import { referenceOf } from '../registry.js';

/** Throws UserError, with the command that solves the `asked` endings, if some of these slices have no table in the store. */
export async function needTables(
  store: Store,
  game: Game,
  metric: Metric,
  slices: readonly string[],
  asked: string,
): Promise<void> {
  const there = new Set(await store.list(`${game.name}/${metric}/`));
  const missing = slices.filter((slice) => !there.has(tableManifestName(game.name, metric, slice)));
  if (missing.length === 0) {
    for (const slice of slices) store.expect?.(tableManifestName(game.name, metric, slice));
    // Threads that read the tables would ask as well, when work has begun and is shown.
    return guardOf(game)?.(store);
  }
  const command = ['mergemate solve', referenceOf(game), asked, '--metric', metric];
  const what =
    slices.length === 1
      ? `${namedSlice(game, missing[0])} is not solved for ${metric} in ${store.uri}`
      : `${missing.length} of ${slices.length} slices are not solved for ${metric} in ${store.uri}, ${namedSlice(game, missing[0])} among them`;
  const cost = await costOfAdvice(game, missing, metric, store);
  throw new UserError(`${what}: run "${command.filter((word) => word !== '').join(' ')}" first${cost}`);
}

/** The endings asked for, as words of a command line. */
export function askedWords(names: readonly string[], pieces: number | undefined): string {
  return [...names, ...(pieces === undefined ? [] : ['--pieces', pieces])].join(' ');
}
