/**
 * The shapes of the public Lichess tablebase API, so that its clients work with this server by changing the base URL.
 * Sources: github.com/lichess-org/lila-tablebase, README; lichess.org/api, "Tablebase lookup". Some fields have no
 * values in tables here, and are always null or false: `dtw`, `variant_win`, `variant_loss`. The field `dtm50` is not
 * in that API.
 */
import { z } from '@hono/zod-openapi';
import { categories } from '../../pipeline/tables/probe/verdict.js';

/** Plies, positive if the side to move wins, negative if it loses, 0 if it is drawn; null if no table has it. */
const Distance = z.int().nullable();

/** Shape of the position asked about, and of the position after a move: seen by the side to move there. */
const LichessPosition = z.object({
  category: z.enum(categories).describe('The outcome under the 50-move rule, for the side to move'),
  dtz: Distance.describe(
    'Plies to a zeroing move or mate, under the 50-move rule; -1 in a position that is mated. Never rounded here',
  ),
  precise_dtz: Distance.describe('The same as `dtz`'),
  dtc: Distance.describe('Plies to mate, a capture or a promotion; null also in a position that is mated'),
  dtm: Distance.describe('Plies to mate; null also in a position that is mated'),
  dtm50: Distance.describe(
    'Plies to mate under the 50-move rule, with the half-move clock of the position; null also in a position that is mated',
  ),
  dtw: Distance.describe('Of variants: always null'),
  checkmate: z.boolean().describe('The side to move is mated'),
  stalemate: z.boolean().describe('The side to move has no move, and is not in check'),
  variant_win: z.boolean().describe('Of variants: always false'),
  variant_loss: z.boolean().describe('Of variants: always false'),
  insufficient_material: z.boolean().describe('No moves lead to a mate, for want of men'),
});
export type LichessPosition = z.infer<typeof LichessPosition>;

const notation = {
  uci: z.string().describe('Squares, as in UCI'),
  san: z.string().describe('Standard algebraic notation'),
};

export const LichessMove = LichessPosition.extend({
  ...notation,
  zeroing: z.boolean().describe('A capture or a move of a pawn'),
  conversion: z.boolean().describe('A capture or a promotion'),
}).openapi('LichessMove');
export type LichessMove = z.infer<typeof LichessMove>;

export const LichessAnswer = LichessPosition.extend({
  moves: z.array(LichessMove).describe('Best first'),
}).openapi('LichessAnswer');
export type LichessAnswer = z.infer<typeof LichessAnswer>;

const dtz = {
  dtz: z.int().describe('As in `/standard`'),
  precise_dtz: Distance.describe('The same as `dtz`'),
};

export const LichessMainLine = z
  .object({
    ...dtz,
    mainline: z
      .array(z.object({ ...notation, ...dtz }))
      .describe('Empty if the position is drawn. Ends where the 50-move rule draws the game'),
    winner: z.enum(['w', 'b']).nullable().describe('Who wins; null: the line is a draw'),
  })
  .openapi('LichessMainLine');
export type LichessMainLine = z.infer<typeof LichessMainLine>;
