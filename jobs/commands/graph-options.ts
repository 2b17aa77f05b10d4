/** Options and names that commands share for graphs and keyed games. */

import type { Metric } from '../../pipeline/game/value.js';
import type { CommonOptions } from '../cli/options.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { needKeyedGame } from '../user-game.js';

export interface GraphFlags extends CommonOptions {
  readonly metric: Metric;
}

/** Name of a graph that ranks solve: the given one, that of its keyed game, or that of its file, which some of them may not have. */
export async function graphNameOf(path: string, { name }: { readonly name?: string }): Promise<string> {
  return name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
}
