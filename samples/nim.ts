/**
 * Nim, as an example of a game of your own: heaps of up to 15 counters. A move takes any number of them from one heap, and
 * who takes the last counter has won. `mergemate solve samples/nim.ts N3`; docs/kernels-of-your-own.md has the contract of each function.
 */
import {
  type Address,
  type Emission,
  type Ending,
  fillCensus,
  type Game,
  type Side,
  type Slice,
  Status,
  UserError,
} from 'mergemate';

const MOST = 15;
const HEAPS = 4;

interface Board {
  readonly side: Side;
  /** Counters in each heap, 1 to 15. */
  readonly heaps: readonly number[];
}

/** Heaps are the digits of an index, the last one fastest. */
function indexOf(heaps: readonly number[]): number {
  return heaps.reduce((index, counters) => MOST * index + counters - 1, 0);
}

function heapsAt(count: number, index: number): number[] {
  const heaps: number[] = [];
  for (let rest = index; heaps.length < count; rest = Math.floor(rest / MOST))
    heaps.unshift((rest % MOST) + 1);
  return heaps;
}

/** The heaps that are left if heap `i` has `counters`; without counters it is no heap. */
function leave(heaps: readonly number[], i: number, counters: number): number[] {
  return heaps.flatMap((old, n) => (n !== i ? [old] : counters === 0 ? [] : [counters]));
}

/** The slice of so many heaps: a move that empties a heap leads to that of one less. */
function newSlice(count: number): Slice {
  const size = MOST ** count;
  const maxMoves = Math.max(1, MOST * count);

  /** Calls `emit` with every index that `targets` has for a position, as the contract wants it. */
  function each(
    keys: Uint32Array,
    from: number,
    to: number,
    major: number,
    out: Emission,
    targets: (heaps: number[]) => number[],
  ): number {
    for (let i = from; i < to; i++) {
      if (out.length + maxMoves > out.minor.length) return i;
      for (const target of targets(heapsAt(count, keys[i]))) {
        out.major[out.length] = major;
        out.minor[out.length] = target;
        out.source[out.length++] = i;
      }
    }
    return to;
  }

  return {
    name: `N${count}`,
    // One part: all keys are indices.
    parts: 1,
    width: size,
    size,
    partSize: () => size,
    maxMoves,
    dependencies: count === 0 ? [] : [{ slice: `N${count - 1}`, parts: 1, restarts: [] }],
    census(_side, _part, first, length, out) {
      fillCensus(first, length, out, (i) => {
        const counters = heapsAt(count, first + i).reduce((sum, heap) => sum + heap, 0);
        return count === 0
          ? { status: Status.lost, moves: 0, conversions: 0 }
          : { status: Status.open, moves: counters - count, conversions: count };
      });
    },
    moves: (_side, _part, keys, from, to, bias, out) =>
      each(keys, from, to, bias, out, (heaps) =>
        heaps.flatMap((counters, i) =>
          Array.from({ length: counters - 1 }, (_, left) => indexOf(leave(heaps, i, left + 1))),
        ),
      ),
    unmoves: (_side, _part, keys, from, to, bias, out) =>
      each(keys, from, to, bias, out, (heaps) =>
        heaps.flatMap((counters, i) =>
          Array.from({ length: MOST - counters }, (_, more) => indexOf(leave(heaps, i, counters + more + 1))),
        ),
      ),
    conversions: (side, _part, keys, from, to, bias, out) =>
      // Dependency 0, with the other side to move there.
      each(keys, from, to, count === 0 ? 0 : bias[1 - side], out, (heaps) =>
        heaps.map((_, i) => indexOf(leave(heaps, i, 0))),
      ),
    orbitSizes: (_part, _keys, length, out) => void out.fill(1, 0, length),
  };
}

const slices = new Map(Array.from({ length: HEAPS + 1 }, (_, count) => [`N${count}`, newSlice(count)]));

function ending(text: string): Ending {
  const name = text.trim().toUpperCase();
  if (!slices.has(name)) throw new UserError(`${JSON.stringify(text)} is no ending of nim: N1 to N${HEAPS}`);
  // The end of the game has a board, too; an ending of no pieces would be one that has none.
  const pieces = Math.max(1, Number(name[1]));
  return { name, slices: [name], flipped: false, exchanged: name, pieces, class: name };
}

function successors({ side, heaps }: Board): { readonly text: string; readonly board: Board }[] {
  return heaps.flatMap((counters, i) =>
    Array.from({ length: counters }, (_, left) => ({
      text: `${i + 1}-${counters - left}`,
      board: { side: (1 - side) as Side, heaps: leave(heaps, i, left) },
    })),
  );
}

function parse(text: string): Board {
  const [, colour, counters] = /^(white|black):([\d ]*)$/.exec(text.trim()) ?? [];
  const heaps = counters?.split(' ').filter((word) => word !== '');
  if (heaps === undefined) throw new UserError(`position ${JSON.stringify(text)}: expected "white: 3 5 7"`);
  const wrong = heaps.find((word) => Number(word) < 1 || Number(word) > MOST);
  if (wrong !== undefined)
    throw new UserError(`position ${JSON.stringify(text)}: heaps have 1 to ${MOST} counters`);
  if (heaps.length > HEAPS) throw new UserError(`position ${JSON.stringify(text)}: at most ${HEAPS} heaps`);
  return { side: colour === 'white' ? 0 : 1, heaps: heaps.map(Number) };
}

const colours = ['white', 'black'] as const;

const nim: Game<Board> = {
  name: 'nim',
  colours,
  metrics: ['dtw', 'wdl'],
  locatesMirrored: false,
  sidesShareIndex: true,
  ending,
  endingsUpTo: (pieces) => [...slices.keys()].slice(1, pieces + 1).map(ending),
  slice(name) {
    const slice = slices.get(name);
    if (slice === undefined) throw new UserError(`there is no slice ${name}`);
    return slice;
  },
  parse,
  format: ({ side, heaps }) => `${colours[side]}: ${heaps.join(' ')}`.trim(),
  locate: ({ side, heaps }): Address => ({ slice: `N${heaps.length}`, side, part: 0, key: indexOf(heaps) }),
  board: ({ slice, side, key }, flipped = false) => ({
    side: (flipped ? 1 - side : side) as Side,
    heaps: heapsAt(Number(slice[1]), key),
  }),
  moves: (board) => successors(board).map(({ text, board }) => ({ uci: text, san: text, board })),
  terminal: ({ heaps }) => (heaps.length === 0 ? 'lost' : 'open'),
  mover: ({ side }) => colours[side],
  diagram: ({ heaps }) => heaps.map((counters, i) => `${i + 1}  ${'o'.repeat(counters)}\n`).join(''),
};

export default nim;
