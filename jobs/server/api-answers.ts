/**
 * Answers of the API, for programs and for the page: JSON shapes, from which its OpenAPI document is made. Those of positions are apart
 * (jobs/positions/shapes.ts), and so are the Lichess-shaped ones (lichess-shapes.ts).
 */
import { z } from '@hono/zod-openapi';
import { metrics } from '../../pipeline/game/value.js';
import { count, MetricName, Plies } from '../positions/shapes.js';

export const Colour = z.enum(['white', 'black']);

const Ending = z.string().describe('The name of the ending, such as KQKR');
const Pieces = count.describe('Pieces of both sides, kings and pawns included');
const Root = z.string().describe('The name of the tables that a solve from one position makes');

/** A game that there are values of. */
export const GameAnswer = z
  .object({
    name: z.string().describe('By which requests name it'),
    metrics: z
      .array(z.enum(metrics))
      .describe('Metrics of its values; the one that is used unless another is asked for comes first'),
    colours: z.tuple([Colour, Colour]).describe('The colours of side 0 and side 1'),
    example: z.string().describe('A position to begin with: one of an ending that is there'),
  })
  .openapi('GameAnswer');
export type GameAnswer = z.infer<typeof GameAnswer>;

const bySide = <T extends z.ZodType>(of: T) => z.tuple([of, of]);

const ending = {
  ending: Ending,
  slices: z.array(z.string()).describe('The slices that are solved: tables of it'),
  pieces: Pieces,
  positions: count.describe('Legal positions, of both sides to move, symmetric ones counted once'),
  verified: z.boolean().describe('Whether all values were derived again by forward moves'),
};

export const PlayedEnding = z
  .object({
    ...ending,
    wins: bySide(count).describe('By side: how many positions with it to move are won, drawn, lost for it'),
    draws: bySide(count).describe('As `wins`'),
    losses: bySide(count).describe('As `wins`'),
    cursedWins: bySide(count).describe(
      'Wins and losses that the 50-move rule makes draws: `dtz` alone has them. They are among no others',
    ),
    blessedLosses: bySide(count).describe('As `cursedWins`'),
    longestWin: bySide(Plies).describe(
      'Plies of the longest win of each side; null if it never wins, or under `wdl`',
    ),
    longestCursedWin: bySide(Plies).describe('As `longestWin`'),
  })
  .openapi('PlayedEnding');
export type PlayedEnding = z.infer<typeof PlayedEnding>;

/** Under metrics of problems. */
export const ProblemEnding = z
  .object({
    ...ending,
    solvable: bySide(count).describe('By side: how many positions with it to move have a solution'),
    unsolvable: bySide(count).describe('As `solvable`'),
    longest: bySide(Plies).describe(
      'Plies of the longest problem with each side to move; null if there is none',
    ),
  })
  .openapi('ProblemEnding');
export type ProblemEnding = z.infer<typeof ProblemEnding>;

export const EndingAnswer = z.union([PlayedEnding, ProblemEnding]).openapi('EndingAnswer');
export type EndingAnswer = z.infer<typeof EndingAnswer>;

/** An ending of chess that Syzygy's files have. */
export const FiledAnswer = z
  .object({
    ending: Ending,
    pieces: Pieces,
    example: z.string().describe('A position of it, to begin with'),
  })
  .openapi('FiledAnswer');
export type FiledAnswer = z.infer<typeof FiledAnswer>;

/** A root: a position of chess with tables of what can be reached from it. */
export const RootAnswer = z
  .object({
    root: Root,
    position: z.string().describe('The position that it was solved from'),
    pieces: Pieces,
    metrics: z.array(z.enum(metrics)).describe('Metrics that it is solved for'),
    stopAt: count
      .nullable()
      .describe('Solving stopped at positions with this many men or fewer; null: at none'),
    mostPieces: count
      .nullable()
      .describe(
        'Solving stopped at positions with more pieces than this, kings and pawns not counted; null: at none',
      ),
    promotions: z.string().describe('Letters of the pieces that pawns become: of the rules of chess, QRBN'),
  })
  .openapi('RootAnswer');
export type RootAnswer = z.infer<typeof RootAnswer>;

/** What a solve from one position would take. */
export const PlanAnswer = z
  .object({
    root: Root,
    isWhole: z.boolean().describe('Everything that can be reached is solved'),
    command: z.string().describe('The command that solves it'),
    metric: MetricName,
    slices: count.describe('Slices that are not solved yet'),
    cpuSeconds: z.number().nullable().describe('Null where the forecast would take too long'),
    bytes: count.nullable().describe('Taken at most while it is solved'),
    forecast: z.string().nullable().describe('The three in words: "407 slices, 15 CPU seconds, 180.1 MiB"'),
    unknown: z
      .array(z.string())
      .describe(
        'Endings at which solving would stop and of which there are no tables: with them, more would be known',
      ),
  })
  .openapi('PlanAnswer');
export type PlanAnswer = z.infer<typeof PlanAnswer>;

const ByPlies = z
  .array(z.tuple([count, count]))
  .describe('Pairs of plies and the number of positions with them, plies ascending');

const PlayedSide = z.object({
  wins: ByPlies,
  losses: ByPlies,
  cursedWins: ByPlies.describe('Under `dtz` alone there are any'),
  blessedLosses: ByPlies,
  draws: count.describe('Positions that are drawn'),
});
export type PlayedSide = z.infer<typeof PlayedSide>;

const positions = bySide(z.string().nullable());

/** How many positions of an ending are won, and lost, in how many plies; by side to move. */
export const PlayedHistogram = z
  .object({
    ending: Ending,
    sides: bySide(PlayedSide).describe('By side to move'),
    longest: positions.describe('A position of each side with the longest win; null if it never wins'),
    longestCursed: positions.describe('As `longest`, of wins that the 50-move rule makes draws'),
  })
  .openapi('PlayedHistogram');
export type PlayedHistogram = z.infer<typeof PlayedHistogram>;

const ProblemSide = z.object({
  solvable: ByPlies,
  unsolvable: count.describe('Positions without a solution'),
});
export type ProblemSide = z.infer<typeof ProblemSide>;

/** How many positions of an ending have a solution in how many plies; by side to move. */
export const ProblemHistogram = z
  .object({
    ending: Ending,
    sides: bySide(ProblemSide).describe('By side to move'),
    longest: positions.describe('A position with the longest problem of each side; null if there is none'),
  })
  .openapi('ProblemHistogram');
export type ProblemHistogram = z.infer<typeof ProblemHistogram>;

export const HistogramAnswer = z.union([PlayedHistogram, ProblemHistogram]).openapi('HistogramAnswer');
export type HistogramAnswer = z.infer<typeof HistogramAnswer>;

/** A graph that was imported, or a keyed game whose positions were reached. */
export const GraphAnswer = z
  .object({
    graph: z.string().describe('By which requests name it'),
    players: z.tuple([z.string(), z.string()]).describe('Names of the players'),
    nodes: count.describe('Nodes, or positions that were reached'),
    edges: count.describe('Edges, or moves between positions'),
    metrics: z
      .array(z.enum(metrics))
      .describe('Metrics of its tables in the store; the first is used unless another is asked for'),
  })
  .openapi('GraphAnswer');
export type GraphAnswer = z.infer<typeof GraphAnswer>;
