/** Answers by scans of the tables of an ending. Scans are made one after another; histograms are remembered for good. */

import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import { endingOutcomes } from '../../../pipeline/analysis/outcomes.js';
import type { Ending, Game } from '../../../pipeline/game/game.js';
import { namedSlice } from '../../../pipeline/game/slice-words.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { breathe } from '../../cli/output.js';
import { type PageOfPositions, positionsAnswer } from '../../positions/answer.js';
import type { PositionsQuery } from '../../positions/query.js';
import { histogramAnswer } from '../answers.js';
import type { HistogramAnswer, PositionsAnswer } from '../api-answers.js';
import { newGate } from '../limits.js';
import { asked, HttpProblem } from '../problems.js';
import type { ListedTables } from './listed-tables.js';

interface ScannedPositions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: string;
  readonly query: PositionsQuery;
  readonly page: PageOfPositions;
  /** Awaited between batches of values: it throws if nobody waits for the answer any more. */
  readonly report: () => Promise<void>;
}

export interface Scans {
  /** Throws HttpProblem: 400 for a name that is no ending, 404 for one without tables, 503 if too many are asked for. */
  histogram(game: Game, metric: Metric, ending: string): Promise<HistogramAnswer>;
  /** Positions of an ending by query. Throws as {@link histogram}, and UserError for what does not go together. */
  positions(asked: ScannedPositions): Promise<PositionsAnswer>;
}

/** Scans at once, and those that may wait for theirs. */
const SCANS = { running: 1, waiting: 64 };

export function newScans(store: Store, tables: Pick<ListedTables, 'list'>): Scans {
  const once = newOnce<string, HistogramAnswer>();
  const gate = newGate(SCANS);

  async function solvedEnding(game: Game, metric: Metric, name: string): Promise<Ending> {
    const ending = asked(() => game.ending(name));
    const { slices } = await tables.list(game, metric);
    const missing = ending.slices.find((slice) => !slices.has(slice));
    if (missing !== undefined)
      throw new HttpProblem(404, `there is no ${metric} table of ${namedSlice(game, missing)} here`);
    return ending;
  }

  const opener = (game: Game, metric: Metric) => (slice: string) => needTable(store, game, metric, slice);

  async function scan(game: Game, metric: Metric, ending: Ending): Promise<HistogramAnswer> {
    const options = { game, metric, ending, open: opener(game, metric), report: breathe };
    return histogramAnswer(game, ending, await endingOutcomes(options));
  }

  return {
    async positions({ game, metric, ending: name, query, page, report }) {
      const ending = await solvedEnding(game, metric, name);
      const options = { game, metric, ending, open: opener(game, metric), report };
      return gate.run(() => positionsAnswer(options, query, page));
    },

    async histogram(game, metric, name) {
      const ending = await solvedEnding(game, metric, name);
      const key = `${game.name}/${metric}/${ending.name}`;
      return once(key, () => gate.run(() => scan(game, metric, ending)));
    },
  };
}
