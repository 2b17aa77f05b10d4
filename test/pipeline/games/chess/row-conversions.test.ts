import { describe, expect, it } from 'vitest';
import { setsOfKeys } from '../../../../pipeline/engine/memory/rows.js';
import type { RowConversions, Slice } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { keysOfBatches, keysOfSet } from '../../../support/keys-of-sets.js';
import { LONGEST, sweep } from '../../../support/long.js';
import { emission, legalKeys, randomNumbers } from './kernel-rows.js';

const SIDES = [0, 1] as const;

function rowConversionsOf(slice: Slice): RowConversions {
  const { rowConversions } = slice;
  if (rowConversions === undefined) throw new Error(`${slice.name} takes conversions back by rows`);
  return rowConversions;
}

describe('conversions taken back by rows are those by keys', () => {
  // Runners that are the last man here and others, that stay, take, or become a piece; none; colours exchanged and not. Both
  // kings on the diagonal; rights to capture en passant.
  it.each(
    sweep(
      ['KNKP.6', 'KNKN', 'KPKPep.55w', 'KRK', 'KBBK', 'KPKP.45'],
      ['KRPK.6', 'KPPKPep.444b', 'KPK.7', 'KNNNK', 'KBBKP.3', 'KQRKR', 'KRPKR.7'],
      [
        'KPPKP.247',
        'KBBKNN',
        'KQPK.7',
        'KQPKR.2',
        'KRPKP.57',
        'KPPKB.27',
        'KQQPK.7',
        'KRPKR.4',
        'KQPKR.7',
        'KBBKN',
        'KBBKB',
        'KBNKN',
        'KRRKR',
        'KPPK.27',
      ],
    ),
  )('%s', (name) => {
    const slice = chess.slice(name);
    const rows = rowConversionsOf(slice);
    const random = randomNumbers(name.length * 31 + name.charCodeAt(1));
    const size = 64 * slice.maxMoves + 100;
    const [major, minor, low, high] = Array.from({ length: 4 }, () => new Uint32Array(size));
    const keysOut = emission(200_000);
    const kinds = { sets: 0, keys: 0 };
    slice.dependencies.forEach(({ slice: thereName }, dependency) => {
      const there = chess.slice(thereName);
      // Without pawns the first part has kings on the diagonal; the others have none in large endings.
      const middle = there.parts >> 1;
      for (const part of new Set(LONGEST || !name.includes('P') ? [0, middle] : [middle])) {
        for (const sideThere of SIDES) {
          const all = legalKeys(there, sideThere, part);
          const from = random() % Math.max(1, all.length - 150);
          const keys = all.subarray(from, from + 150).filter(() => random() % 3 > 0);
          const sets = setsOfKeys({ major: 0, minor: keys, length: keys.length, payload: [] });
          for (const side of SIDES) {
            const link = { side, dependency, sideThere };
            keysOut.length = 0;
            const bias = 7;
            slice.unconversions!(side, dependency, sideThere, part, keys, 0, keys.length, bias, keysOut);
            const wanted = Array.from(
              keysOut.minor.subarray(0, keysOut.length),
              (key, i) => `${keysOut.major[i]} ${key}`,
            ).sort();
            const emits = rows.emits(link);
            if (emits === null) {
              expect(wanted).toEqual([]);
              continue;
            }
            kinds[emits] += wanted.length;
            for (const form of emits === 'sets' ? (['sets', 'keys'] as const) : (['keys'] as const)) {
              const found: string[] = [];
              for (let done = 0; done < sets.length; ) {
                const out = { length: 0, major, minor, ...(form === 'sets' ? { low, high } : {}) };
                const next = rows.unconversions(link, part, sets, { from: done, to: sets.length }, bias, out);
                expect(next).toBeGreaterThan(done);
                done = next;
                for (let i = 0; i < out.length; i++) {
                  const emitted = form === 'sets' ? keysOfSet({ minor, low, high }, i) : [minor[i]];
                  expect(emitted.length).toBeGreaterThan(0);
                  for (const key of emitted) found.push(`${major[i]} ${key}`);
                }
              }
              expect(found.sort(), `${form} from ${thereName}`).toEqual(wanted);
            }
          }
        }
      }
    });
    expect(kinds.sets + kinds.keys).toBeGreaterThan(100);
    if (name.endsWith('KR') || name.startsWith('KRPKR'))
      expect(Math.min(kinds.sets, kinds.keys)).toBeGreaterThan(100);
  });
});

