/** Games given by lists of moves, and a naive solver of them: to test solvers with what chess does not offer. */
import { fillCensus } from '../../pipeline/census.js';
import type { Emission, Game, Side, Slice } from '../../pipeline/game.js';
import { Status } from '../../pipeline/game.js';
import type { Metric } from '../../pipeline/value.js';

export interface GraphSide {
  readonly status: number[];
  /** Successors in the slice, with the other side to move; likewise in the dependency. */
  readonly moves: number[][];
  readonly conversions: number[][];
}
export interface Graph {
  readonly name: string;
  readonly size: number;
  readonly width: number;
  readonly sides: [GraphSide, GraphSide];
  readonly dependency?: Graph;
  /** Metrics whose count starts anew with conversions; `dtc` and `dtz` unless others are given. */
  readonly restarts?: readonly Metric[];
}

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
 * A random graph. With `ladder`, position i of a side mostly leads to positions a little below i, so that wins take about
 * as many plies as there are positions.
 */
export function randomGraph(
  seed: number,
  options: Pick<Graph, 'name' | 'size' | 'width' | 'dependency' | 'restarts'> & { ladder: boolean },
): Graph {
  const random = randomFrom(seed);
  const { size, dependency, ladder } = options;
  const side = (number: Side): GraphSide => {
    const made: GraphSide = { status: [], moves: [], conversions: [] };
    for (let i = 0; i < size; i++) {
      const moves: number[] = [];
      const conversions: number[] = [];
      let status: number = random(12) === 0 ? Status.broken : Status.open;
      if (ladder) status = i < 2 ? Status.lost : Status.open;
      else if (status === Status.open && random(20) === 0)
        status = random(3) === 0 ? Status.drawn : Status.lost;
      if (status === Status.open) {
        const degree = ladder ? 1 + random(2) : random(5);
        for (let k = 0; k < degree; k++)
          moves.push(ladder ? Math.max(0, i - number - random(2)) : random(size));
        if (dependency && (random(6) === 0 || moves.length === 0)) conversions.push(random(dependency.size));
        if (moves.length + conversions.length === 0) status = Status.drawn;
      }
      made.status.push(status);
      made.moves.push(moves);
      made.conversions.push(conversions);
    }
    return made;
  };
  const sides: [GraphSide, GraphSide] = [side(0), side(1)];
  const graph = { ...options, sides };
  // No move leads to a broken position, and who has none left is stalemated.
  for (const number of [0, 1] as const) {
    const here = sides[number];
    const there = sides[1 - number];
    for (let i = 0; i < size; i++) {
      here.moves[i] = here.moves[i].filter((to) => there.status[to] !== Status.broken);
      here.conversions[i] = here.conversions[i].filter(
        (to) => dependency!.sides[1 - number].status[to] !== Status.broken,
      );
      if (here.status[i] === Status.open && here.moves[i].length + here.conversions[i].length === 0) {
        here.status[i] = Status.drawn;
      }
    }
  }
  return graph;
}

function graphSlice(graph: Graph): Slice {
  const { size, width, sides, dependency } = graph;
  const parts = Math.ceil(size / width);
  const before = sides.map((_, number) => {
    const lists: number[][] = Array.from({ length: size }, () => []);
    sides[1 - number].moves.forEach((moves, from) => {
      for (const to of moves) lists[to].push(from);
    });
    return lists;
  });
  /** By side to move in the dependency: who converts to its positions. */
  const converting = sides.map((_, number) => {
    const lists: number[][] = Array.from({ length: dependency?.size ?? 0 }, () => []);
    sides[1 - number].conversions.forEach((conversions, from) => {
      for (const to of conversions) lists[to].push(from);
    });
    return lists;
  });
  const most = Math.max(
    ...sides.flatMap((side, i) =>
      [...side.moves, ...side.conversions, ...before[i], ...converting[i]].map((list) => list.length),
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
    dependencies: dependency
      ? [
          {
            slice: dependency.name,
            parts: Math.ceil(dependency.size / dependency.width),
            restarts: graph.restarts ?? RESTARTS,
          },
        ]
      : [],
    maxMoves: most,
    census(side, part, first, length, out) {
      const { status, moves, conversions } = sides[side];
      fillCensus(first, length, out, (i) => {
        const at = part * width + first + i;
        return { status: status[at], moves: moves[at].length, conversions: conversions[at].length };
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
    conversions: (side, part, keys, from, to, bias, out) =>
      emit(
        sides[side].conversions,
        part,
        keys,
        from,
        to,
        (target) => bias[1 - side] + Math.floor(target / dependency!.width),
        dependency!.width,
        out,
      ),
    unconversions: (side, _dependency, sideThere, part, keys, from, to, bias, out) =>
      sideThere === side
        ? to
        : emit(
            converting[sideThere],
            part,
            keys,
            from,
            to,
            (target) => bias + Math.floor(target / width),
            width,
            out,
            dependency!.width,
          ),
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}

/** A game of these graphs; only what solvers use of a game is there. */
export function graphGame(...graphs: Graph[]): Game {
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
export function naiveValues(graph: Graph, metric: Metric): (number | null)[][] {
  const counting = metric === 'wdl' ? 'dtc' : metric;
  const restarts = (graph.restarts ?? RESTARTS).includes(counting);
  const below = graph.dependency ? naiveValues(graph.dependency, counting) : [];
  const values: (number | null)[][] = graph.sides.map((side) =>
    side.status.map((status) => (status === Status.broken ? null : status === Status.lost ? -1 : 0)),
  );
  const plies = (code: number) => (code > 0 ? code : -code - 1);
  /** What a successor with this code makes of a position, if it is `depth` plies from the end. */
  const before = (code: number, depth: number) => (code === 0 ? 0 : code < 0 ? depth + 1 : -depth - 2);
  const converted = (code: number) =>
    before(code, !restarts ? plies(code) : counting === 'dtz' && plies(code) > 100 ? 100 : 0);
  for (let ply = 1; ply <= 4 * graph.size + 1000; ply++) {
    const found: [number, number, number][] = [];
    for (const side of [0, 1]) {
      for (let i = 0; i < graph.size; i++) {
        if (graph.sides[side].status[i] !== Status.open || values[side][i] !== 0) continue;
        const codes = [
          ...graph.sides[side].moves[i]
            .map((to) => values[1 - side][to]!)
            .map((code) => before(code, plies(code))),
          ...graph.sides[side].conversions[i].map((to) => converted(below[1 - side][to]!)),
        ].map((code) => (plies(code) <= ply ? code : 0));
        if (codes.includes(ply)) found.push([side, i, ply]);
        else if (codes.every((code) => code < 0)) found.push([side, i, Math.min(...codes)]);
      }
    }
    for (const [side, i, code] of found) values[side][i] = code;
  }
  return metric === 'wdl'
    ? values.map((side) => side.map((code) => (code === null ? null : Math.sign(code))))
    : values;
}
