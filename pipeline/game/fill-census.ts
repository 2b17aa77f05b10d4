/** The answer of the `census` kernel (pipeline/game/game.ts): room for it, and writing and reading it by position. */

import { type Census, type Side, type Slice, Status } from './game.js';
import { bitBytes, DRAWN, setBit } from './labels.js';

/** Indices classified in one call by walks over a whole part; a multiple of 64. */
export const CENSUS_ROWS = 1 << 14;

/** An empty census of so many indices. */
export function newCensus(rows: number): Census & { conversions: Uint8Array } {
  return {
    counts: new Uint8Array(rows),
    conversions: new Uint8Array(rows),
    open: new Uint8Array(bitBytes(rows)),
    lostKeys: new Uint32Array(rows),
    lost: 0,
    legal: 0,
    drawn: 0,
  };
}

/** Keys [first, first + length) of a part with a side to move. */
export interface Stretch {
  readonly side: Side;
  readonly part: number;
  readonly first: number;
  readonly length: number;
}

/** The pieces of a part: their first key and length, at most `most`. */
export function* piecesOf(
  slice: Pick<Slice, 'partSize'>,
  part: number,
  most = CENSUS_ROWS,
): Generator<{ readonly first: number; readonly length: number }> {
  const size = slice.partSize(part);
  for (let first = 0; first < size; first += most) yield { first, length: Math.min(most, size - first) };
}

/** A piece of a part with its census; valid until the next piece. */
export interface CensusPiece {
  readonly part: number;
  readonly first: number;
  readonly length: number;
  readonly census: Census & { conversions: Uint8Array };
}

/** The census of all positions of a side, in order: at most {@link CENSUS_ROWS} of them at a time. */
export function* censusOf(
  slice: Pick<Slice, 'parts' | 'partSize' | 'census'>,
  side: Side,
): Generator<CensusPiece> {
  const census = newCensus(CENSUS_ROWS);
  for (let part = 0; part < slice.parts; part++) {
    for (const { first, length } of piecesOf(slice, part)) {
      slice.census(side, part, first, length, census);
      yield { part, first, length, census };
    }
  }
}

/** Fills a census for kernels that go position by position: `describe` gives the state of index i of the interval. */
export function fillCensus(
  first: number,
  length: number,
  out: Census,
  describe: (i: number) => { status: number; moves: number; conversions: number },
): void {
  out.lost = out.legal = out.drawn = 0;
  out.counts.fill(0, 0, length);
  out.conversions?.fill(0, 0, length);
  out.open.fill(0, 0, bitBytes(length));
  for (let i = 0; i < length; i++) {
    const { status, moves, conversions } = describe(i);
    if (status === Status.broken) continue;
    out.legal++;
    if (status === Status.open) {
      out.counts[i] = moves + conversions;
      if (out.conversions !== null) out.conversions[i] = conversions;
      setBit(out.open, i);
    } else if (status === Status.lost) out.lostKeys[out.lost++] = first + i;
    else {
      out.counts[i] = DRAWN;
      out.drawn++;
    }
  }
}

/** Writes the {@link Status} of each index of the interval that begins at `first`. */
export function readStatus(census: Census, first: number, length: number, out: Uint8Array): void {
  const { counts, lostKeys, lost } = census;
  for (let i = 0; i < length; i++) {
    const count = counts[i];
    out[i] = count === 0 ? Status.broken : count === DRAWN ? Status.drawn : Status.open;
  }
  for (let i = 0; i < lost; i++) out[lostKeys[i] - first] = Status.lost;
}
