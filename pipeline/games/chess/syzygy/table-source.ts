/** Values for Syzygy's files from solved tables, each read from its beginning to its end. */
import { assert } from '../../../../operators/core/errors.js';
import type { Emission, Ending, Game, Side, Slice } from '../../../game.js';
import type { Table } from '../../../table/table.js';
import { brokenIn, type ValueColumn } from '../../../value.js';
import { sideOf, type View, viewsOf } from '../../../views.js';
import { PAIR_BLACK, PAIR_WHITE } from '../geometry.js';
import { placeMen, type Space, spaceOf } from '../index-space.js';
import { BLACK, type Material, manCode } from './material.js';
import { Outcome, outcomeBefore, type ValueSource } from './subtable.js';

export interface TableSourceOptions {
  readonly game: Game;
  /** White the stronger side, as files are named. */
  readonly ending: Ending;
  readonly material: Material;
  /** Finds the table of a slice under the metric `dtz`: of the ending, and of all that its slices convert to. */
  readonly open: (slice: string) => Promise<Table>;
  /** Called between batches. */
  readonly pause?: () => Promise<void>;
}

export function tableSource({ game, ending, material, open, pause }: TableSourceOptions): ValueSource {
  const views = viewsOf(game, ending);
  const sideIn = (view: View, side: Side) => sideOf(game, game.colours[side], view.flipped);
  return {
    async values(side, show) {
      for (const view of views) {
        const table = await open(view.slice);
        const place = boardsOf(material, view);
        for await (const batch of table.values(sideIn(view, side), 0, table.slice.parts)) {
          const codes = batch.columns[0] as ValueColumn;
          const broken = brokenIn(codes);
          for (let i = 0; i < batch.length; i++) {
            if (codes[i] !== broken) show(place(batch.major, batch.first + i), codes[i]);
          }
          await pause?.();
        }
      }
    },
    async zeroingMoves(side, show) {
      for (const view of views) {
        const { slice } = await open(view.slice);
        const place = boardsOf(material, view);
        for (const [d, dependency] of slice.dependencies.entries()) {
          const isCapture = spaceOf(dependency.slice).men < spaceOf(slice.name).men;
          const table = await open(dependency.slice);
          const before = (part: number, key: number, outcome: Outcome) =>
            show(place(part, key), isCapture, outcome);
          await takeBack(slice, sideIn(view, side), d, table, before, pause);
        }
      }
    },
  };
}

/** Returns a function that decodes a key of the view's slice into squares of the men of the material. */
function boardsOf(material: Material, { slice, flipped }: View): (part: number, key: number) => Uint8Array {
  const space = spaceOf(slice);
  const slots = slotsOf(material, space, flipped);
  const rotate = flipped ? 56 : 0;
  const men = new Uint8Array(8);
  const squares = new Uint8Array(material.men.length);
  const [white, black] = flipped ? [1, 0] : [0, 1];
  return (part, key) => {
    const inPart = Math.floor(key / space.placements);
    const pair = part * space.pairsPerPart + inPart;
    placeMen(space, key - inPart * space.placements, men);
    squares[white] = PAIR_WHITE[pair] ^ rotate;
    squares[black] = PAIR_BLACK[pair] ^ rotate;
    for (let man = 0; man < slots.length; man++) squares[slots[man]] = men[man] ^ rotate;
    return squares;
  };
}

/** Of each man of the space, its number in the material. */
function slotsOf({ men }: Material, space: Space, flipped: boolean): number[] {
  const free = men.map((code, man) => ({ code, man })).slice(2);
  return Array.from({ length: space.men }, (_, man) => {
    const code = manCode(space.kindOf[man]) + (space.sideOf[man] === (flipped ? 0 : 1) ? BLACK : 0);
    const found = free.findIndex((slot) => slot.code === code);
    assert(found >= 0, `${space.name} has the men of the file`);
    return free.splice(found, 1)[0]!.man;
  });
}

/** Rows that unconversions may emit at once. */
const ROWS = 1 << 16;

/** Shows the predecessors in the slice, `side` to move, of positions of a dependency that are not won there. */
async function takeBack(
  slice: Slice,
  side: Side,
  dependency: number,
  table: Table,
  show: (part: number, key: number, outcome: Outcome) => void,
  pause: (() => Promise<void>) | undefined,
): Promise<void> {
  assert(slice.unconversions !== undefined, 'chess takes conversions back');
  const out: Emission = {
    length: 0,
    major: new Uint32Array(ROWS),
    minor: new Uint32Array(ROWS),
    source: new Uint32Array(0),
  };
  let keys = new Uint32Array(0);
  for (const sideThere of [0, 1] as const) {
    for await (const batch of table.values(sideThere, 0, table.slice.parts)) {
      const codes = batch.columns[0] as ValueColumn;
      const broken = brokenIn(codes);
      if (keys.length < batch.length) keys = new Uint32Array(batch.length);
      for (const outcome of [Outcome.blessedLoss, Outcome.draw, Outcome.cursedWin, Outcome.win]) {
        let count = 0;
        for (let i = 0; i < batch.length; i++) {
          if (codes[i] !== broken && outcomeBefore(codes[i]) === outcome) keys[count++] = batch.first + i;
        }
        for (let from = 0; from < count; ) {
          out.length = 0;
          from = slice.unconversions!(side, dependency, sideThere, batch.major, keys, from, count, 0, out);
          for (let row = 0; row < out.length; row++) show(out.major[row], out.minor[row], outcome);
        }
      }
      await pause?.();
    }
  }
}
