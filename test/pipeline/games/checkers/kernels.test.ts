/** Moves and kernels against the oracle's rules. */

import { describe, expect, it } from 'vitest';
import { newCensus } from '../../../../pipeline/game/fill-census.js';
import type { Side, Slice } from '../../../../pipeline/game/game.js';
import { hasBit } from '../../../../pipeline/game/labels.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { moves as ruleMoves } from '../../../oracle/checkers/rules.js';
import { randomFrom } from '../../../support/graph-game.js';
import { LONG, LONGEST, sweep } from '../../../support/long.js';
import { boardKey, SIDES, toBoard, toPosition } from './boards.js';
import { emission, kernelSuccessors, keysOf, locateSuccessors } from './kernel-rows.js';

/** Compares all values of the positions [first, first + length) of a part with the oracle's rules. */
function compare(slice: Slice, side: Side, part: number, first: number, length: number): void {
  const keys = Uint32Array.from({ length }, (_, i) => first + i);
  const emitted = kernelSuccessors(slice, side, part, keys);
  const census = newCensus(length);
  for (const column of [census.counts, census.conversions, census.open]) column.fill(0xa5);
  slice.census(side, part, first, length, census);
  const marks = new Uint8Array(length);
  slice.dontCares!(side, part, first, length, marks);
  const lostKeys: number[] = [];

  for (let i = 0; i < length; i++) {
    const at = { slice: slice.name, side, part, key: keys[i] };
    const board = checkers.board(at);
    const position = toPosition(board);
    const legal = ruleMoves(position);
    const afters = legal.map(({ after }) => toBoard(after));
    const wanted = locateSuccessors(at, afters);
    const boards = afters.map(boardKey);
    const opponent = ruleMoves({ ...position, side: side === 0 ? 'white' : 'black' });
    const captures = [legal, opponent].some((moves) => moves.some(({ captured }) => captured.length > 0));
    if (legal.length === 0) lostKeys.push(keys[i]);

    const named = checkers.moves(board).map((move) => `${move.uci} ${boardKey(move.board)}`);
    const namedByRules = legal.map(
      ({ path, captured }, move) => `${path.join(captured.length > 0 ? 'x' : '-')} ${boards[move]}`,
    );
    const seen = {
      moves: emitted[i].moves.join(),
      conversions: emitted[i].conversions.join(),
      counts: [census.counts[i], census.conversions[i], hasBit(census.open, i)].join(),
      terminal: checkers.terminal(board),
      named: named.sort().join(),
      dontCare: [marks[i] === 1, checkers.search!.dontCare(board)].join(),
      successors: checkers.search!.successors(board).map(boardKey).sort().join(),
    };
    const expected = {
      moves: wanted.moves.join(),
      conversions: wanted.conversions.join(),
      counts: [legal.length, wanted.conversions.length, legal.length > 0].join(),
      terminal: legal.length > 0 ? 'open' : 'lost',
      named: namedByRules.sort().join(),
      dontCare: [captures, captures].join(),
      successors: boards.sort().join(),
    };
    for (const what of Object.keys(seen) as (keyof typeof seen)[]) {
      if (seen[what] !== expected[what]) {
        const fen = checkers.format(board);
        expect({ at, fen, [what]: seen[what] }).toEqual({ at, fen, [what]: expected[what] });
      }
    }
  }
  const { lost, drawn, legal, open } = census;
  expect([...census.lostKeys.subarray(0, lost)]).toEqual(lostKeys);
  expect([drawn, legal]).toEqual([0, length]);
  // The last byte is filled up with 0.
  if (length % 8 > 0) expect(open[length >> 3] >> (length % 8)).toBe(0);
}

