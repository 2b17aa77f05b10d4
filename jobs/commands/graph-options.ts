/** Options that the commands of `mergemate graph` share. */
import { type Command, Option } from 'commander';
import type { Budget } from '../../operators/core/budget.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import type { Metric } from '../../pipeline/value.js';
import { Defaults } from '../bounds.js';
import type { CommonOptions } from '../store-option.js';
import { needKeyedGame } from '../user-game.js';

export interface GraphFlags extends CommonOptions {
  readonly metric: Metric;
}

export function withGraphMetric(command: Command): Command {
  const option = new Option('--metric <metric>', 'what its table holds: edges to the end, or who wins only');
  return command.addOption(option.choices(graphs.metrics).default(graphs.metrics[0]));
}

export function budgetOf(memory: number): Budget {
  return { memory, fanIn: Defaults.fanIn, batchRows: Defaults.batch };
}

/** What a graph is called in the store, of which its name is asked for, or the module of the keyed game that it is of. */
export async function storedName(asked: string): Promise<string> {
  return (await needKeyedGame(asked))?.name ?? asked;
}
