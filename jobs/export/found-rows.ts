/** Positions of endings that meet conditions, as rows. */
import { type SelectOptions, selectPositions } from '../../pipeline/analysis/selection.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { Address } from '../../pipeline/game/slice-index.js';
import { rowOf } from '../positions/row.js';
import type { ScanLines } from '../progress/display.js';
import { collectorOf } from './collect.js';
import type { Column } from './columns.js';
import type { Cell, RowBatch, RowColumn } from './rows.js';
import type { BestMoves } from './table-rows.js';

interface FoundRows
  extends Pick<SelectOptions, 'game' | 'metric' | 'selection' | 'open' | 'numbers' | 'meets'> {
  readonly progress: ScanLines;
  readonly endings: readonly Ending[];
  readonly columns: readonly RowColumn[];
  readonly best?: BestMoves | undefined;
  /** Rows that are held until they are written. */
  readonly groupRows: number;
}

export async function* foundRows({
  endings,
  columns,
  best,
  groupRows,
  progress,
  ...options
}: FoundRows): AsyncGenerator<RowBatch> {
  const { game } = options;
  const collectors = columns.map((column) => collectorOf(column, groupRows));
  const names = columns.map(({ name }) => name as Column);
  let rows = 0;
  const take = (): RowBatch => {
    const batch = { rows, values: collectors.map((collector) => collector.take()) };
    rows = 0;
    return batch;
  };
  for (const [i, ending] of endings.entries()) {
    progress.begin(ending.name, i + 1, endings.length);
    for await (const batch of selectPositions({ ...options, ending, report: progress.report })) {
      for (const found of batch) {
        const place = game.locate(found.board);
        const cells: Partial<Record<Column, Cell | undefined>> = {
          ...rowOf(game, found, place),
          ending: ending.name,
          index: numberOf(game, place),
          best: best === undefined ? [] : await best(found.board),
        };
        for (const [at, name] of names.entries()) collectors[at].add(cells[name] ?? null);
        if (++rows === groupRows) yield take();
      }
    }
  }
  if (rows > 0) yield take();
}

/** The number of a position within its slice. */
function numberOf(game: Game, { slice, part, key }: Address): number {
  return part * game.slice(slice).width + key;
}
