/**
 * The conformance kit finds nothing wrong with the games there are, and every fault that is put into them.
 */
import { describe, expect, it } from 'vitest';
import { type CheckReport, checkGame } from '../../../pipeline/check/check-game.js';
import { type ContractRule, describeViolation, type Violation } from '../../../pipeline/check/violation.js';
import type { Emission, Game, RowLabels, Slice } from '../../../pipeline/game/game.js';
import { setBit } from '../../../pipeline/game/labels.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { randomFrom } from '../../support/graph-game.js';
import { LONG, sweep } from '../../support/long.js';
import { dropRow, repeatRow, spoiled, withSlices } from './faulty.js';

const random = randomFrom(1);

const check = (game: Game, slices: readonly string[], positions = LONG ? 60 : 40): Promise<CheckReport> =>
  checkGame(game, { slices, positions, seed: 1 });

describe('nothing is wrong with', () => {
  it.each(sweep(['KK', 'KRK', 'KPK.5', 'KPKPep.55w'], ['KQKQ', 'KBBKN', 'KPKP.65', 'KRPKP.25']))(
    'chess, %s',
    async (name) => {
      // Few indices have a pawn that can be captured en passant.
      const { violations, slices } = await check(
        chess as Game,
        [name],
        name.includes('ep') ? 2000 : undefined,
      );
      expect(violations.map((violation) => describeViolation(violation, chess.colours))).toEqual([]);
      expect(slices[0].legal).toBeGreaterThan(5);
    },
  );

  it.each(sweep(['0000', '0011.66', '2110.50'], ['1100', '1111.33', '2211.44', '5500']))(
    'checkers, %s',
    async (name) => {
      const { violations } = await check(checkers as Game, [name]);
      expect(violations.map((violation) => describeViolation(violation, checkers.colours))).toEqual([]);
    },
  );

  it('a slice that is examined as a whole, and the report names rules that were not examined', async () => {
    const { slices } = await check(chess as Game, ['KK'], 500);
    expect(slices).toEqual([
      {
        slice: 'KK',
        size: 462,
        indices: 462,
        legal: 924,
        skipped: [
          { rule: 'colours', why: 'no name of the slice exchanges its colours' },
          { rule: 'search', why: 'the game has no search' },
          { rule: 'unconversions', why: 'the slice has no dependencies' },
          { rule: 'rowConversions', why: 'the slice has no dependencies' },
          { rule: 'rowKernels', why: 'the slice has no rowKernels' },
          { rule: 'rowMoves', why: 'the slice has no rowMoves' },
          { rule: 'symmetry', why: 'the game names no images' },
        ],
      },
    ]);
  });

  it('kernels that are left out, and the report names them', async () => {
    const game = withSlices(chess, () => ({ local: undefined, unmoves: undefined }) as unknown as Slice);
    const { slices, violations } = await check(game, ['KRK']);
    expect(violations).toEqual([]);
    expect(slices[0].skipped).toEqual([
      { rule: 'search', why: 'the game has no search' },
      { rule: 'unmoves', why: 'the slice has no unmoves' },
      { rule: 'local', why: 'the slice has no local' },
      { rule: 'rowKernels', why: 'the slice has no unmoves to compare with' },
      { rule: 'symmetry', why: 'the game names no images' },
    ]);
  });

  it('two checks with one seed, which give the same report', async () => {
    const game = withSlices(chess, ({ moves }) => ({ moves: spoiled(moves, repeatRow) }));
    expect(await check(game, ['KQKR'], 40)).toEqual(await check(game, ['KQKR'], 40));
  });
});

/** The rule under which a fault is found (the first that it breaks), and its message. */
interface Case {
  readonly what: string;
  readonly game: Game;
  readonly slice: string;
  readonly rule: ContractRule;
  readonly says: RegExp;
  readonly positions?: number;
}

const lastUnmove = (kernel: NonNullable<Slice['unmoves']>) =>
  spoiled(kernel, (out, first) => out.length > first && dropRow(out, out.length - 1));
/** Chess with labels by rows that have other functions. */
const withRowLabels = (change: (labels: RowLabels) => Partial<RowLabels>): Game =>
  withSlices(chess, ({ rowKernels }) =>
    rowKernels === undefined
      ? {}
      : {
          rowKernels: {
            ...rowKernels,
            open: (bytes) => {
              const labels = rowKernels.open(bytes);
              return { ...labels, ...change(labels) };
            },
          },
        },
  );