describe('decided positions', () => {
  const random = randomNumbers(5);
  const slice = chess.slice('KRK');

  it.each([
    [Int8Array, 0],
    [Int8Array, 100],
    [Int8Array, 0x7fff],
    [Int16Array, 0],
    [Int16Array, 100],
    [Int16Array, 0x7fff],
  ] as const)('%o, alike up to %i plies', (Codes, alike) => {
    const length = 45_003;
    const first = 203;
    const broken = Codes.BYTES_PER_ELEMENT === 1 ? -128 : -32768;
    const most = Codes.BYTES_PER_ELEMENT === 1 ? 127 : 32767;
    const ends = [0, broken, most, -most, 100, 101, -101, -102, 1, -1];
    const codes = new Codes(length).map(() => {
      const kind = random() % 4;
      return kind === 0 ? ends[random() % ends.length] : kind === 1 ? (random() % 9) - 4 : 0;
    });
    const wanted = Uint32Array.from({ length: 1 + ((first + length) >>> 5) }, () => random());
    const classOf = (code: number): string => {
      const plies = code > 0 ? code : -code - 1;
      return `${code > 0} ${alike === 0 ? plies : plies <= alike}`;
    };
    for (const bitmap of [null, wanted]) {
      const expected: string[] = [];
      codes.forEach((code, i) => {
        const key = first + i;
        if (code === 0 || code === broken) return;
        if (bitmap !== null && ((bitmap[key >>> 5] >>> (key & 31)) & 1) === 0) return;
        expected.push(`${key} ${classOf(code)}`);
      });
      const found: string[] = [];
      const rows = new Set<string>();
      let count = 0;
      const columns = () => new Uint32Array(1000);
      const sets = { minor: columns(), low: columns(), high: columns() };
      for (let from = 0; from < length; ) {
        const out = { length: 0, code: new Int32Array(1000), ...sets };
        const next = rowConversionsOf(slice).decided(
          { codes, first, length },
          from,
          alike,
          bitmap,
          null,
          out,
        );
        expect(next).toBeGreaterThan(from);
        from = next;
        for (let i = 0; i < out.length; i++) {
          const alikeHere = classOf(out.code[i]);
          rows.add(`${sets.minor[i]} ${alikeHere}`);
          for (const key of keysOfSet(sets, i)) found.push(`${key} ${alikeHere}`);
        }
        count += out.length;
      }
      // Each row has one set of those that are alike.
      expect(count).toBe(rows.size);
      expect(found.sort()).toEqual(expected.sort());
    }
  });
});

describe('sets as keys', () => {
  it('are the keys that they were made of, and keys are left unchanged', async () => {
    const random = randomNumbers(11);
    const keys = Uint32Array.from(new Set(Array.from({ length: 500 }, () => random() % 3000))).sort();
    const batch = { major: 3, length: keys.length, minor: keys, payload: [] };
    const { length, minor, low, high } = setsOfKeys(batch);
    async function* batches() {
      yield { major: 2, length, minor, payload: [low, high] };
      yield batch;
    }
    const found: [number, number[]][] = [];
    for await (const each of keysOfBatches(batches()))
      found.push([each.major, [...each.minor.subarray(0, each.length)]]);
    expect(found).toEqual([
      [2, [...keys]],
      [3, [...keys]],
    ]);
  });
});
