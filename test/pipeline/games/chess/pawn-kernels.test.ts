import { describe, expect, it } from 'vitest';
import { type Emission, type Side, type Slice, Status } from '../../../../pipeline/game/game.js';
import { dependencyMajors, majorsIn } from '../../../../pipeline/game/majors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { spaceOf } from '../../../../pipeline/games/chess/index-space.js';
import { LONG, LONGEST, sweep } from '../../../support/long.js';
import { censusOf, compareWithRules, emission, randomNumbers, twoParts } from './kernel-rows.js';

const SIDES: readonly Side[] = [0, 1];
/** Legal positions of a side to move. */
const SAMPLES = LONGEST ? 300 : LONG ? 60 : 40;

describe('kernels of slices with pawns against the plain rules', () => {
  it.each(sweep(['KPK.7'], ['KPK.2'], ['KPK.4']))(
    `%s, ${LONG ? 'every index' : 'one index in four'}`,
    (name) => {
      const slice = chess.slice(name);
      expect(slice.size).toBe(32 * 64 * 8);
      const [stretch, step] = LONG ? [slice.size, slice.size] : [64, 256];
      for (const side of SIDES) {
        let legal = 0;
        for (let first = 0; first < slice.size; first += step)
          legal += compareWithRules(name, side, 0, first, stretch);
        expect(legal).toBeGreaterThan((11_000 * stretch) / step / (LONG ? 1 : 2));
      }
      const orbits = new Uint8Array(100);
      slice.orbitSizes(0, Uint32Array.from(orbits.keys()), 100, orbits);
      expect(orbits.every((size) => size === 2)).toBe(true);
    },
  );

  it.each(
    sweep(
      [
        'KPKP.25',
        'KPKPep.44b',
        'KPPK.27',
        'KRPK.7',
        'KQKP.2',
        'KPPKPep.555w',
        'KRPKR.5',
        'KPPPKP.4447',
        'KNNPKPP.467',
      ],
      [
        'KPKP.44',
        'KPPK.22',
        'KRKP.6',
        'KPPKP.244',
        'KPPKPep.444b',
        'KQPKBB.2',
        'KBBKP.3',
        'KBBBKPP.23',
        'KPPPK.222',
        'KPPKPPep.4545b',
        'KPPKPPep.4545w',
        'KRPKRPep.44b',
        'KPPPPKP.22334',
      ],
    ),
  )('%s, samples', (name) => {
    const slice = chess.slice(chess.ending(name).slices[0]);
    const random = randomNumbers(name.length * 1000 + name.charCodeAt(1) * 31 + name.charCodeAt(2));
    const size = spaceOf(slice.name).placements;
    let legal = 0;
    let sides = 0;
    for (const side of SIDES) {
      const before = legal;
      for (let sample = 0; sample < 7 * SAMPLES && legal - before < SAMPLES; sample++) {
        const part = random() % slice.parts;
        const length = Math.min(24, slice.partSize(part), size);
        const first = random() % (slice.partSize(part) - length + 1);
        legal += compareWithRules(slice.name, side, part, first, length);
      }
      if (legal > before) sides++;
    }
    expect(legal).toBeGreaterThan(SAMPLES / 2);
    expect(sides).toBe(name.includes('ep') ? 1 : 2);
  });
});

/** How many rows a kernel by keys emits for each key. */
function rowsOf(
  slice: Slice,
  keys: Uint32Array,
  kernel: (keys: Uint32Array, from: number, out: Emission) => number,
): number[] {
  const counts = new Array<number>(keys.length).fill(0);
  const out = emission(64 * slice.maxMoves);
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    from = kernel(keys, from, out);
    for (let i = 0; i < out.length; i++) counts[out.source[i]]++;
  }
  return counts;
}

describe('the census by rows counts the moves that the kernels by keys make', () => {
  // The last man of either side and of all kinds; pawns that promote, step twice, check and are taken; no interval begins with a row.
  it.each(
    sweep(
      ['KQPK.7', 'KRPKP.72', 'KPPKP.247', 'KPPKP.577', 'KPPKPep.555w', 'KRPKPep.44b'],
      [
        'KPPPK.267',
        'KPKPep.44b',
        'KNPKPep.55w',
        'KPPKPPep.4545b',
        'KRPKRPep.44b',
        'KPKP.72',
        'KBBKP.3',
        'KQQPK.7',
        'KPPKPP.2277',
        'KRPKR.4',
        'KNPK.2',
        'KRKP.6',
        'KRPKR.7',
        'KQPKR.2',
        'KBPKN.7',
        'KRPKQ.6',
        'KRPKP.27',
        'KRRPKB.5',
        'KBNPK.2',
        'KRPPKN.27',
        'KQPKRP.77',
        'KNKP.3',
        'KBBKNP.3',
      ],
    ),
  )('%s', (name) => {
    const slice = chess.slice(chess.ending(name).slices[0]);
    const biases = dependencyMajors(slice, majorsIn(slice, 2));
    let legal = 0;
    for (const part of twoParts(slice.name)) {
      const size = slice.partSize(part);
      for (const side of SIDES) {
        for (const [i, length] of [LONGEST ? 30_001 : 6001, 1000, 777, 64, 63, 1].entries()) {
          const first = Math.floor((i * size) / 7) + 13 * i;
          const { status, moves, conversions } = censusOf(
            slice,
            side,
            part,
            first,
            Math.min(length, size - first),
          );
          const found = [...status.keys()].filter((at) => status[at] !== Status.broken);
          const keys = Uint32Array.from(found, (at) => first + at);
          const { length: end } = keys;
          const staying = rowsOf(slice, keys, (...[, from, out]) =>
            slice.moves(side, part, keys, from, end, 0, out),
          );
          const leaving = rowsOf(slice, keys, (...[, from, out]) =>
            slice.conversions(side, part, keys, from, end, biases, out),
          );
          expect(found.map((at) => moves[at])).toEqual(staying);
          expect(found.map((at) => conversions[at])).toEqual(leaving);
          legal += end;
        }
      }
    }
    expect(legal).toBeGreaterThan(name.includes('ep') ? 100 : LONGEST ? 10_000 : 3000);
  });
});
