/** A position of an ending as a row, wherever rows are written: in exports, over HTTP, and on the page. Runs in browsers. */
import type { Selected } from '../../pipeline/analysis/selection.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Address } from '../../pipeline/game/slice-index.js';
import { shownSlice } from '../../pipeline/game/views.js';
import { outcomeWord } from '../ui/verdict.js';
import type { PositionRow } from './shapes.js';

/** @param place of the position that the board stands for. */
export function rowOf(
  game: Game,
  { board, side, value, number, zugzwang }: Selected,
  place: Address = game.locate(board),
): PositionRow {
  return {
    slice: shownSlice(game, side, place),
    position: game.format(board),
    mover: side,
    outcome: outcomeWord(value.wdl, number !== undefined),
    plies: value.plies,
    ...(number !== undefined && { solutions: number }),
    ...(zugzwang !== null && {
      zugzwang: zugzwang.kind,
      passed: zugzwang.passed.wdl,
      passed_plies: zugzwang.passed.plies,
    }),
    weight: weightOf(game, place),
  };
}

/** The number of boards that are the same as this position up to symmetry. */
function weightOf(game: Game, { slice, part, key }: Address): number {
  game.slice(slice).orbitSizes(part, Uint32Array.of(key), 1, weight);
  return weight[0];
}

const weight = new Uint8Array(1);
