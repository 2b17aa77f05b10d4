/**
 * A slice of a numbered game, position by position. Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { fillCensus } from '../../../game/fill-census.js';
import { type Emission, type MoveKernel, type Slice, Status } from '../../../game/game.js';
import { MAX_COUNT } from '../../../game/labels.js';
import type { NumberRange } from './ranges.js';
import type { Rules } from './rules.js';

/** Positions of a part: its labels fit the processor's cache. */
const PART = 2 ** 18;

export const widthOf = ({ size }: NumberRange): number => Math.min(size, PART);
const partsOf = (range: NumberRange): number => Math.ceil(range.size / widthOf(range));

/** Writes a row, for which there is room. */
function emit(index: number, target: NumberRange, source: number, bias: number, out: Emission): void {
  const width = widthOf(target);
  const part = Math.floor((index - target.first) / width);
  out.major[out.length] = bias + part;
  out.minor[out.length] = index - target.first - part * width;
  out.source[out.length++] = source;
}

const BROKEN = { status: Status.broken, moves: 0, conversions: 0 };

/**
 * Emits what `targets` has for each position of a part of `there`. `biasOf` is added to the parts of those in a range, and
 * undefined if they are not asked for.
 */
function newEmitter<Position>(
  rules: Rules<Position>,
  there: NumberRange,
  what: string,
  targets: (position: Position) => number[],
): MoveKernel<(target: NumberRange) => number | undefined> {
  const { ranges } = rules;
  const width = widthOf(there);
  return (side, part, keys, from, to, biasOf, out) => {
    const start = there.first + part * width;
    for (let i = from; i < to; i++) {
      const position = rules.need(start + keys[i], side);
      const before = out.length;
      let wanted = 0;
      for (const index of targets(position)) {
        const target = ranges.of(index);
        const bias = biasOf(target);
        if (bias === undefined) continue;
        wanted++;
        if (out.length < out.minor.length) emit(index, target, i, bias, out);
      }
      if (wanted === out.length - before) continue;
      out.length = before;
      if (wanted <= out.minor.length) return i;
      throw rules.wrong(position, `has ${wanted} ${what}, and there may be ${out.minor.length}`);
    }
    return to;
  };
}

export function numberedSlice<Position>(rules: Rules<Position>, range: NumberRange): Slice {
  const { ranges, definition } = rules;
  const { name, first, size } = range;
  const width = widthOf(range);
  const dependencies = range.leadsTo.map((to) => ranges.all.find((there) => there.name === to)!);

  const within = (bias: number) => (target: NumberRange) => (target === range ? bias : undefined);
  const after = (position: Position) => rules.moves(position).map(([, next]) => rules.home(next));
  const forward = newEmitter(rules, range, 'moves', after);
  const backward = newEmitter(rules, range, 'unmoves', rules.unmoves);
  const backwardFrom = dependencies.map((there) => newEmitter(rules, there, 'unmoves', rules.unmoves));
  const unmoves: MoveKernel = (side, part, keys, from, to, bias, out) =>
    backward(side, part, keys, from, to, within(bias), out);
  const unconversions: Slice['unconversions'] = (
    side,
    dependency,
    sideThere,
    part,
    keys,
    from,
    to,
    bias,
    out,
  ) =>
    // Players move in turn.
    side === sideThere ? to : backwardFrom[dependency](sideThere, part, keys, from, to, within(bias), out);

  return {
    name,
    parts: partsOf(range),
    width,
    size,
    partSize: (part) => Math.min(width, size - part * width),
    dependencies: dependencies.map((there) => ({ slice: there.name, parts: partsOf(there), restarts: [] })),
    maxMoves: MAX_COUNT,
    census(side, part, from, length, out) {
      const start = first + part * width + from;
      fillCensus(from, length, out, (i) => {
        const found = rules.examine(start + i, side, range);
        return found === null ? BROKEN : { ...found, status: Status[found.terminal] };
      });
    },
    moves: (side, part, keys, from, to, bias, out) => forward(side, part, keys, from, to, within(bias), out),
    ...(definition.unmoves === undefined
      ? {}
      : { unmoves, ...(dependencies.length === 0 ? {} : { unconversions }) }),
    conversions(side, part, keys, from, to, conversionBias, out) {
      if (dependencies.length === 0) return to;
      const biasOf = (target: NumberRange) =>
        target === range ? undefined : conversionBias[2 * dependencies.indexOf(target) + 1 - side];
      return forward(side, part, keys, from, to, biasOf, out);
    },
    orbitSizes(part, keys, length, out) {
      if (definition.symmetries === undefined) {
        out.fill(1, 0, length);
        return;
      }
      const start = first + part * width;
      for (let i = 0; i < length; i++) {
        // A position has as many images with either side to move, if it is one.
        const position = rules.at(start + keys[i], 0) ?? rules.need(start + keys[i], 1);
        const many = rules.images(position).length;
        if (many > 255) throw rules.wrong(position, `has ${many} images, and there may be 255`);
        out[i] = many;
      }
    },
  };
}
