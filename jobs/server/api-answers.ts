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

const bySide = <T extends z.ZodType>(of: T) => z.tuple([of, of]);

const ending = {
  ending: z.string(),
  slices: z.array(z.string()),
  pieces: count,
  /** Legal positions, of both sides to move, symmetric ones counted once. */
  positions: count,
  verified: z.boolean(),
};

export const PlayedEnding = z
  .object({
    ...ending,
    /** By side: how many positions with it to move are won, drawn, lost for it. */
    wins: bySide(count),
    draws: bySide(count),
    losses: bySide(count),
    /** Wins and losses that the 50-move rule makes draws: `dtz` alone has them. They are among no others. */
    cursedWins: bySide(count),
    blessedLosses: bySide(count),
    /** Plies of the longest win of each side; null if it never wins, or under `wdl`. */
    longestWin: bySide(Plies),
    longestCursedWin: bySide(Plies),
  })
  .openapi('PlayedEnding');
export type PlayedEnding = z.infer<typeof PlayedEnding>;

/** Under metrics of problems. */
export const ProblemEnding = z
  .object({
    ...ending,
    /** By side: how many positions with it to move have a solution. */
    solvable: bySide(count),
    unsolvable: bySide(count),
    /** Plies of the longest problem with each side to move; null if there is none. */
    longest: bySide(Plies),
  })
  .openapi('ProblemEnding');
export type ProblemEnding = z.infer<typeof ProblemEnding>;

export const EndingAnswer = z.union([PlayedEnding, ProblemEnding]).openapi('EndingAnswer');
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

const PlayedSide = z.object({
  wins: ByPlies,
  losses: ByPlies,
  /** Under `dtz` alone there are any. */
  cursedWins: ByPlies,
  blessedLosses: ByPlies,
  draws: count,
});
export type PlayedSide = z.infer<typeof PlayedSide>;

const positions = bySide(z.string().nullable());

/** How many positions of an ending are won, and lost, in how many plies; by side to move. */
export const PlayedHistogram = z
  .object({
    ending: z.string(),
    sides: bySide(PlayedSide),
    /** A position of each side with the longest win; null if it never wins. */
    longest: positions,
    longestCursed: positions,
  })
  .openapi('PlayedHistogram');
export type PlayedHistogram = z.infer<typeof PlayedHistogram>;

const ProblemSide = z.object({ solvable: ByPlies, unsolvable: count });
export type ProblemSide = z.infer<typeof ProblemSide>;

/** How many positions of an ending have a solution in how many plies; by side to move. */
export const ProblemHistogram = z
  .object({
    ending: z.string(),
    sides: bySide(ProblemSide),
    /** A position with the longest problem of each side; null if there is none. */
    longest: positions,
  })
  .openapi('ProblemHistogram');
export type ProblemHistogram = z.infer<typeof ProblemHistogram>;

export const HistogramAnswer = z.union([PlayedHistogram, ProblemHistogram]).openapi('HistogramAnswer');
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
