import { describe, expect, it } from 'vitest';
import type { Side } from '../../../pipeline/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { compareWithRules, randomNumbers } from './kernel-rows.js';

const SIDES: readonly Side[] = [0, 1];

describe('kernels of slices with pawns against the plain rules', () => {
  it.each(['KPK.2', 'KPK.4', 'KPK.7'])('%s, every index', (name) => {
    const slice = chess.slice(name);
    expect(slice.size).toBe(1806 * 8);
    for (const side of SIDES) {
      expect(compareWithRules(name, side, 0, 0, slice.size)).toBeGreaterThan(11_000);
    }
    const orbits = new Uint8Array(100);
    slice.orbitSizes(0, Uint32Array.from(orbits.keys()), 100, orbits);
    expect(orbits.every((size) => size === 2)).toBe(true);
  });

  it.each([
    'KPKP.25',
    'KPKP.44',
    'KPKPep.44b',
    'KPPK.22',
    'KPPK.27',
    'KQKP.2',
    'KRPK.7',
    'KRKP.6',
    'KPPKP.244',
    'KPPKPep.444b',
    'KPPKPep.555w',
    'KRPKR.5',
    'KQPKBB.2',
    'KBBKP.3',
    'KBBBKPP.23',
    'KPPPK.222',
    'KPPPKP.4447',
    'KPPKPPep.4545b',
    'KPPKPPep.4545w',
    'KRPKRPep.44b',
    'KNNPKPP.467',
    'KPPPPKP.22334',
  ])('%s, samples', (name) => {
    const slice = chess.slice(chess.ending(name).slices[0]);
    const random = randomNumbers(name.length * 1000 + name.charCodeAt(1) * 31 + name.charCodeAt(2));
    const size = slice.size / 1806;
    let legal = 0;
    let sides = 0;
    for (const side of SIDES) {
      const before = legal;
      for (let sample = 0; sample < 4000 && legal - before < 600; sample++) {
        const part = random() % slice.parts;
        const length = Math.min(24, slice.partSize(part), size);
        const first = random() % (slice.partSize(part) - length + 1);
        legal += compareWithRules(slice.name, side, part, first, length);
      }
      if (legal > before) sides++;
    }
    expect(legal).toBeGreaterThan(400);
    expect(sides).toBe(name.includes('ep') ? 1 : 2);
  });
});
