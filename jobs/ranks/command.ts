/** Flags and messages that the commands of ranks share, those of games and those of graphs. */
import type { CommonOptions } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { duration } from '../ui/numbers.js';
import { used } from './be-rank.js';
import type { RankFlags, RankIdentity } from './identity.js';

export interface RankCommandFlags extends RankFlags {
  readonly log?: string;
  readonly driven?: boolean;
}

/** Prints the last line of a rank other than the first. */
export async function sayDone({ rank, ranks }: RankIdentity, { json }: CommonOptions): Promise<void> {
  const took = used();
  if (json) await printJson({ rank, ranks, ...took });
  else await print(`rank ${rank} of ${ranks} is done: ${duration(took.cpuMs)} of CPU\n`);
}
