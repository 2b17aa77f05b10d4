import { describe, expect, it } from 'vitest';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { sweep } from '../../../support/long.js';
import { emission, legalKeys, twoParts } from './kernel-rows.js';

/** [part, key] in some fixed order. */
function ordered(rows: [part: number, key: number][]) {
  return rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

describe('unmoves divided by parts', () => {
  const names = sweep(['KK', 'KQKR', 'KNNK', 'KRPK.5'], ['KRK', 'KBBKN', 'KRRKR', 'KNNNK', 'KPPKP.237']);
  const cases = names.flatMap((name) => twoParts(name).map((part) => [name, part] as const));
  it.each(cases)('%s, part %d: unmoves within the part and beyond it are all unmoves', (name, part) => {
    const slice = chess.slice(name);
    const local = slice.local!;
    const out = emission(2 * slice.maxMoves);
    const within = { length: 0, minor: new Uint32Array(2 * slice.maxMoves) };
    const rows = () =>
      Array.from({ length: out.length }, (_, i): [number, number] => [out.major[i], out.minor[i]]);
    for (const side of [0, 1] as const) {
      const keys = legalKeys(slice, side, part);
      for (let i = 0; i < keys.length; i += Math.ceil(keys.length / 300)) {
        out.length = within.length = 0;
        slice.unmoves!(side, part, keys, i, i + 1, 0, out);
        const all = rows();
        out.length = 0;
        local.unmovesWithin(side, part, keys, i, i + 1, within);
        local.unmovesBeyond(side, part, keys, i, i + 1, 0, out);
        const stay = Array.from(within.minor.subarray(0, within.length), (key): [number, number] => [
          part,
          key,
        ]);
        expect(ordered([...stay, ...rows()])).toEqual(ordered(all));
      }
    }
  });
});
