/** Games with one fault each: the slices of a sound game, with a wrong kernel. */
import type { Emission, Game, Slice } from '../../../pipeline/game/game.js';

/** The game with `change` made to each of its slices, or to those named. */
export function withSlices<Board>(
  game: Game<Board>,
  change: (slice: Slice) => Partial<Slice>,
  names?: readonly string[],
): Game {
  const changed = new Map<string, Slice>();
  return {
    ...(game as Game),
    slice(name) {
      const slice = game.slice(name);
      if (names !== undefined && !names.includes(name)) return slice;
      let known = changed.get(name);
      if (known === undefined) changed.set(name, (known = { ...slice, ...change(slice) }));
      return known;
    },
  };
}

/** Takes row `row` out. */
export function dropRow(out: Emission, row: number): void {
  for (const column of [out.major, out.minor, out.source]) column.copyWithin(row, row + 1, out.length);
  out.length--;
}

/** Repeats row `row` at the end, if there is room. */
export function repeatRow(out: Emission, row: number): void {
  if (out.length === out.minor.length) return;
  for (const column of [out.major, out.minor, out.source]) column[out.length] = column[row];
  out.length++;
}

/** A kernel of that signature, one position at a time, after `spoil` has changed the rows of each. */
export function spoiled<Args extends unknown[]>(
  kernel: (...args: Args) => number,
  spoil: (out: Emission, first: number, key: number) => void,
): (...args: Args) => number {
  return (...args) => {
    // The last arguments of all kernels are alike, except the number that is added to parts.
    const out = args.at(-1) as Emission;
    const at = args.findIndex((argument) => argument instanceof Uint32Array);
    const [keys, from, to] = args.slice(at, at + 3) as [Uint32Array, number, number];
    for (let i = from; i < to; i++) {
      const before = out.length;
      const one = [...args] as Args;
      one.splice(at + 1, 2, i, i + 1);
      if (kernel(...one) === i) return i;
      spoil(out, before, keys[i]);
    }
    return to;
  };
}
