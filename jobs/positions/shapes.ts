/**
 * The shapes of a position with its value, of a line, of a row and of an error, wherever they are answered: by `probe --json`, over HTTP, on static
 * sites and on the page.
 * The OpenAPI document is made from these schemas. Code in browsers imports their types only.
 */
import { z } from '@hono/zod-openapi';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import { metrics } from '../../pipeline/game/value.js';
import { categories } from '../../pipeline/tables/probe/verdict.js';
import { PROBLEM_OUTCOMES } from '../ui/verdict.js';

export const count = z.int().nonnegative();
export const MetricName = z.enum(metrics).describe('What the values count');
export const Wdl = z.enum(['win', 'cursed win', 'draw', 'blessed loss', 'loss']);
export const Plies = count
  .nullable()
  .describe(
    'Moves of one side until the end that the metric counts to; null for draws, and under metrics without distances',
  );
const Outcome = z
  .enum([...Wdl.options, ...PROBLEM_OUTCOMES])
  .describe(
    'For the player to move, or who makes the move. A "cursed win" is a win that the 50-move rule makes a draw, a "blessed loss" a loss. Problems are solved, or have no solution',
  );
export const Solutions = count
  .max(255)
  .describe('Of problems: the number of shortest solutions or best moves; 255 stands for more, too');

const value = {
  outcome: Outcome,
  plies: Plies,
  solutions: Solutions.optional(),
  known: z
    .string()
    .optional()
    .describe(
      'What is known in words, such as "at least a draw", where positions without a table leave the value open',
    ),
  most: z
    .object({ outcome: Outcome, plies: Plies })
    .optional()
    .describe('The best case for the player, where the value is open: `outcome` and `plies` are the worst'),
  promotions: z
    .string()
    .optional()
    .describe(
      'Letters of the pieces that pawns become, if the value is that of a game with fewer promotions',
    ),
  score: z
    .int()
    .optional()
    .describe('Points by which the player wins, negative if they lose; under the metric score'),
  precise: z
    .boolean()
    .optional()
    .describe('False: there may be one ply more, because Syzygy files may store plies in pairs'),
  category: z
    .enum(categories)
    .optional()
    .describe(
      'What the 50-move rule makes of the value, with the half-move clock of the position, by the names of `/standard`',
    ),
};

/** A value of a position or of a move. */
export const ValueAnswer = z.object(value).openapi('ValueAnswer');
export type ValueAnswer = z.infer<typeof ValueAnswer>;

const GameName = z.string().describe('The name of the game or graph');
const notation = {
  move: z.string().describe('As the game writes it'),
  uci: z.string().optional().describe('In games with two notations: squares, as in UCI'),
  san: z.string().optional().describe('In games with two notations: the one for people'),
  position: z.string().describe('The position that it leads to'),
  conversion: z
    .boolean()
    .optional()
    .describe(
      'Whether it leaves the slice, by a capture, a promotion or a move of a pawn; in games with endings',
    ),
};

/** A move with its value for the player who makes it; plies are counted from the position before it. */
export const MoveAnswer = z
  .object({
    ...notation,
    ...value,
  })
  .openapi('MoveAnswer');
export type MoveAnswer = z.infer<typeof MoveAnswer>;

const position = {
  metric: MetricName,
  position: z.string().describe('As the game writes it'),
  slice: z
    .string()
    .optional()
    .describe(
      'The slice that has the position, of an ending or of a solve from one position, in the colours of the position; in games with endings',
    ),
  root: z
    .string()
    .optional()
    .describe('The name of the solve from one position whose tables have the position'),
  id: z
    .union([z.string(), z.number()])
    .optional()
    .describe(
      'The key of a position of a keyed game; of a node its name. Integers that numbers of JSON cannot hold, as keys are, are text of digits',
    ),
  mover: z.string().describe('The name of the player to move, or who would be if the game were not over'),
  over: z.boolean().describe('Whether the game is over: then there are no moves'),
  winner: z
    .string()
    .nullable()
    .describe('The name of the player who wins, in the worst case for the mover; null: nobody'),
  ...value,
  setPlay: ValueAnswer.optional().describe(
    'Of problems: the value with the other side to move, if that has a solution',
  ),
};

/** A position under one metric. */
export const MetricAnswer = z
  .object({
    ...position,
    leftOut: z
      .array(z.string())
      .optional()
      .describe('Moves without a value, because the options of a solve from one position forbid them'),
    moves: z.array(MoveAnswer).describe('All moves, best first'),
  })
  .openapi('MetricAnswer');
