/** Prints the results of a solve: a table and words for people, JSON for programs. */

import type { Store } from '../../operators/storage/store.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { SliceSummary } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { print, printJson } from '../cli/output.js';
import { endingsInWords, type RunTime, runTimeJson, summaryJson, summaryTable } from '../ui/solve-summary.js';

interface SolvedJob {
  readonly game: Game;
  readonly endings: readonly Ending[];
  readonly metric: Metric;
  readonly store: Pick<Store, 'uri'>;
  readonly json: boolean;
}

export async function printSolved(
  { game, endings, metric, store, json }: SolvedJob,
  summaries: readonly SliceSummary[],
  run: RunTime,
): Promise<void> {
  if (json) {
    const slices = summaries.map((summary) => summaryJson(summary, game));
    await printJson({ game: game.name, metric, store: store.uri, ...runTimeJson(run), slices });
  } else {
    const words = endingsInWords(game, endings, summaries, metric);
    await print(`${summaryTable(game, endings, summaries, run)}\n${words}`);
  }
}
