/** What the commands of `mergemate graph` share. */

import type { Budget } from '../../operators/core/budget.js';
import type { Metric } from '../../pipeline/value.js';
import { Defaults } from '../bounds.js';
import { nameOfFile } from '../graph/name-of-file.js';
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

/** Options of the commands that solve a graph. */
export interface GraphSolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: number;
  readonly scratch?: string;
  readonly verify: boolean;
}

/** What a graph that is to be solved is called: as was asked, as its keyed game, or as its file. */
export async function graphNameOf(path: string, { name }: Pick<GraphSolveFlags, 'name'>): Promise<string> {
  return name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
}
