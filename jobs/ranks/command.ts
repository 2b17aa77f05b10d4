/** What the commands have in common that are ranks: of games, and of graphs. */
import type { Command } from 'commander';
import { Bounds } from '../bounds.js';
import { print, printJson } from '../output.js';
import type { CommonOptions } from '../store-option.js';
import { duration } from '../ui/numbers.js';
import { wholeNumber } from '../whole-number.js';
import { used } from './be-rank.js';
import type { RankFlags, RankIdentity } from './identity.js';

export interface RankCommandFlags extends RankFlags {
  readonly log?: string;
  readonly driven?: boolean;
}

/** The options that say which rank a process is, and how it is watched. */
export function withRank(command: Command): Command {
  const { ranks } = Bounds;
  return command
    .option('--rank <n>', 'the number of this rank, from 0 on', wholeNumber('--rank', 0, ranks.most - 1))
    .option('--ranks <n>', 'how many ranks there are', wholeNumber('--ranks', 1, ranks.most))
    .option('--job <name>', 'what the ranks that solve together have in common; letters, digits and dashes')
    .option('--log <folder>', 'append what happens to HOST.jsonl there, one JSON object a line')
    .option('--driven', 'print nothing: another process collects what the ranks report');
}

/** What ranks but the first say in the end. */
export async function sayDone({ rank, ranks }: RankIdentity, { json }: CommonOptions): Promise<void> {
  const took = used();
  if (json) await printJson({ rank, ranks, ...took });
  else await print(`rank ${rank} of ${ranks} is done: ${duration(took.cpuMs)} of CPU\n`);
}
