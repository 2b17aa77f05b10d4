/**
 * Values for Syzygy's files from solved tables, each read from its beginning to its end. What moves of zeroing the counter
 * achieve is looked up in memory, which holds the outcomes of one dependency, or of some small ones.
 */
import { assert } from '../../../../operators/core/errors.js';
import type { DenseCursor } from '../../../../operators/runs/types.js';
import type { Emission, Ending, Game, Side, Slice } from '../../../game.js';
import { brokenIn, type ValueColumn } from '../../../value.js';
import { sideOf, type View, viewsOf } from '../../../views.js';
import { placeMen, type Space, spaceOf } from '../index-space.js';
import { BLACK, type Material, manCode } from './material.js';
import { type Outcome, outcomeBefore, type ValueSource } from './subtable.js';

/** What is needed of a table (pipeline/table/table.ts). */
export interface SliceValues {
  readonly slice: Slice;
  /** Values of the parts [from, to) in order; columns[0] holds the codes of pipeline/value.ts. */
  values(side: Side, from: number, to: number): DenseCursor;
}

export interface TableSourceOptions {
  readonly game: Game;
  /** White the stronger side, as files are named. */
  readonly ending: Ending;
  readonly material: Material;
  /** Finds the table of a slice under the metric `dtz`: of the ending, and of all that its slices convert to. */
  readonly open: (slice: string) => Promise<SliceValues>;
  /** Called between batches. */
  readonly pause?: () => Promise<void>;
}

type Pause = (() => Promise<void>) | undefined;

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
        const table = await open(view.slice);
        const place = boardsOf(material, view);
        const numbers = [...table.slice.dependencies.keys()];
        while (numbers.length > 0) {
          const loaded: Loaded[] = [];
          for (let size = 0; numbers.length > 0 && (loaded.length === 0 || size < MOST_LOADED); ) {
            const number = numbers.shift()!;
            const target = await open(table.slice.dependencies[number].slice);
            loaded.push(await load(number, target, spaceOf(view.slice).men, pause));
            size += 2 * target.slice.size;
          }
          await convert(table, sideIn(view, side), loaded, pause, (part, key, isCapture, outcome) =>
            show(place(part, key), isCapture, outcome),
          );
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
    squares[white] = space.pairs.white[pair] ^ rotate;
    squares[black] = space.pairs.black[pair] ^ rotate;
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

/** Bytes of outcomes held at once, unless a single dependency has more. */
const MOST_LOADED = 1 << 26;
/** Rows and positions that are expanded at once. */
const ROWS = 1 << 14;
/** Added to the majors of positions in dependencies that are not loaded. */
const ELSEWHERE = 2 ** 31;

/** A dependency in memory: for the mover of the position before, what a move to each index is worth, by side to move there. */
interface Loaded {
  readonly number: number;
  readonly slice: Slice;
  readonly isCapture: boolean;
  readonly outcomes: readonly [Uint8Array, Uint8Array];
}

async function load(number: number, table: SliceValues, menBefore: number, pause: Pause): Promise<Loaded> {
  const { slice } = table;
  const outcomes = [new Uint8Array(slice.size), new Uint8Array(slice.size)] as const;
  for (const side of [0, 1] as const) {
    for await (const batch of table.values(side, 0, slice.parts)) {
      const codes = batch.columns[0] as ValueColumn;
      const start = batch.major * slice.width + batch.first;
      for (let i = 0; i < batch.length; i++) outcomes[side][start + i] = outcomeBefore(codes[i]);
      await pause?.();
    }
  }
  return { number, slice, isCapture: spaceOf(slice.name).men < menBefore, outcomes };
}

/** Shows each position of a side with each of its moves to the loaded dependencies. */
async function convert(
  { slice, values }: SliceValues,
  side: Side,
  loaded: readonly Loaded[],
  pause: Pause,
  show: (part: number, key: number, isCapture: boolean, outcome: Outcome) => void,
): Promise<void> {
  const bias = new Array<number>(2 * slice.dependencies.length).fill(ELSEWHERE);
  const ends: { end: number; start: number; of: Loaded; there: Side }[] = [];
  for (const of of loaded) {
    for (const there of [0, 1] as const) {
      const start = ends.at(-1)?.end ?? 0;
      bias[2 * of.number + there] = start;
      ends.push({ start, end: start + of.slice.parts, of, there });
    }
  }
  const capacity = Math.max(ROWS, slice.maxMoves);
  const column = () => new Uint32Array(capacity);
  const out: Emission = { length: 0, major: column(), minor: column(), source: column() };
  const keys = new Uint32Array(ROWS);
  const expand = (part: number, count: number) => {
    for (let from = 0; from < count; ) {
      out.length = 0;
      from = slice.conversions(side, part, keys, from, count, bias, out);
      for (let row = 0; row < out.length; row++) {
        const major = out.major[row];
        if (major >= ELSEWHERE) continue;
        const { start, of, there } = ends.find(({ end }) => major < end)!;
        const outcome = of.outcomes[there][(major - start) * of.slice.width + out.minor[row]];
        show(part, keys[out.source[row]], of.isCapture, outcome as Outcome);
      }
    }
  };
  for await (const batch of values(side, 0, slice.parts)) {
    const codes = batch.columns[0] as ValueColumn;
    const broken = brokenIn(codes);
    let count = 0;
    for (let i = 0; i < batch.length; i++) {
      if (codes[i] === broken) continue;
      keys[count++] = batch.first + i;
      if (count < ROWS) continue;
      expand(batch.major, count);
      count = 0;
    }
    expand(batch.major, count);
    await pause?.();
  }
}
