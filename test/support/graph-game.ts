/** Games given by lists of moves, and a naive solver of them: to test solvers with cases that chess does not have. */
import { fillCensus } from '../../pipeline/game/fill-census.js';
import type { Emission, Game, Side, Slice } from '../../pipeline/game/game.js';
import { Status } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';

export interface GraphSide {
  readonly status: number[];
  /** Successors in the slice, with the other side to move; likewise in the dependency. */
  readonly moves: number[][];
  readonly conversions: number[][];
  /** Successors in the other dependency. */
  readonly quiet?: number[][];
}
export interface SmallGraph {
  readonly name: string;
  readonly size: number;
  readonly width: number;
  readonly sides: [GraphSide, GraphSide];
  readonly dependency?: SmallGraph;
  /** A dependency more; no count restarts with moves to it. */
  readonly quiet?: SmallGraph;
}

/** The metrics whose count restarts with moves to the first dependency. */
const RESTARTS: readonly Metric[] = ['dtc', 'dtz'];

/** Numbers below `n`, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/**
 * A random graph. With `ladder`, position i of a side mostly leads to positions a little below i: wins take about as many plies
 * as there are positions.
 */
export function randomGraph(
  seed: number,
  options: Pick<SmallGraph, 'name' | 'size' | 'width' | 'dependency' | 'quiet'> & { ladder: boolean },
): SmallGraph {
  const random = randomFrom(seed);
  const { size, dependency, quiet, ladder } = options;
  const side = (number: Side) => {
    const made = {
      status: [] as number[],
      moves: [] as number[][],
      conversions: [] as number[][],
      quiet: [] as number[][],
    };
    for (let i = 0; i < size; i++) {
      const moves: number[] = [];
      const conversions: number[] = [];
      const quietly: number[] = [];
      let status: number = random(12) === 0 ? Status.broken : Status.open;
      if (ladder) status = i < 2 ? Status.lost : Status.open;
      else if (status === Status.open && random(20) === 0)
        status = random(3) === 0 ? Status.drawn : Status.lost;
      if (status === Status.open) {
        const degree = ladder ? 1 + random(2) : random(5);
        for (let k = 0; k < degree; k++)
          moves.push(ladder ? Math.max(0, i - number - random(2)) : random(size));
        if (dependency && (random(6) === 0 || moves.length === 0)) conversions.push(random(dependency.size));
        if (quiet && random(6) === 0) quietly.push(random(quiet.size));
        if (moves.length + conversions.length + quietly.length === 0) status = Status.drawn;
      }
      made.status.push(status);
      made.moves.push(moves);
      made.conversions.push(conversions);
      made.quiet.push(quietly);
    }
    return made;
  };
  const sides = [side(0), side(1)] as const;
  const graph = { ...options, sides };
  // No move leads to a broken position, and a side without moves is stalemated.
  for (const number of [0, 1] as const) {
    const here = sides[number];
    const there = sides[1 - number];
    for (let i = 0; i < size; i++) {
      here.moves[i] = here.moves[i].filter((to) => there.status[to] !== Status.broken);
      here.conversions[i] = here.conversions[i].filter(
        (to) => dependency!.sides[1 - number].status[to] !== Status.broken,
      );
      here.quiet[i] = here.quiet[i].filter((to) => quiet!.sides[1 - number].status[to] !== Status.broken);
      const left = here.moves[i].length + here.conversions[i].length + here.quiet[i].length;
      if (here.status[i] === Status.open && left === 0) here.status[i] = Status.drawn;
    }
  }
  return { ...graph, sides: [sides[0], sides[1]] };
}

/** Slices that conversions of a graph lead to, in the order of the slice's dependencies. */
function dependenciesOf({ dependency, quiet }: SmallGraph) {
  const none: readonly Metric[] = [];
  return [
    ...(dependency
      ? [{ there: dependency, restarts: RESTARTS, successors: (side: GraphSide) => side.conversions }]
      : []),
    ...(quiet ? [{ there: quiet, restarts: none, successors: (side: GraphSide) => side.quiet ?? [] }] : []),
  ];
}

