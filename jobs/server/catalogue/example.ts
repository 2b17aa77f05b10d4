/** An example position, for users who have none at hand. */
import { newCensus, readStatus } from '../../../pipeline/game/fill-census.js';
import { type Game, Status } from '../../../pipeline/game/game.js';
import { brokenIn, type ValueColumn } from '../../../pipeline/game/value.js';
import type { Table } from '../../../pipeline/tables/table.js';

/**
 * A position of a table, as the game writes it. It is taken from the first batch that has positions, from the middle
 * of the table on. It is the longest win in there, or else a draw. Null if the table has no legal position.
 */
export async function examplePosition(game: Game, table: Table): Promise<string | null> {
  const { slice } = table;
  const middle = Math.floor(slice.parts / 2);
  for (const side of [0, 1] as const) {
    for (const [from, to] of [
      [middle, slice.parts],
      [0, middle],
    ] as const) {
      for await (const batch of table.values(side, from, to)) {
        const codes = batch.columns[0] as ValueColumn;
        const best = bestOf(codes, batch.length);
        if (best === null) continue;
        const address = { slice: slice.name, side, part: batch.major, key: batch.first + best };
        return game.format(game.board(address));
      }
    }
  }
  return null;
}

/** Index of the greatest code; null if all are broken. */
function bestOf(codes: ValueColumn, length: number): number | null {
  const broken = brokenIn(codes);
  let best: number | null = null;
  for (let i = 0; i < length; i++) {
    if (codes[i] !== broken && (best === null || codes[i] > codes[best])) best = i;
  }
  return best;
}

/** Indices that are looked at in one go. */
const CENSUS_ROWS = 1 << 12;

/** The first position with moves of a slice that has no table here, as the game writes it; null if there is none. */
export function anyPosition(game: Game, name: string): string | null {
  const slice = game.slice(name);
  const census = newCensus(CENSUS_ROWS);
  const status = new Uint8Array(CENSUS_ROWS);
  for (let part = 0; part < slice.parts; part++) {
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, size - first);
      slice.census(0, part, first, length, census);
      readStatus(census, first, length, status);
      const open = status.subarray(0, length).indexOf(Status.open);
      if (open >= 0) return game.format(game.board({ slice: name, side: 0, part, key: first + open }));
    }
  }
  return null;
}
