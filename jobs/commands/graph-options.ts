/** Options and names that commands share for graphs and keyed games. */

import type { Budget } from '../../operators/core/budget.js';
import type { Metric } from '../../pipeline/game/value.js';
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

/** Options of the commands that solve a graph. */
export interface GraphSolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly again?: boolean;
}

/** Name of a graph that ranks solve: the given one, that of its keyed game, or that of its file, which some of them may not have. */
export async function graphNameOf(path: string, { name }: Pick<GraphSolveFlags, 'name'>): Promise<string> {
  return name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
}
