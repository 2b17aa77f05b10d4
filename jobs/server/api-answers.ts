/**
 * Answers of the API, for programs and for the page: JSON shapes, from which its OpenAPI document is made. Those of positions are apart
 * (jobs/positions/shapes.ts), and so are the Lichess-shaped ones (lichess-shapes.ts).
 */
import { z } from '@hono/zod-openapi';
import { metrics } from '../../pipeline/game/value.js';
import { count, Plies } from '../positions/shapes.js';

export const Colour = z.enum(['white', 'black']);

/** A game that there are values of. */
export const GameAnswer = z
  .object({
    name: z.string(),
    /** Metrics of its values; the one that is used unless another is asked for comes first. */
    metrics: z.array(z.enum(metrics)),
    /** The colours of side 0 and side 1. */
    colours: z.tuple([Colour, Colour]),
    /** A position to begin with: one of an ending that is there. */
    example: z.string(),
  })
  .openapi('GameAnswer');
export type GameAnswer = z.infer<typeof GameAnswer>;

export const EndingAnswer = z
  .object({
    ending: z.string(),
    slices: z.array(z.string()),
    pieces: count,
    /** Legal positions, of both sides to move, symmetric ones counted once. */
    positions: count,
    /** By side: how many positions with it to move are won, drawn, lost for it. Of problems wins or losses have a solution, and draws none. */
    wins: z.tuple([count, count]),
    draws: z.tuple([count, count]),
    losses: z.tuple([count, count]),
    /** Wins and losses that the 50-move rule makes draws: `dtz` alone has them. They are among no others. */
    cursedWins: z.tuple([count, count]),
    blessedLosses: z.tuple([count, count]),
    /** Plies of the longest win of each side; null if it never wins, or under `wdl`. Of problems the most plies with it to move. */
    longestWin: z.tuple([Plies, Plies]),
    longestCursedWin: z.tuple([Plies, Plies]),
    verified: z.boolean(),
  })
  .openapi('EndingAnswer');
export type EndingAnswer = z.infer<typeof EndingAnswer>;

/** An ending of chess that Syzygy's files have. */
export const FiledAnswer = z
  .object({
    ending: z.string(),
    pieces: count,
    /** A position of it, to begin with. */
    example: z.string(),
  })
  .openapi('FiledAnswer');
export type FiledAnswer = z.infer<typeof FiledAnswer>;

/** A root: a position of chess with tables of what can be reached from it. */
export const RootAnswer = z
  .object({
    root: z.string(),
    /** The position that it was solved from. */
    position: z.string(),
    pieces: count,
    /** Metrics that it is solved for. */
    metrics: z.array(z.enum(metrics)),
    /** Solving stopped at positions with this many men or fewer; null: at none. */
    stopAt: count.nullable(),
    /** Solving stopped at positions with more pieces than this, kings and pawns not counted; null: at none. */
    mostPieces: count.nullable(),
    /** Letters of the pieces that pawns become: of the rules of chess, QRBN. */
    promotions: z.string(),
  })
  .openapi('RootAnswer');
export type RootAnswer = z.infer<typeof RootAnswer>;

/** What a solve from one position would take. */
export const PlanAnswer = z
  .object({
    root: z.string(),
    /** Everything that can be reached is solved. */
    isWhole: z.boolean(),
    /** The command that solves it. */
    command: z.string(),
    metric: z.enum(metrics),
    /** Slices that are not solved yet. */
    slices: count,
    /** Null where the forecast would take too long. */
    cpuSeconds: z.number().nullable(),
    /** Taken at most while it is solved. */
    bytes: count.nullable(),
    /** The three in words: "407 slices, 15 CPU seconds, 180.1 MiB". */
    forecast: z.string().nullable(),
    /** Endings at which solving would stop and of which there are no tables: with them, more would be known. */
    unknown: z.array(z.string()),
  })
  .openapi('PlanAnswer');
export type PlanAnswer = z.infer<typeof PlanAnswer>;

const ByPlies = z.array(z.tuple([count, count]));

const SideHistogram = z.object({
  wins: ByPlies,
  losses: ByPlies,
  /** Under `dtz` alone there are any. */
  cursedWins: ByPlies,
  blessedLosses: ByPlies,
  draws: count,
});

/** How many positions of an ending are won, and lost, in how many plies; by side to move. */
export const HistogramAnswer = z
  .object({
    ending: z.string(),
    sides: z.tuple([SideHistogram, SideHistogram]),
    /** A position of each side with the longest win, or longest problem; null if it never wins, or has none. */
    longest: z.tuple([z.string().nullable(), z.string().nullable()]),
    longestCursed: z.tuple([z.string().nullable(), z.string().nullable()]),
  })
  .openapi('HistogramAnswer');
export type HistogramAnswer = z.infer<typeof HistogramAnswer>;

/** A graph that was imported, or a keyed game whose positions were reached. */
export const GraphAnswer = z
  .object({
    graph: z.string(),
    players: z.tuple([z.string(), z.string()]),
    nodes: count,
    edges: count,
    /** Metrics of its tables in the store; the first is used unless another is asked for. */
    metrics: z.array(z.enum(metrics)),
  })
  .openapi('GraphAnswer');
export type GraphAnswer = z.infer<typeof GraphAnswer>;