const isAny = (out: Emission, first: number): boolean => out.length > first;

const cases: Case[] = [
  {
    what: 'an unmove left out',
    game: withSlices(chess, ({ unmoves }) => ({ unmoves: lastUnmove(unmoves!), local: undefined as never })),
    slice: 'KRK',
    rule: 'unmoves',
    says: /unmoves (of .* )?emits .*; moves leads /,
  },
  {
    what: 'an unmove that is none',
    game: withSlices(checkers, ({ unmoves }) => ({
      unmoves: spoiled(unmoves!, (out, first, key) => {
        if (key % 3 > 0 || !isAny(out, first)) return;
        repeatRow(out, first);
      }),
    })),
    slice: '2100',
    rule: 'unmoves',
    says: /emits .* twice; moves leads .* once/,
  },
  {
    what: 'a move doubled',
    game: withSlices(chess, ({ moves }) => ({
      moves: spoiled(moves, (out, first, key) => key % 5 === 0 && isAny(out, first) && repeatRow(out, first)),
    })),
    slice: 'KRK',
    rule: 'moves',
    says: /moves emits KK\/\d\/0\/\d+ twice; by the rules once/,
  },
  {
    what: 'a move left out in checkers',
    game: withSlices(checkers, ({ moves }) => ({
      moves: spoiled(moves, (out, first, key) => key % 5 === 0 && isAny(out, first) && dropRow(out, first)),
    })),
    slice: '1111.33',
    rule: 'moves',
    says: /not at all; by the rules once/,
  },
  {
    what: 'a wrong out-count',
    game: withSlices(chess, ({ census }) => ({
      census(side, part, first, length, out) {
        census(side, part, first, length, out);
        for (let i = 0; i < length; i++) {
          if ((first + i) % 11 === 0 && out.counts[i] > 1 && out.counts[i] < 254) out.counts[i]++;
        }
      },
    })),
    slice: 'KQKR',
    rule: 'census',
    says: /census says open, \d+ moves .*; the rules say open, /,
  },
  {
    what: 'a census that depends on where it begins',
    game: withSlices(chess, ({ census }) => ({
      census(side, part, first, length, out) {
        census(side, part, first, length, out);
        if (first % 8 === 3 && out.counts[0] === 0 && length > 1) {
          setBit(out.open, 0);
          out.counts[0] = 1;
          out.legal++;
        }
      },
    })),
    slice: 'KRK',
    rule: 'intervals',
    says: /census of keys \d+ to \d+ says status 1; that of the key alone 0/,
    positions: 300,
  },
  {
    what: 'a legal position called broken',
    game: withSlices(checkers, ({ census }) => ({
      census(side, part, first, length, out) {
        census(side, part, first, length, out);
        for (let i = 0; i < length; i++) {
          if ((first + i) % 13 !== 5 || out.counts[i] === 0) continue;
          out.counts[i] = out.conversions === null ? 0 : (out.conversions[i] = 0);
          out.open[i >> 3] &= ~(1 << (i & 7));
          out.legal--;
        }
      },
    })),
    slice: '2100',
    rule: 'index',
    says: /census calls the index broken; .* is a legal position that has it/,
  },
  {
    what: 'orbits of four where they are eight',
    game: withSlices(chess, () => ({
      orbitSizes: (_part, _keys, length, out) => void out.fill(4, 0, length),
    })),
    slice: 'KK',
    rule: 'orbits',
    says: /orbitSizes says 4; at least \d+ boards are located there/,
  },
  {
    what: 'orbits of eight where they are four',
    game: withSlices(chess, () => ({
      orbitSizes: (_part, _keys, length, out) => void out.fill(8, 0, length),
    })),
    slice: 'KK',
    rule: 'orbits',
    says: /orbitSizes says 8; 4 boards are located there/,
  },
  {
    what: 'a wrong orbit here and there',
    game: withSlices(chess, ({ orbitSizes }) => ({
      orbitSizes(part, keys, length, out) {
        orbitSizes(part, keys, length, out);
        keys.subarray(0, length).forEach((key, i) => {
          if (key % 7 === 0) out[i] = 12 - out[i];
        });
      },
    })),
    slice: 'KQKR',
    rule: 'orbits',
    says: /is a multiple of|boards are located there/,
  },
  {
    what: 'images that are other positions',
    game: {
      ...(checkers as Game),
      images: (board) => [board, checkers.board(checkers.locate(board as never), true)],
    },
    slice: '2110.50',
    rule: 'symmetry',
    says: /its image is .*; that has another side to move/,
  },
  {
    what: 'images without the board itself',
    game: { ...(chess as Game), images: () => [] },
    slice: 'KRK',
    rule: 'symmetry',
    says: /its images are ; a board is an image of itself/,
  },
  {
    what: 'fewer images than orbitSizes says',
    game: { ...(chess as Game), images: (board) => [board] },
    slice: 'KRK',
    rule: 'symmetry',
    says: /orbitSizes says 8; it has 1 images/,
  },
  {
    what: 'a kernel that goes on with one row too little',
    game: withSlices(chess, ({ moves, maxMoves }) => ({
      moves(side, part, keys, from, to, bias, out) {
        // The kernel writes beyond the room that it was given; typed arrays lose rows that do not fit.
        const wide = (column: Uint32Array) => {
          const copy = new Uint32Array(column.length + maxMoves);
          copy.set(column.subarray(0, out.length));
          return copy;
        };
        const [major, minor, source] = [out.major, out.minor, out.source].map(wide);
        const more = { length: out.length, major, minor, source };
        let i = from;
        for (; i < to; i++) {
          const before = more.length;
          moves(side, part, keys, i, i + 1, bias, more);
          if (more.length > out.minor.length + 1) {
            more.length = before;
            break;
          }
        }
        for (const column of ['major', 'minor', 'source'] as const)
          out[column].set(more[column].subarray(0, Math.min(more.length, out.minor.length)));
        out.length = more.length;
        return i;
      },
    })),
    slice: 'KRK',
    rule: 'capacity',
    says: /moves with room for \d+ rows returns \d with \d+ rows; position \d has \d+ rows/,
  },
  {
    what: 'a kernel that returns the last position done instead of the first not done',
    game: withSlices(checkers, ({ conversions }) => ({
      conversions: (...args) => {
        const next = conversions(...args);
        return next < args[4] ? Math.max(args[3], next - 1) : next;
      },
    })),
    slice: '2211.44',
    rule: 'capacity',
    says: /conversions/,
    positions: 800,
  },
  {
    what: 'a dependency left out',
    game: withSlices(chess, ({ dependencies }) => ({ dependencies: dependencies.slice(1) }), ['KQKR']),
    slice: 'KQKR',
    rule: 'conversions',
    says: /no dependency has that name; a move leads to K[QR]K\/|conversions/,
  },
  {
    what: 'a dependency with other parts',
    game: withSlices(
      checkers,
      ({ dependencies }) => ({ dependencies: dependencies.map((there) => ({ ...there, parts: 9 })) }),
      ['2100'],
    ),
    slice: '2100',
    rule: 'dependencies',
    says: /dependency \w+ is said to have 9 parts; it has 1/,
  },
  {
    what: 'a plan with a circle',
    game: withSlices(
      chess,
      () => ({ dependencies: [{ slice: 'KRK', parts: chess.slice('KRK').parts, restarts: [] }] }),
      ['KK'],
    ),
    slice: 'KRK',
    rule: 'dependencies',
    says: /dependencies go in a circle: KRK → KK → KRK/,
  },
  {
    what: 'an un-capture left out',
    game: withSlices(
      chess,
      ({ unconversions }) =>
        ({
          unconversions: spoiled(unconversions!, (out, first) => isAny(out, first) && dropRow(out, first)),
          // The check of these looks at whole rows, so it would find the fault first.
          rowConversions: undefined,
        }) as unknown as Slice,
    ),
    slice: 'KRK',
    rule: 'unconversions',
    says: /unconversions of KK\/\d\/0\/\d+ emits it not at all; conversions leads there once/,
    positions: 400,
  },
  {
    what: 'un-captures of the wrong side',
    game: withSlices(chess, ({ unconversions }) => ({
      unconversions: (side, dependency, sideThere, ...rest) =>
        unconversions!(side, dependency, (1 - sideThere) as 0 | 1, ...rest),
    })),
    slice: 'KQKR',
    rule: 'unconversions',
    says: /unconversions of/,
  },
  {
    what: 'an unmove within the part that is sent as well',
    game: withSlices(chess, ({ local }) => ({
      local: {
        ...local!,
        unmovesBeyond: spoiled(
          local!.unmovesBeyond,
          (out, first) => isAny(out, first) && repeatRow(out, first),
        ),
      },
    })),
    slice: 'KBBKN',
    rule: 'local',
    says: /unmovesWithin and unmovesBeyond emit .* twice; unmoves emits it once/,
  },
  {
    what: 'unmoves by rows that lead to another part',
    game: withRowLabels((labels) => ({
      unmovesBeyond: (side, part, sets, range, bias, out, by) =>
        labels.unmovesBeyond(side, part, sets, range, bias + 1, out, by),
    })),
    slice: 'KRK',
    positions: 120,
    rule: 'rowKernels',
    says: /unmovesBeyond by rows emits K\w+\/\d\/\d+\/\d+ (not at all|once); unmoves of the positions/,
  },
  {
    what: 'unmoves by rows that leave a row out',
    game: withRowLabels(() => ({ strikeWithin: () => 0 })),
    slice: 'KRK',
    positions: 120,
    rule: 'rowKernels',
    says: /strikeWithin strikes K\w+\/\d\/\d+\/\d+ too seldom/,
  },
  {
    what: 'unmoves by rows that strike twice',
    game: withRowLabels((labels) => ({
      strikeWithin: (...args) => labels.strikeWithin(...args) + labels.strikeWithin(...args),
    })),
    slice: 'KRK',
    positions: 120,
    rule: 'rowKernels',
    says: /strikeWithin strikes K\w+\/\d\/\d+\/\d+ too often/,
  },
  {
    what: 'labels by rows that keys do not strike',
    game: withRowLabels(() => ({ strikeKeys: () => {} })),
    slice: 'KRK',
    positions: 120,
    rule: 'rowKernels',
    says: /after strikeKeys K\w+\/\d\/\d+\/\d+ is handed out not at all; it was struck, and is labelled once/,
  },
  {
    what: 'moves by rows that do not look at captures',
    game: withSlices(chess, ({ rowMoves }) =>
      rowMoves === undefined
        ? {}
        : {
            rowMoves: {
              ...rowMoves,
              open: (bytes) => {
                const rows = rowMoves.open(bytes);
                return { ...rows, behind: (...args) => ({ ...rows.behind(...args), dependencies: [] }) };
              },
            },
          },
    ),
    slice: 'KQKR',
    rule: 'rowMoves',
    says: /raise gives K\w+\/\d\/\d+\/\d+ the rank \d+; the best of its moves and conversions has \d+/,
    positions: 700,
  },
  {
    what: 'conversions taken back by rows that leave one out',
    game: withSlices(chess, ({ rowConversions }) =>
      rowConversions === undefined
        ? {}
        : {
            rowConversions: {
              ...rowConversions,
              unconversions(link, part, sets, range, bias, out) {
                const next = rowConversions.unconversions(link, part, sets, range, bias, out);
                if (out.length > 1) out.length--;
                return next;
              },
            },
          },
    ),
    slice: 'KQKR',
    rule: 'rowConversions',
    says: /unconversions of the row of K\w+\/\d\/\d+\/\d+ emits .* (not at all|once|\d+ times), as (sets|keys); unconversions of its positions/,
    positions: 2000,
  },
  {
    what: 'more moves than maxMoves',
    game: withSlices(checkers, () => ({ maxMoves: 6 })),
    slice: '2200',
    rule: 'maxMoves',
    says: /maxMoves is 6; there are \d+ moves|emits \d+ rows; maxMoves is 6/,
  },
  {
    what: 'a last part of the wrong size',
    game: withSlices(chess, ({ width }) => ({ partSize: () => width })),
    slice: 'KRPKP.25',
    rule: 'sizes',
    says: /partSize\(\d+\) is \d+; \d+ parts make it \d+/,
  },
  {
    what: 'periods that do not ascend',
    game: withSlices(chess, () => ({ periods: () => [512, 64] })),
    slice: 'KRK',
    rule: 'periods',
    says: /periods\(0\) is 512, 64/,
  },
  {
    what: 'an index that is none',
    game: withSlices(chess, ({ unmoves, parts }) => ({
      unmoves: spoiled(unmoves!, (out, first) => {
        if (isAny(out, first)) out.major[first] += parts;
      }),
    })),
    slice: 'KRK',
    rule: 'unmoves',
    says: /unmoves emits part \d+, key \d+ of K\w*K; there is no such index/,
  },
  {
    what: 'a move of no source',
    game: withSlices(chess, ({ moves }) => ({
      moves: spoiled(moves, (out, first) => void out.source.fill(0, first)),
    })),
    slice: 'KRK',
    rule: 'moves',
    says: /moves writes source 0; the position is number 1 of the batch/,
  },
  {
    what: 'a kernel that throws',
    game: withSlices(chess, () => ({
      moves() {
        throw new Error('out of reach');
      },
    })),
    slice: 'KRK',
    rule: 'moves',
    says: /throws: out of reach/,
  },
  {
    what: 'a census that throws',
    game: withSlices(chess, () => ({
      census() {
        throw new Error('out of sight');
      },
    })),
    slice: 'KRK',
    rule: 'census',
    says: /^census: KRK: throws: out of sight; kernels never throw$/,
  },
  {
    what: 'a mate where there are moves',
    game: { ...(chess as Game), terminal: () => 'lost' },
    slice: 'KRK',
    rule: 'terminal',
    says: /terminal says lost; there are \d+ moves/,
  },
  {
    what: 'moves that differ when they are asked twice',
    game: {
      ...(chess as Game),
      moves: (board) => chess.moves(board as never).filter(() => random(2) === 0),
    },
    slice: 'KRK',
    rule: 'again',
    says: /: moves differ when they are asked twice; at first .* to K\w+\/\d.*, then /,
  },
  {
    what: 'colours that are not exchanged',
    game: { ...(checkers as Game), board: (address) => checkers.board(address) },
    slice: '2110.50',
    rule: 'colours',
    says: /flipped it is .*, too; the colours are exchanged/,
  },
  {
    what: 'a search that misses a move',
    game: {
      ...(checkers as Game),
      search: {
        ...(checkers as Game).search!,
        successors: (board) => (checkers as Game).search!.successors(board).slice(1),
      },
    },
    slice: '2100',
    rule: 'search',
    says: /search has .* not at all; by the rules once/,
  },
  {
    what: 'a name that is another ending when it is exchanged',
    game: {
      ...(chess as Game),
      ending: (text) => ({ ...chess.ending(text), exchanged: 'KQKR' }),
    },
    slice: 'KRKN',
    rule: 'names',
    says: /exchanged/,
  },
];

