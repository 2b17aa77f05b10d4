import { describe, expect, it } from 'vitest';
import type { Side } from '../../../pipeline/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { boardAt, censusOf, kernelSuccessors, randomNumbers, ruleSuccessors } from './kernel-rows.js';

const SIDES: readonly Side[] = [0, 1];

/** Compares all kernels with the plain rules on keys [first, first + length) of a part; returns the legal positions. */
function compare(name: string, side: Side, part: number, first: number, length: number): number {
  const slice = chess.slice(name);
  const census = censusOf(slice, side, part, first, length);
  let legal = 0;
  for (let i = 0; i < length; i++) {
    const at = { slice: name, side, part, key: first + i };
    const board = boardAt(at);
    const seen = [census.status[i], census.moves[i], census.conversions[i]];
    if (!board) {
      if (seen.some((value) => value !== 0))
        expect({ at, fen: chess.format(chess.board(at)), seen }).toEqual({ at, fen: '', seen: [0, 0, 0] });
      continue;
    }
    legal++;
    const rules = ruleSuccessors(board, name);
    const status = { broken: 0, open: 1, lost: 2, drawn: 3 }[chess.terminal(board)];
    const wanted = [status, rules.moves.length, rules.conversions.length];
    const kernels = kernelSuccessors(slice, at);
    const fen = chess.format(board);
    if (
      seen.join() !== wanted.join() ||
      rules.moves.join() !== kernels.moves.join() ||
      rules.conversions.join() !== kernels.conversions.join()
    ) {
      expect({ fen, at, seen, ...kernels }).toEqual({ fen, at, seen: wanted, ...rules });
    }
    const orbit = new Uint8Array(1);
    slice.orbitSizes(part, Uint32Array.of(at.key), 1, orbit);
    expect(orbit[0]).toBe(2);
  }
  return legal;
}

describe('kernels of slices with pawns against the plain rules', () => {
  it.each(['KPK.2', 'KPK.4', 'KPK.7'])('%s, every index', (name) => {
    const slice = chess.slice(name);
    expect(slice.size).toBe(1806 * 8);
    for (const side of SIDES) {
      expect(compare(name, side, 0, 0, slice.size)).toBeGreaterThan(11_000);
    }
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
        legal += compare(slice.name, side, part, first, length);
      }
      if (legal > before) sides++;
    }
    expect(legal).toBeGreaterThan(400);
    expect(sides).toBe(name.includes('ep') ? 1 : 2);
  });
});
