/** Whether what was asked for is solved. */
import { UserError } from '../operators/core/errors.js';
import type { Store } from '../operators/storage/store.js';
import type { Game } from '../pipeline/game.js';
import { tableManifestName } from '../pipeline/table/names.js';
import { needTable } from '../pipeline/table/table.js';
import type { Metric } from '../pipeline/value.js';
import { referenceOf } from './registry.js';

/** Throws UserError, with the command that solves what was `asked`, if some of these slices have no table in the store. */
export async function needTables(
  store: Store,
  game: Game,
  metric: Metric,
  slices: readonly string[],
  asked: string,
): Promise<void> {
  if (slices.length === 1) {
    await needTable(store, game, metric, slices[0]!);
    return;
  }
  const there = new Set(await store.list(`${game.name}/${metric}/`));
  const missing = slices.filter((slice) => !there.has(tableManifestName(game.name, metric, slice)));
  if (missing.length === 0) return;
  throw new UserError(
    `${missing.length} of ${slices.length} slices are not solved for ${metric} in ${store.uri}, ${missing[0]} among them: run "mergemate solve ${referenceOf(game)} ${asked} --metric ${metric}" first`,
  );
}

/** What was asked for, as words of a command line. */
export function askedWords(names: readonly string[], pieces: number | undefined): string {
  return [...names, ...(pieces === undefined ? [] : ['--pieces', pieces])].join(' ');
}
