import { expect, it } from 'vitest';
import { setsOfKeys } from '../../../../pipeline/engine/memory/rows.js';
import type { RowLabels, Side, Slice } from '../../../../pipeline/game/game.js';
import type { LabelledBy } from '../../../../pipeline/game/labelling.js';
import { planesBytes } from '../../../../pipeline/game/labels.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { ALL_BOARDS, allPairs } from '../../../../pipeline/games/chess/geometry.js';
import { LONGEST, sweep } from '../../../support/long.js';
import { emission, legalKeys, twoParts } from './kernel-rows.js';

/** Without pawns, parts of both kinds: those whose kings stand on the diagonal are handled by code of their own. */
const pieces = sweep(
  ['KRK', 'KQKR', 'KBBK'],
  ['KNNNK', 'KBKN'],
  ['KQRKN', 'KBBKNN', 'KQQK', 'KBBKN', 'KRNKR', 'KNNNKQ'],
).flatMap((name) => partsOf(name).map((part) => [name, part] as const));
const pawns = sweep(
  ['KRKP.3', 'KPPKB.27', 'KBBKP.3', 'KPK.4', 'KPKP.45'],
  ['KPPKP.244', 'KRNNKP.6'],
  ['KPPPK.222', 'KQQPK.6', 'KRPKR.5', 'KBBPKQ.2'],
).flatMap((name) => twoParts(name).map((part) => [name, part] as const));
const cases = [...pieces, ...pawns];

/** Parts of endings of six men are large: one with kings on the diagonal, and one without. */
function partsOf(name: string): number[] {
  const all = [...new Set([...twoParts(name), ...diagonalParts(name)])];
  return LONGEST || name.length < 6 ? all : twoParts(name);
}

function diagonalParts(name: string): number[] {
  const { parts } = chess.slice(name);
  return Array.from({ length: parts }, (_, part) => part)
    .filter((part) => parts < allPairs.boards.length || allPairs.boards[part] !== ALL_BOARDS)
    .slice(0, 2);
}

/** Every nth legal key in stretches, so that sets of one and of many positions come. */
function sample(slice: Slice, side: Side, part: number): Uint32Array {
  const all = legalKeys(slice, side, part);
  return all.filter((key) => (key >> 6) % 7 === 0 && ((key >> 9) % 2 === 0 || key % 5 === 0)).slice(0, 3000);
}

/** How often each position of each part is reached, "part key" → times. */
function byKeys(slice: Slice, side: Side, part: number, keys: Uint32Array): Map<string, number> {
  const reached = new Map<string, number>();
  const out = emission(64 * slice.maxMoves);
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    from = slice.unmoves!(side, part, keys, from, keys.length, 0, out);
    for (let i = 0; i < out.length; i++) {
      const at = `${out.major[i]} ${out.minor[i]}`;
      reached.set(at, (reached.get(at) ?? 0) + 1);
    }
  }
  return reached;
}

/** The count of a position, of counts in planes. */
function countOf(counts: Uint8Array, planes: number, key: number): number {
  let count = 0;
  for (let plane = 0; plane < planes; plane++) {
    const byte = counts[8 * ((key >> 6) * planes + plane) + ((key & 63) >> 3)];
    count |= ((byte >> (key & 7)) & 1) << plane;
  }
  return count;
}

function byRows(
  slice: Slice,
  labels: RowLabels,
  side: Side,
  part: number,
  keys: Uint32Array,
): Map<string, number> {
  const reached = new Map<string, number>();
  const { countPlanes, packCounts } = slice.rowKernels!;
  const before = (side: Side) => 2 ** countPlanes[side] - 1;
  const mover = (1 - side) as Side;
  const counts = labels.allocate(planesBytes(countPlanes[mover], slice.width));
  packCounts(mover, new Uint8Array(slice.width).fill(before(mover)), counts);
  labels.label('all', mover, counts, part);
  const sets = setsOfKeys({ major: part, minor: keys, length: keys.length, payload: [] });
  labels.strikeWithin(side, part, sets, sets.length);
  for (let key = 0; key < slice.width; key++) {
    const times = before(mover) - countOf(counts, countPlanes[mover], key);
    if (times > 0) reached.set(`${part} ${key}`, times);
  }
  for (const sent of beyond(labels, side, part, sets, 'all'))
    for (const key of sent.keys) {
      const at = `${sent.major} ${key}`;
      reached.set(at, (reached.get(at) ?? 0) + 1);
    }
  return reached;
}

/** The sets that unmoves lead to in other parts. */
function beyond(
  labels: RowLabels,
  side: Side,
  part: number,
  sets: ReturnType<typeof setsOfKeys>,
  by: LabelledBy,
) {
  const found: { readonly major: number; readonly keys: number[] }[] = [];
  const columns = () => new Uint32Array(2000);
  const out = { length: 0, major: columns(), minor: columns(), low: columns(), high: columns() };
  for (let from = 0; from < sets.length; ) {
    out.length = 0;
    const next = labels.unmovesBeyond(side, part, sets, { from, to: sets.length }, 0, out, by);
    expect(next).toBeGreaterThan(from);
    from = next;
    for (let i = 0; i < out.length; i++) {
      const halves = [out.low[i], out.high[i]];
      const bits = Array.from({ length: 64 }, (_, bit) => bit).filter(
        (bit) => (halves[bit >> 5] >>> (bit & 31)) & 1,
      );
      found.push({ major: out.major[i], keys: bits.map((bit) => 64 * out.minor[i] + bit) });
    }
  }
  return found;
}

