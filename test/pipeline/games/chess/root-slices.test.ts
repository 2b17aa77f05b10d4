/** Slices of roots: their kernels against the rules. */
import { describe, expect, it } from 'vitest';
import { checkGame } from '../../../../pipeline/check/check-game.js';
import { describeViolation } from '../../../../pipeline/check/violation.js';
import type { Address, Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../../../pipeline/games/chess/fen.js';
import { nameOfRoot, type RootOptions, rootOf } from '../../../../pipeline/games/chess/root.js';
import { rootGame } from '../../../../pipeline/games/chess/root-game.js';
import { readNever } from '../../../../pipeline/games/chess/root-never.js';
import { type Bound, slicesOfRoot } from '../../../../pipeline/games/chess/root-slices.js';
import { structuresOf } from '../../../../pipeline/games/chess/root-structures.js';
import type { ChessBoard } from '../../../../pipeline/games/chess/rules.js';
import { LONG, LONGEST, sweep } from '../../../support/long.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

/** Slices that are checked of each root and bound, at most. */
const SLICES = LONGEST ? Number.POSITIVE_INFINITY : LONG ? 4 : 2;

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
    moves: (board: ChessBoard) =>
      chess.moves(board).map((move) => {
        const isForbidden = game.isForbidden(board, move.uci);
        return { ...move, board: { ...move.board, from: game.locate(board), isForbidden } };
      }),
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
        ['8/5p2/4k3/4P3/8/3K4/8/8 w - - 0 1', { stopAt: 3 }],
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

it('a slice with more men than any ending is solved by rows as by single positions', async () => {
  const fen = '8/8/6p1/1p1p1pP1/1p1p1P2/1P1p1P2/1P1P1P1p/K1kB4 w - - 0 1';
  const root = rootOf(parseManyMen(fen), { stopAt: 17, mostPieces: 1 });
  const slices = slicesOfRoot(nameOfRoot(root), structuresOf(root));
  const byKeys = (name: string) => {
    const { rowKernels, rowMoves, ...slice } = chess.slice(name);
    return slices.includes(name) ? slice : chess.slice(name);
  };
  const [rows, keys] = await Promise.all(
    [chess, { ...chess, slice: byKeys }].map((game) =>
      solveGame(game, slices, { metric: 'dtm', verify: game === chess }),
    ),
  );
  expect(digestsOf(rows.summaries)).toEqual(digestsOf(keys.summaries));
}, 120_000);
