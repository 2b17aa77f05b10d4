/** What the commands of `mergemate graph` share. */

import type { Budget } from '../../operators/core/budget.js';
import type { Metric } from '../../pipeline/value.js';
import { Defaults } from '../bounds.js';
import type { CommonOptions } from '../options.js';
import { needKeyedGame } from '../user-game.js';

export interface GraphFlags extends CommonOptions {
  readonly metric: Metric;
}

export function budgetOf(memory: number): Budget {
  return { memory, fanIn: Defaults.fanIn, batchRows: Defaults.batch };
}

/** What a graph is called in the store, of which its name is asked for, or the module of the keyed game that it is of. */
export async function storedName(asked: string): Promise<string> {
  return (await needKeyedGame(asked))?.name ?? asked;
}
