/** What the commands have in common that are ranks: of games, and of graphs. */
import type { CommonOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { duration } from '../ui/numbers.js';
import { used } from './be-rank.js';
import type { RankFlags, RankIdentity } from './identity.js';

export interface RankCommandFlags extends RankFlags {
  readonly log?: string;
  readonly driven?: boolean;
}

/** What ranks but the first say in the end. */
export async function sayDone({ rank, ranks }: RankIdentity, { json }: CommonOptions): Promise<void> {
  const took = used();
  if (json) await printJson({ rank, ranks, ...took });
  else await print(`rank ${rank} of ${ranks} is done: ${duration(took.cpuMs)} of CPU\n`);
}
