/** The one slice of a simple game, position by position. */
import { fillCensus } from '../../census.js';
import { type Emission, type MoveKernel, type Side, type Slice, Status } from '../../game.js';
import { MAX_COUNT } from '../../labels.js';
import type { Rules } from './rules.js';

/** Positions of a part: its labels fit the processor's cache. */
const PART = 2 ** 18;

export function simpleSlice<Position>(rules: Rules<Position>): Slice {
  const { name, size, unmoves } = rules.definition;
  const width = Math.min(size, PART);
  const parts = Math.ceil(size / width);

  /** Emits what `next` has for each position. */
  function kernel(what: string, next: (position: Position) => Position[]): MoveKernel {
    return (side, part, keys, from, to, bias, out) => {
      for (let i = from; i < to; i++) {
        const position = rules.need(part * width + keys[i]!, side);
        const rows = next(position);
        if (rows.length > out.minor.length)
          throw rules.wrong(position, `has ${rows.length} ${what}, and there may be ${out.minor.length}`);
        if (out.length + rows.length > out.minor.length) return i;
        for (const row of rows) emit(rules.indexOf(row), i, bias, out);
      }
      return to;
    };
  }

  function emit(index: number, source: number, bias: number, out: Emission): void {
    const part = Math.floor(index / width);
    out.major[out.length] = bias + part;
    out.minor[out.length] = index - part * width;
    out.source[out.length++] = source;
  }

  const describe = (index: number, side: Side) => {
    const position = rules.at(index, side);
    if (position === null) return { status: Status.broken, moves: 0, conversions: 0 };
    const { terminal, moves } = rules.examine(position);
    return { status: Status[terminal], moves, conversions: 0 };
  };

  return {
    name,
    parts,
    width,
    size,
    partSize: (part) => Math.min(width, size - part * width),
    dependencies: [],
    maxMoves: MAX_COUNT,
    census(side, part, first, length, out) {
      const start = part * width + first;
      fillCensus(first, length, out, (i) => describe(start + i, side));
    },
    moves: kernel('moves', rules.moves),
    ...(unmoves === undefined ? {} : { unmoves: kernel('unmoves', rules.unmoves) }),
    conversions: (_side, _part, _keys, _from, to) => to,
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}