function graphSlice(graph: SmallGraph): Slice {
  const { size, width, sides } = graph;
  const parts = Math.ceil(size / width);
  const dependencies = dependenciesOf(graph);
  const before = sides.map((_, number) => {
    const lists: number[][] = Array.from({ length: size }, () => []);
    sides[1 - number].moves.forEach((moves, from) => {
      for (const to of moves) lists[to].push(from);
    });
    return lists;
  });
  /** Positions that convert, by dependency and side to move there. */
  const converting = dependencies.map(({ there, successors }) =>
    sides.map((_, number) => {
      const lists: number[][] = Array.from({ length: there.size }, () => []);
      successors(sides[1 - number]).forEach((conversions, from) => {
        for (const to of conversions) lists[to].push(from);
      });
      return lists;
    }),
  );
  /** All conversions of positions, by side, as [dependency, position]. */
  const leaving = sides.map((side) =>
    side.moves.map((_, i) =>
      dependencies.flatMap(({ successors }, d) => (successors(side)[i] ?? []).map((to) => [d, to] as const)),
    ),
  );
  const most = Math.max(
    ...sides.flatMap((side, i) =>
      [...side.moves, ...leaving[i], ...before[i], ...converting.flatMap((lists) => lists[i])].map(
        (list) => list.length,
      ),
    ),
    1,
  );

  function emit(
    lists: number[][],
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    majorOf: (target: number) => number,
    partWidth: number,
    out: Emission,
    widthHere = width,
  ): number {
    for (let i = from; i < to; i++) {
      if (out.length + most > out.minor.length) return i;
      for (const target of lists[part * widthHere + keys[i]]) {
        out.major[out.length] = majorOf(target);
        out.minor[out.length] = target % partWidth;
        out.source[out.length++] = i;
      }
    }
    return to;
  }

  return {
    name: graph.name,
    parts,
    width,
    size,
    partSize: (part) => Math.min(width, size - part * width),
    dependencies: dependencies.map(({ there, restarts }) => ({
      slice: there.name,
      parts: Math.ceil(there.size / there.width),
      restarts,
    })),
    maxMoves: most,
    census(side, part, first, length, out) {
      const { status, moves } = sides[side];
      fillCensus(first, length, out, (i) => {
        const at = part * width + first + i;
        return { status: status[at], moves: moves[at].length, conversions: leaving[side][at].length };
      });
    },
    moves: (side, part, keys, from, to, bias, out) =>
      emit(
        sides[side].moves,
        part,
        keys,
        from,
        to,
        (target) => bias + Math.floor(target / width),
        width,
        out,
      ),
    unmoves: (side, part, keys, from, to, bias, out) =>
      emit(before[side], part, keys, from, to, (target) => bias + Math.floor(target / width), width, out),
    conversions(side, part, keys, from, to, bias, out) {
      for (let i = from; i < to; i++) {
        if (out.length + most > out.minor.length) return i;
        for (const [d, target] of leaving[side][part * width + keys[i]]) {
          const there = dependencies[d].there.width;
          out.major[out.length] = bias[2 * d + 1 - side] + Math.floor(target / there);
          out.minor[out.length] = target % there;
          out.source[out.length++] = i;
        }
      }
      return to;
    },
    unconversions: (side, dependency, sideThere, part, keys, from, to, bias, out) =>
      sideThere === side
        ? to
        : emit(
            converting[dependency][sideThere],
            part,
            keys,
            from,
            to,
            (target) => bias + Math.floor(target / width),
            width,
            out,
            dependencies[dependency].there.width,
          ),
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}

/** A game of these graphs, with only the members that solvers use. */
export function graphGame(...graphs: SmallGraph[]): Game {
  const slices = new Map(graphs.map((graph) => [graph.name, graphSlice(graph)]));
  const none = (): never => {
    throw new Error('graphs have no boards');
  };
  return {
    name: 'graph',
    slice: (name) => slices.get(name)!,
    colours: ['white', 'black'],
    metrics: ['dtm', 'dtc', 'dtz', 'wdl'],
    locatesMirrored: false,
    ending: none,
    endingsUpTo: none,
    parse: none,
    format: none,
    locate: none,
    board: none,
    moves: none,
    terminal: none,
    mover: none,
    diagram: none,
  };
}

/** The game, as if conversions could not be taken back. */
export function withoutUnconversions<Board>(game: Game<Board>): Game<Board> {
  return {
    ...game,
    slice: (name) => {
      const { unconversions, ...slice } = game.slice(name);
      return slice;
    },
  };
}

/** Values as tables hold them, null where broken, by side and position; round by round, every move of every position. */
export function naiveValues(graph: SmallGraph, metric: Metric): (number | null)[][] {
  const counting = metric === 'wdl' ? 'dtc' : metric;
  const below = dependenciesOf(graph).map(({ there, restarts, successors }) => ({
    values: naiveValues(there, counting),
    restarts: restarts.includes(counting),
    successors,
  }));
  const values: (number | null)[][] = graph.sides.map((side) =>
    side.status.map((status) => (status === Status.broken ? null : status === Status.lost ? -1 : 0)),
  );
  const plies = (code: number) => (code > 0 ? code : -code - 1);
  /** Code that a successor with this code gives a position, if the successor is `depth` plies from the end. */
  const before = (code: number, depth: number) => (code === 0 ? 0 : code < 0 ? depth + 1 : -depth - 2);
  const restarting = (code: number) => (counting === 'dtz' && plies(code) > 100 ? 100 : 0);
  // No value comes later than one ply after the last known value.
  const known = [...values, ...below.flatMap((each) => each.values)].flat();
  let last = 102 + Math.max(...known.map((code) => plies(code ?? 0)));
  const open = [0, 1].flatMap((side) =>
    graph.sides[side].moves.flatMap((moves, i) => {
      if (graph.sides[side].status[i] !== Status.open) return [];
      const converted = below.flatMap(({ values, restarts, successors }) =>
        (successors(graph.sides[side])[i] ?? [])
          .map((to) => values[1 - side][to]!)
          .map((code) => before(code, restarts ? restarting(code) : plies(code))),
      );
      return [{ side, i, moves, converted }];
    }),
  );
  for (let ply = 1; ply <= last; ply++) {
    const found: [number, number, number][] = [];
    for (const { side, i, moves, converted } of open) {
      if (values[side][i] !== 0) continue;
      let isWon = false;
      let isLost = true;
      let least = 0;
      const look = (code: number) => {
        if (plies(code) > ply) code = 0;
        if (code === ply) isWon = true;
        if (code >= 0) isLost = false;
        least = Math.min(least, code);
      };
      for (const to of moves) {
        const code = values[1 - side][to]!;
        look(before(code, plies(code)));
      }
      for (const code of converted) look(code);
      if (isWon) found.push([side, i, ply]);
      else if (isLost) found.push([side, i, least]);
    }
    for (const [side, i, code] of found) {
      values[side][i] = code;
      last = Math.max(last, plies(code) + 1);
    }
  }
  return metric === 'wdl'
    ? values.map((side) => side.map((code) => (code === null ? null : Math.sign(code))))
    : values;
}