describe('a fault is found and named:', () => {
  // The short tests take every other fault, and none that is found among many positions alone.
  it.each(cases.filter(({ positions = 0 }, i) => LONG || (positions < 700 && i % 3 === 0)))(
    '$what',
    async ({ game, slice, rule, says, positions }) => {
      const { violations } = await check(game, [slice], positions);
      const first = violations.find((violation) => violation.rule === rule);
      expect(violations.map((violation) => violation.rule)).toContain(rule);
      expect(describeViolation(first as Violation, game.colours)).toMatch(says);
      expect(describeViolation(first as Violation, game.colours)).not.toContain('\n');
    },
  );
});

describe('the position that is reported', () => {
  const game = withSlices(chess, ({ moves }) => ({
    moves: spoiled(moves, (out, first) => isAny(out, first) && repeatRow(out, first)),
  }));

  it('has the fewest pieces', async () => {
    const { violations } = await check(game, ['KQKR'], 60);
    expect(violations[0]).toMatchObject({ rule: 'moves', slice: 'KK', board: expect.stringContaining('k') });
  });

  it('is of the smallest slice with the fault', async () => {
    const { violations, slices } = await check(game, ['KK', 'KRK'], 60);
    expect(violations[0]).toMatchObject({ rule: 'moves', slice: 'KK' });
    expect(slices.map(({ slice }) => slice)).toEqual(['KK']);
    // A king in the corner with few squares to go to.
    const { board } = violations[0];
    expect(chess.moves(chess.parse(board!)).length).toBeLessThanOrEqual(3);
  });
});
