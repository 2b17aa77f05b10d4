/** Slices of roots: their kernels against the rules. */
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { checkGame } from '../../../../pipeline/check/check-game.js';
import { describeViolation } from '../../../../pipeline/check/violation.js';
import type { Address, Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../../../pipeline/games/chess/fen.js';
import { nameOfRoot, type RootOptions, readRoot, rootOf } from '../../../../pipeline/games/chess/root.js';
import { rootGame } from '../../../../pipeline/games/chess/root-game.js';
import { readNever } from '../../../../pipeline/games/chess/root-never.js';
import { type Bound, slicesOfRoot } from '../../../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../../../pipeline/games/chess/root-structures.js';
import type { ChessBoard } from '../../../../pipeline/games/chess/rules.js';
import { LONG, LONGEST, sweep } from '../../../support/long.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

/** Slices that are checked of each root and bound, at most. */
const SLICES = LONGEST ? Number.POSITIVE_INFINITY : LONG ? 3 : 2;

type Case = readonly [fen: string, options: RootOptions];
type Led = ChessBoard & { readonly from?: Address; readonly isForbidden?: boolean };

/** The game of a root that locates unknown positions beside those from which moves lead there, as kernels do. */
function locating(root: string, bound: Bound): Game {
  const game = rootGame(root, bound);
  return {
    ...game,
    // A root has no positions with the colours exchanged, so that these are not located.
    // Nor has an assumed slice an ending.
    ending: (text: string) => ({ ...chess.ending(text.includes('~') ? root : text), flipped: false }),
    moves: (board: ChessBoard) => {
      const from = game.locate(board);
      return chess.moves(board).map((move) => {
        const isForbidden = game.isForbidden(board, move.uci);
        return { ...move, board: { ...move.board, from, isForbidden } };
      });
    },
    locate(board: Led) {
      // Another slice of the root may have the position after a promotion that is forbidden.
      if (board.isForbidden) return { ...board.from!, slice: `${board.from!.slice}~no`, side: board.side };
      const found = game.locate(board);
      const [, assumed] = found.slice.split('~');
      if (assumed === undefined || board.from === undefined) return found;
      return { ...board.from, slice: `${board.from.slice}~${assumed}`, side: board.side };
    },
  } as unknown as Game;
}

describe('kernels of the slices of a root agree with the rules', () => {
  it.each(
    sweep<Case>(
      [
        ['8/3r4/4k3/4p3/4P3/3K4/8/R7 w - - 0 1', { stopAt: 5, mostPieces: 2 }],
        [
          '8/5p2/4k3/3nP3/8/3K4/8/8 w - - 0 1',
          { stopAt: 4, mostPieces: 1, never: readNever('bfe6td6te5xAe5') },
        ],
      ],
      [
        ['8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1', {}],
        ['8/5p2/4k3/4P3/8/3K4/8/8 w - - 0 1', { stopAt: 3, promotions: 'Q' }],
        ['8/5p2/4k3/3nP3/8/3K4/8/8 w - - 0 1', { stopAt: 4, mostPieces: 1, promotions: 'Q' }],
        ['8/8/8/KP6/1p6/1k6/5P2/8 b - - 0 1', {}],
        ['8/5p2/4k1p1/3bP1P1/8/3K4/8/8 w - - 0 1', { stopAt: 4, mostPieces: 1 }],
        ['8/5p2/4k1p1/3RP1P1/8/3K4/8/8 w - - 0 1', { promotions: 'Q', stopAt: 5, mostPieces: 2 }],
        [
          '8/5p2/4k3/3qP3/8/3K4/8/R7 w - - 0 1',
          { stopAt: 4, mostPieces: 2, never: readNever('wfe5td5xRf7') },
        ],
      ],
      [
        ['8/5p2/4k3/4P3/8/3K4/8/8 w - - 0 1', { stopAt: 3 }],
        ['8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1', { never: readNever('wfe4te1te2te3') }],
        [
          '8/2k2p2/8/4P3/2P5/8/5p2/7K w - - 0 1',
          { stopAt: 4, mostPieces: 1, never: readNever('bff2tc6td6xAe5') },
        ],
      ],
    ),
  )(
    '%s %s',
    async (fen, options) => {
      const root = rootOf(parseManyMen(fen), options);
      const name = nameOfRoot(root);
      for (const bound of ['hi', 'lo'] as const) {
        const slices = slicesOfRoot(name, structuresOf(root)).filter(
          (slice) => slice.endsWith(`.${bound}`) || (bound === 'hi' && !slice.endsWith('.lo')),
        );
        const step = Math.max(1, Math.ceil(slices.length / SLICES));
        const some = slices.filter((_, i) => i % step === 0);
        const { violations } = await checkGame(locating(name, bound), {
          slices: some,
          positions: 20,
          seed: 3,
        });
        expect(violations.map((violation) => describeViolation(violation, chess.colours))).toEqual([]);
      }
    },
    600_000,
  );
});

it.each([
  'KPKP_',
  'KPKP_d4',
  'KPKP_d4d4',
  'KPKP_d1d5',
  'KPKP_d4d5_',
  'KPKP_d4d5 _s3',
  'KPKP_d4d5_s03',
  'KPKP_d4d5_s123',
  'KPKP_d4d5_pRQ',
  'KPKP_d4d5_pQQ',
  'KPKP_d2d5_xd2',
  'KPKP_d4d5_xd5_xd5',
  'KPKP_d4d5_nw',
  'KPKP_d4d5_nwte1fe1',
  'KPKP_d4d5_k0f',
  'KPKP_d4d5.',
  'KPKP_d4d5.hi',
  'KPKP_d4d5_s3.KPKP.45',
  'KPKP_d4d5_s3.KPKP.45.hi~lo',
  'KPKP_d4d5.KPKP.44',
  'KPKP_d4d5.KPKP.45.syzygy.hi',
  'KPKP_d4d5/../../x',
  '../KPKP_d4d5',
  'KPKP_ä4d5',
  'KPKP_d4d5\u0000',
  '__proto__',
  'constructor_e4',
  'K'.repeat(100),
])('a name that no root, slice or ending has is refused in one line: %j', (name) => {
  for (const game of [chess, chess.sided!]) {
    const { message } = refusalOf(() => game.ending(name));
    expect(message.split('\n')).toHaveLength(1);
  }
});

it.each([
  ['KPKP_e4e5', 'KPKP_d4d5'],
  ['KPvKP_e4e5_s3', 'KPvKP_d4d5_s3'],
  ['KPKP_e4e5_nwfe4td1.hi', 'KPKP_d4d5_nwfd4te1'],
  ['KPPKP_f4g4e5.KPPKP.445+', 'KPPKP_b4c4d5'],
])('the mirror image of a root is refused, with the name of the root: %s', (mirrored, name) => {
  for (const game of [chess, chess.sided!])
    expect(refusalOf(() => game.ending(mirrored)).message).toBe(
      `${JSON.stringify(mirrored)} is the mirror image of the root ${name}: name that`,
    );
  expect(readRoot(mirrored.split('.')[0])).toBeNull();
  expect(readRoot(name)).not.toBeNull();
});

it('a position and its mirror image have one root, under one name', () => {
  const roots = ['8/8/4k3/4p3/4P3/3K4/8/8 w - - 0 1', '8/8/3k4/3p4/3P4/4K3/8/8 w - - 0 1'].map((fen) =>
    nameOfRoot(rootOf(parseManyMen(fen))),
  );
  expect(roots).toEqual(['KPKP_d4d5', 'KPKP_d4d5']);
});

function refusalOf(read: () => unknown): UserError {
  try {
    read();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** What solving and verification by rows need, and what takes conversions back. */
const ROWED = ['rowKernels', 'rowMoves', 'rowConversions', 'unconversions'] as const;

it.each(
  sweep<Case>(
    [
      ['8/8/6p1/1p1p1pP1/1p1p1P2/1P1p1P2/1P1P1P1p/K1kB4 w - - 0 1', { stopAt: 17, mostPieces: 1 }],
      [
        '8/8/4k3/4p3/4P3/3K4/8/R7 w - - 0 1',
        { stopAt: 4, mostPieces: 1, never: readNever('wfe4ta1tc3tf8xAe5') },
      ],
    ],
    [
      [
        '8/5p2/4k3/4P3/8/8/4K3/8 w - - 0 1',
        { stopAt: 3, mostPieces: 0, promotions: 'QN', never: readNever('bfg7te5xPe6') },
      ],
      [
        '8/5p2/4k3/4P3/8/8/4K3/8 w - - 0 1',
        { stopAt: 3, mostPieces: 0, promotions: 'Q', never: readNever('wfe2te3xPf6xKf7') },
      ],
    ],
    [
      [
        '8/5p2/4k3/4P3/8/8/4K3/R7 w - - 0 1',
        { stopAt: 4, mostPieces: 1, never: readNever('wfe6td5xRf7xPf6') },
      ],
      [
        '8/5p2/4k3/4P3/8/n7/4K3/8 w - - 0 1',
        { stopAt: 4, mostPieces: 1, never: readNever('bfc4td4tf5xNe5xKe5') },
      ],
      [
        '8/5p2/4k3/4P3/8/n7/4K3/8 w - - 0 1',
        { stopAt: 4, mostPieces: 1, never: readNever('wfe3tf2xPf6xKa3') },
      ],
      [
        '8/8/4k3/4p3/4P3/3K4/8/NN6 w - - 0 1',
        { stopAt: 5, mostPieces: 2, never: readNever('wfc3td5tb1xNe5') },
      ],
    ],
  ),
)(
  'slices with more men than any ending, or with moves that are left out, are solved by rows as by single positions: %s %j',
  async (fen, options) => {
    const root = rootOf(parseManyMen(fen), options);
    const slices = slicesOfRoot(nameOfRoot(root), structuresOf(root));
    const byKeys = (name: string) => {
      const slice = { ...chess.slice(name) };
      if (slices.includes(name)) for (const each of ROWED) delete slice[each];
      return slice;
    };
    const [rows, keys] = await Promise.all(
      [chess, { ...chess, slice: byKeys }].map((game) =>
        solveGame(game, slices, { metric: 'dtm', verify: game === chess }),
      ),
    );
    expect(digestsOf(rows.summaries)).toEqual(digestsOf(keys.summaries));
  },
  600_000,
);
