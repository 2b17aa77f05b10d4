/** Options that the commands of `mergemate graph` share. */
import { type Command, Option } from 'commander';
import type { Budget } from '../../operators/core/budget.js';
import { UserError } from '../../operators/core/errors.js';
import { graphs } from '../../pipeline/graph/graph-game.js';
import type { Metric } from '../../pipeline/value.js';
import { Bounds, Defaults } from '../bounds.js';
import { nameOfFile } from '../graph/name-of-file.js';
import { parseSize } from '../sizes.js';
import { type CommonOptions, withStore } from '../store-option.js';
import { needKeyedGame } from '../user-game.js';

export interface GraphFlags extends CommonOptions {
  readonly metric: Metric;
}

/** Of the commands that solve a graph. */
export interface GraphSolveFlags extends GraphFlags {
  readonly name?: string;
  readonly memory: string;
  readonly scratch?: string;
  readonly verify: boolean;
}

export function withGraphSolve(command: Command): Command {
  return withGraphMetric(withMemory(withStore(command)))
    .option('--name <name>', 'what the graph is called in the store (default: the name of the file)')
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the values by the edges');
}

/** What a graph that is to be solved is called: as was asked, as its keyed game, or as its file. */
export async function graphNameOf(path: string, { name }: Pick<GraphSolveFlags, 'name'>): Promise<string> {
  return name ?? (await needKeyedGame(path))?.name ?? nameOfFile(path);
}

export function withGraphMetric(command: Command): Command {
  const option = new Option('--metric <metric>', 'what its table holds: edges to the end, or who wins only');
  return command.addOption(option.choices(graphs.metrics).default(graphs.metrics[0]));
}

export function withMemory(command: Command): Command {
  return command.option('--memory <size>', 'memory for buffers, at least 1MiB', Defaults.memory);
}

export function budgetOf(memory: string): Budget {
  const bytes = parseSize(memory, '--memory');
  if (bytes < Bounds.memory.least)
    throw new UserError(`--memory: ${bytes} bytes are too few, at least 1MiB is needed`);
  return { memory: bytes, fanIn: Defaults.fanIn, batchRows: Defaults.batch };
}

/** What a graph is called in the store, of which its name is asked for, or the module of the keyed game that it is of. */
export async function storedName(asked: string): Promise<string> {
  return (await needKeyedGame(asked))?.name ?? asked;
}
