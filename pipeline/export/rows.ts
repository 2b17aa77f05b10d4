/** The rows of a table as other programs read them, in batches. */
import type { Colour, Game, Side } from '../game.js';
import type { Table } from '../table/table.js';
import { brokenIn, decodeValue, type Metric, type ValueColumn, type Wdl } from '../value.js';
import { sideOf } from '../views.js';

/** All legal canonical positions of a stretch of the table; arrays of one length. */
export interface ExportBatch {
  /** The side to move, in the colours of the ending as it was asked for. */
  readonly side: Colour;
  /** Position numbers of the slice, in its own order: part * width + key, safe integers. */
  readonly index: readonly number[];
  readonly fen: readonly string[];
  readonly wdl: readonly Wdl[];
  /** Null for draws, and under `wdl`. */
  readonly plies: readonly (number | null)[];
}

/** Values turned into rows at once. */
const BATCH_ROWS = 1 << 13;

/** Rows of the game's first colour to move, then of the other, each by ascending index. */
export async function* exportRows(
  game: Game,
  table: Table,
  metric: Metric,
  flipped: boolean,
): AsyncGenerator<ExportBatch> {
  const slice = table.slice;
  for (const colour of game.colours) {
    const side = sideOf(game, colour, flipped);
    for await (const batch of table.values(side, 0, slice.parts)) {
      const codes = batch.columns[0] as ValueColumn;
      for (let from = 0; from < batch.length; from += BATCH_ROWS) {
        const to = Math.min(from + BATCH_ROWS, batch.length);
        const at = { slice: slice.name, side, part: batch.major };
        const rows = describeRows(game, metric, flipped, at, batch.first, codes, from, to, slice.width);
        if (rows.index.length > 0) yield { side: colour, ...rows };
      }
    }
  }
}

function describeRows(
  game: Game,
  metric: Metric,
  flipped: boolean,
  at: { slice: string; side: Side; part: number },
  first: number,
  codes: ValueColumn,
  from: number,
  to: number,
  width: number,
): Omit<ExportBatch, 'side'> {
  const broken = brokenIn(codes);
  const index: number[] = [];
  const fen: string[] = [];
  const wdl: Wdl[] = [];
  const plies: (number | null)[] = [];
  for (let i = from; i < to; i++) {
    const code = codes[i];
    if (code === broken) continue;
    const key = first + i;
    const value = decodeValue(code, metric);
    index.push(at.part * width + key);
    fen.push(game.format(game.board({ ...at, key }, flipped)));
    wdl.push(value.wdl);
    plies.push(value.plies);
  }
  return { index, fen, wdl, plies };
}