it.each(['KQKR', 'KBBKN'])(
  '%s: unmoves leave out labelled positions of parts that are in memory, where any move labels them',
  (name) => {
    const slice = chess.slice(name);
    const [part] = twoParts(name);
    const side = 0;
    const keys = sample(slice, side, part);
    const sets = setsOfKeys({ major: part, minor: keys, length: keys.length, payload: [] });
    const labels = slice.rowKernels!.open(8 * slice.width);
    const all = beyond(labels, side, part, sets, 'any');
    const [first, second] = [...new Set(all.map(({ major }) => major))];
    // Of one part whole rows and every third position are labelled, of another all; the others are not in memory.
    const some = labels.allocate(slice.width / 8);
    for (let byte = 0; byte < some.length; byte++) some[byte] = byte % 16 < 8 ? 0 : 0b10110110;
    const bits = Array.from({ length: slice.parts }, (): Uint8Array | null => null);
    bits[first] = some;
    bits[second] = labels.allocate(slice.width / 8).fill(0);
    labels.takeUnlabelled(1, bits);
    const isOpen = (major: number, key: number) =>
      bits[major] === null || ((bits[major][key >> 3] >> (key & 7)) & 1) === 1;
    const left = all.map(({ major, keys }) => ({ major, keys: keys.filter((key) => isOpen(major, key)) }));
    const sent = left.filter(({ keys }) => keys.length > 0);
    expect(sent.length).toBeLessThan(all.length);
    labels.takeLeftOut();
    expect(beyond(labels, side, part, sets, 'any')).toEqual(sent);
    expect(labels.takeLeftOut()).toBe(all.length - sent.length);
    expect(beyond(labels, side, part, sets, 'all')).toEqual(all);
    expect(labels.takeLeftOut()).toBe(0);
    labels.close();
    const next = slice.rowKernels!.open(8 * slice.width);
    expect(beyond(next, side, part, sets, 'any')).toEqual(all);
    next.close();
  },
);

it.each(cases)(
  '%s, part %d: kernels by rows and by keys give the same predecessors equally often',
  (name, part) => {
    const slice = chess.slice(name);
    const labels = slice.rowKernels!.open(4 * slice.width);
    for (const side of [0, 1] as const) {
      const keys = sample(slice, side, part);
      const expected = byKeys(slice, side, part, keys);
      expect(keys.length === 0 || expected.size > 0).toBe(true);
      expect(byRows(slice, labels, side, part, keys)).toEqual(expected);
    }
    labels.close();
  },
);

it('labels each struck position once, and returns them in order', () => {
  const slice = chess.slice('KQKR');
  const labels = slice.rowKernels!.open(2 * slice.width);
  const { countPlanes, packCounts } = slice.rowKernels!;
  const bytes = new Uint8Array(slice.width).fill(2);
  bytes[70] = 0;
  const counts = labels.allocate(planesBytes(countPlanes[1], slice.width));
  packCounts(1, bytes, counts);
  labels.label('all', 1, counts, 0);
  const many = setsOfKeys(keysOf([1, 5, 6, 31, 32, 40, 63].map((bit) => 64 + bit)));
  labels.strikeRows(many, 1);
  expect(labels.hasLabelled()).toBe(false);
  labels.strikeRows(many, 1);
  labels.strikeRows(setsOfKeys(keysOf([3])), 1);
  labels.strikeKeys(Uint32Array.of(3, 9, 9), 3);
  expect(drained(labels)).toEqual([3, 9, 65, 69, 95, 96, 104, 127]);
  expect(labels.hasLabelled()).toBe(false);
  expect([69, 70, 71].map((key) => countOf(counts, countPlanes[1], key))).toEqual([0, 0, 2]);

  const open = labels.allocate(slice.width / 8).fill(0xff);
  labels.label('any', 0, open, 0);
  labels.strikeRows(setsOfKeys(keysOf([128, 130])), 1);
  labels.strikeRows(setsOfKeys(keysOf([130, 160])), 1);
  labels.strikeKeys(Uint32Array.of(128, 129), 2);
  expect(drained(labels)).toEqual([128, 129, 130, 160]);
  expect([...open.subarray(16, 24)]).toEqual([0xf8, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff]);
  labels.close();
});

function keysOf(keys: number[]) {
  return { major: 0, minor: Uint32Array.from(keys), length: keys.length, payload: [] };
}

function drained(labels: RowLabels): number[] {
  const { length, positions, minor, low, high } = labels.drain();
  const keys: number[] = [];
  for (let i = 0; i < 64 * length; i++) {
    const half = (i & 32) === 0 ? low[i >> 6] : high[i >> 6];
    if (((half >>> (i & 31)) & 1) === 1) keys.push(64 * minor[i >> 6] + (i & 63));
  }
  expect(positions).toBe(keys.length);
  return keys;
}