export type MetricAnswer = z.infer<typeof MetricAnswer>;

/** A move of a line. */
export const LineMove = z
  .object({
    ...notation,
    mover: z.string().describe('The name of the player who makes it'),
    restarts: z
      .boolean()
      .optional()
      .describe('Whether the metric counts anew after it; in games with endings'),
  })
  .openapi('LineMove');
export type LineMove = z.infer<typeof LineMove>;

/** Best play from a position under one metric, as `probe --line --json` prints it. */
const MetricLine = z.object({
  ...position,
  line: z.array(LineMove).describe('Best play by both sides; empty if the position is drawn or over'),
  ruleDrawsAt: count
    .nullable()
    .optional()
    .describe(
      'Plies after which the 50-move rule draws the game, though the line goes on; null if it does not',
    ),
  result: z
    .string()
    .optional()
    .describe('Of the game: "1-0", "0-1", "1/2-1/2", or "*" where the 50-move rule leaves it open'),
  goesOn: z.string().optional().describe('Where the rest of the line is, if it ends before the game does'),
});
export type MetricLine = z.infer<typeof MetricLine>;
export const LineAnswer = MetricLine.extend({ game: GameName }).openapi('LineAnswer');
export type LineAnswer = z.infer<typeof LineAnswer>;

/** The solutions of a problem under one metric, as `probe --line --json` prints them. */
const MetricSolutions = z.object({
  ...position,
  lines: z.array(z.array(LineMove)).describe('Lines to the goal'),
  more: z.boolean().describe('Whether there are others'),
});
export type MetricSolutions = z.infer<typeof MetricSolutions>;
export const SolutionsAnswer = MetricSolutions.extend({ game: GameName }).openapi('SolutionsAnswer');
export type SolutionsAnswer = z.infer<typeof SolutionsAnswer>;

/** What `probe --line --json` prints: under the first metric, and under each if there are several. */
export type ProbedLine = (MetricLine | MetricSolutions) & {
  readonly metrics?: Readonly<Record<string, MetricLine | MetricSolutions>>;
};

/** What `probe --json` prints of a position. */
const ProbedAnswer = MetricAnswer.extend({
  metrics: z
    .partialRecord(z.enum(metrics), MetricAnswer)
    .optional()
    .describe('The answer under each metric, if no metric is asked for and there are several'),
});
export type ProbedAnswer = z.infer<typeof ProbedAnswer>;

/** The same from a server or a site. */
export const PositionAnswer = ProbedAnswer.extend({
  game: GameName,
  diagram: z.string().describe('A picture in text'),
}).openapi('PositionAnswer');
export type PositionAnswer = z.infer<typeof PositionAnswer>;

/** A position of an ending as a row: what `export` writes by default, and what is known of zugzwangs where these were asked for. */
export const PositionRow = z
  .object({
    slice: z.string().describe('The slice that has the position, in the colours of the position'),
    position: z.string().describe('As the game writes it'),
    mover: z.string().describe('The name of the player to move'),
    outcome: Outcome,
    plies: Plies,
    solutions: Solutions.optional(),
    zugzwang: z
      .enum(zugzwangKinds)
      .optional()
      .describe('The kind of mutual zugzwang, where these were asked for'),
    passed: Wdl.optional().describe('In zugzwangs: the outcome with the other side to move, for that side'),
    passed_plies: Plies.optional().describe('In zugzwangs: the plies with the other side to move'),
    weight: count.describe(
      'How many positions the row stands for: its images under the symmetries, each once',
    ),
  })
  .openapi('PositionRow');
export type PositionRow = z.infer<typeof PositionRow>;

export const ErrorAnswer = z
  .object({
    error: z.string().describe('What is wrong, in one line'),
    status: z
      .int()
      .optional()
      .describe('In batches: the status with which the position would be answered alone'),
  })
  .openapi('ErrorAnswer');
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;

export const PositionsAnswer = z
  .object({
    game: GameName,
    metric: MetricName,
    ending: z.string().describe('The name of the ending'),
    assumes: z
      .string()
      .optional()
      .describe('What the values take for granted beside the rules, such as "the unknown is won for White"'),
    skip: count.describe('Positions that were passed over'),
    positions: z
      .array(PositionRow)
      .describe('Each once up to the symmetries of the board, in the order of the index'),
    more: z.boolean().describe('Whether there are others after them'),
  })
  .openapi('PositionsAnswer');
export type PositionsAnswer = z.infer<typeof PositionsAnswer>;