describe('moves and kernels agree with the plain rules', () => {
  const sliceSets = checkers.endingsUpTo(3).map(({ name, slices }) => [name, slices] as const);
  it.each(sliceSets)(`class %s, every position of ${LONGEST ? 'all' : 'some'} slices`, (_, slices) => {
    // A class has a slice for each pair of leading ranks: every twentieth in the short tests, every fourth in the long ones.
    for (const name of slices.filter((_, i) => i % (LONGEST ? 1 : LONG ? 4 : 20) === 0)) {
      const slice = checkers.slice(name);
      for (const side of SIDES) compare(slice, side, 0, 0, slice.size);
    }
  });

  it.each([
    [4, LONG ? 1 : 2],
    [5, LONG ? 1 : 6],
    [6, LONG ? 1 : 12],
    [8, LONG ? 5 : 30],
  ])('samples of %i pieces', (pieces, stride) => {
    const random = randomFrom(100 + pieces);
    const classes = checkers
      .endingsUpTo(pieces)
      .filter(({ name }) => [...name].reduce((sum, digit) => sum + Number(digit), 0) === pieces)
      .filter((_, i) => i % stride === 0);
    for (const { slices } of classes) {
      for (const name of new Set([slices[0], slices[random(slices.length)]])) {
        const slice = checkers.slice(name);
        for (let sample = 0; sample < 6; sample++) {
          const part = random(slice.parts);
          const length = Math.min(slice.partSize(part), 20);
          const first = random(slice.partSize(part) - length + 1);
          for (const side of SIDES) compare(slice, side, part, first, length);
        }
      }
    }
  });

  it.each(['3200', '3101.06', '2210.60', '1130.60', '1121.66', '1121.56'])('%s, across its parts', (name) => {
    const slice = checkers.slice(name);
    expect(slice.parts).toBeGreaterThan(1);
    for (let part = 0; part < slice.parts; part++) {
      const length = Math.min(60, slice.partSize(part));
      for (const side of SIDES) {
        compare(slice, side, part, 0, length);
        compare(slice, side, part, slice.partSize(part) - length, length);
      }
    }
  });
});

describe('names of moves', () => {
  const sans = (fen: string) => checkers.moves(checkers.parse(fen)).map(({ san }) => san);
  it.each([
    ['steps', 'B:W32:B14,K18', ['14-17', '18-15', '18-22', '18-23']],
    ['captures', 'B:W6,14,15:B1', ['1x17', '1x19']],
    ['White, who goes up the board', 'W:W19:BK1', ['19-15', '19-16']],
    ['two captures from and to the same squares', 'B:W10,11,18,19:BK14', ['14x23x16x7x14', '14x7x16x23x14']],
    [
      'one that only looks the same',
      'B:W10,11,18,19,K9:BK14',
      ['14x23x16x7x14x5', '14x5', '14x7x16x23x14x5'],
    ],
  ])('%s', (_, fen, expected) => expect(sans(fen).sort()).toEqual([...expected].sort()));
});

describe('kernels stop before a position whose rows might not fit', () => {
  it.each(sweep(['1100', '2111.33'], ['2200', '3200']))('%s', (name) => {
    const slice = checkers.slice(name);
    const keys = keysOf(slice, 0).subarray(0, 5000);
    const bias = slice.dependencies.flatMap((_, i) => [20 * i, 20 * i + 10]);
    const kernels = {
      moves: (side: Side, from: number, out: ReturnType<typeof emission>) =>
        slice.moves(side, 0, keys, from, keys.length, 3, out),
      unmoves: (side: Side, from: number, out: ReturnType<typeof emission>) =>
        slice.unmoves!(side, 0, keys, from, keys.length, 3, out),
      conversions: (side: Side, from: number, out: ReturnType<typeof emission>) =>
        slice.conversions(side, 0, keys, from, keys.length, bias, out),
    };
    for (const side of SIDES) {
      for (const kernel of Object.values(kernels)) {
        const roomy = emission(20 * keys.length + slice.maxMoves);
        expect(kernel(side, 0, roomy)).toBe(keys.length);
        const tight = emission(slice.maxMoves + 3);
        const rows = { major: [] as number[], minor: [] as number[], source: [] as number[] };
        for (let from = 0; from < keys.length; ) {
          // Rows that were there before stay.
          tight.length = 2;
          const next = kernel(side, from, tight);
          if (next <= from) throw new Error('no position done, though there is room for one');
          for (const column of ['major', 'minor', 'source'] as const) {
            rows[column].push(...tight[column].subarray(2, tight.length));
          }
          from = next;
        }
        for (const column of ['major', 'minor', 'source'] as const) {
          expect(rows[column]).toEqual([...roomy[column].subarray(0, roomy.length)]);
        }
        const full = emission(slice.maxMoves - 1);
        expect(kernel(side, 5, full)).toBe(5);
        expect(full.length).toBe(0);
      }
    }
  });
});
