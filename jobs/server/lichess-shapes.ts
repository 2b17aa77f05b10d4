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
  category: z.enum(categories),
  /** Plies to a zeroing move or mate, under the 50-move rule; -1 in a position that is mated. Never rounded here. */
  dtz: Distance,
  precise_dtz: Distance,
  /** Plies to mate, a capture or a promotion; null also in a position that is mated. */
  dtc: Distance,
  /** Plies to mate; null also in a position that is mated. */
  dtm: Distance,
  /** Plies to mate under the 50-move rule, with the half-move clock of the position; null also in a position that is mated. */
  dtm50: Distance,
  dtw: Distance,
  checkmate: z.boolean(),
  stalemate: z.boolean(),
  variant_win: z.boolean(),
  variant_loss: z.boolean(),
  insufficient_material: z.boolean(),
});
export type LichessPosition = z.infer<typeof LichessPosition>;

export const LichessMove = LichessPosition.extend({
  uci: z.string(),
  san: z.string(),
  /** A capture or a move of a pawn. */
  zeroing: z.boolean(),
  /** A capture or a promotion. */
  conversion: z.boolean(),
}).openapi('LichessMove');
export type LichessMove = z.infer<typeof LichessMove>;

export const LichessAnswer = LichessPosition.extend({
  /** Best first. */
  moves: z.array(LichessMove),
}).openapi('LichessAnswer');
export type LichessAnswer = z.infer<typeof LichessAnswer>;

export const LichessMainLine = z
  .object({
    dtz: z.int(),
    precise_dtz: Distance,
    /** Empty if the position is drawn. Ends where the 50-move rule draws the game. */
    mainline: z.array(z.object({ uci: z.string(), san: z.string(), dtz: z.int(), precise_dtz: Distance })),
    winner: z.enum(['w', 'b']).nullable(),
  })
  .openapi('LichessMainLine');
export type LichessMainLine = z.infer<typeof LichessMainLine>;
