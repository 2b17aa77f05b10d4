/** Positions of endings that meet conditions, as rows. */
import { type SelectOptions, selectPositions } from '../../pipeline/analysis/selection.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { Address } from '../../pipeline/game/slice-index.js';
import { rowOf } from '../positions/row.js';
import type { ScanLines } from '../progress/display.js';
import { collectorOf } from './collect.js';
import type { Column } from './columns.js';
import type { Cell, RowBatch, RowColumn } from './rows.js';
import type { BestOf } from './table-rows.js';

interface FoundRows extends Pick<SelectOptions, 'metric' | 'selection' | 'open' | 'numbers'> {
  /** The view of the game that locates the positions of an ending. */
  readonly viewOf: (ending: string) => Game;
  /** What else a position of an ending must meet. */
  readonly meetsOf: (ending: string) => SelectOptions['meets'];
  readonly progress: ScanLines;
  readonly endings: readonly Ending[];
  readonly columns: readonly RowColumn[];
  readonly best?: BestOf | undefined;
  /** Rows that are held until they are written. */
  readonly groupRows: number;
}

export async function* foundRows({
  endings,
  columns,
  best,
  groupRows,
  progress,
  viewOf,
  meetsOf,
  ...options
}: FoundRows): AsyncGenerator<RowBatch> {
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
    const game = viewOf(ending.name);
    const bestMoves = best?.(ending.name);
    const meets = meetsOf(ending.name);
    const { report } = progress;
    for await (const batch of selectPositions({ ...options, game, meets, ending, report })) {
      for (const found of batch) {
        const place = game.locate(found.board);
        const cells: Partial<Record<Column, Cell | undefined>> = {
          ...rowOf(game, found, place),
          ending: ending.name,
          index: numberOf(game, place),
          best: bestMoves === undefined ? [] : await bestMoves(found.board),
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
