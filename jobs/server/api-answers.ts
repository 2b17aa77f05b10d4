/**
 * Answers of the API, for programs and for the page: JSON shapes, from which its OpenAPI document is made. The Lichess-shaped
 * answers are apart (lichess-shapes.ts).
 */
import { z } from '@hono/zod-openapi';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import { metrics } from '../../pipeline/game/value.js';
import { categories } from '../../pipeline/tables/probe/verdict.js';
import { PROBLEM_OUTCOMES } from '../ui/verdict.js';

const count = z.int().nonnegative();
export const Wdl = z.enum(['win', 'cursed win', 'draw', 'blessed loss', 'loss']);
export const Colour = z.enum(['white', 'black']);
/** Plies to the end that the metric counts to; null for draws, and under `wdl`. */
const Plies = count.nullable();
/** False: there may be one ply more, for Syzygy's files may give plies in pairs. */
const Precise = z.boolean();
/** As in answers of `/standard`: what the 50-move rule makes of the value, with the half-move clock of the position. */
const Category = z.enum(categories);

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

/** Of shortest solutions, under `self` and its like of best moves; 255 stands for more, too. Metrics without numbers leave it out. */
const Solutions = z.int().min(0).max(255).optional();
/**
 * Of problems, in which nobody wins: whether there is a solution. There `wdl` and `category` say which side is mated or stalemated at the
 * goal: a loss for it. Metrics of games leave it out.
 */
const Outcome = z.enum(PROBLEM_OUTCOMES).optional();

/** A position that was asked for by what is known of it. */
export const SelectedAnswer = z.object({
  position: z.string(),
  /** To move. */
  side: Colour,
  wdl: Wdl,
  plies: Plies,
  outcome: Outcome,
  solutions: Solutions,
  /** Where mutual zugzwangs were asked for; `passed` is the value with the other side to move, for that side. */
  zugzwang: z
    .object({ kind: z.enum(zugzwangKinds), passed: z.object({ wdl: Wdl, plies: Plies }) })
    .nullable(),
});
export type SelectedAnswer = z.infer<typeof SelectedAnswer>;

export const PositionsAnswer = z
  .object({
    game: z.string(),
    metric: z.enum(metrics),
    ending: z.string(),
    /** Positions that were passed over. */
    skip: count,
    /** Each once up to the symmetries of the board, in the order of the index. */
    positions: z.array(SelectedAnswer),
    /** Whether there are others after them. */
    more: z.boolean(),
  })
  .openapi('PositionsAnswer');
export type PositionsAnswer = z.infer<typeof PositionsAnswer>;

export const MoveAnswer = z
  .object({
    uci: z.string(),
    san: z.string(),
    /** The position after it. */
    position: z.string(),
    /** Value for the side that moves; plies from the position before it. */
    wdl: Wdl,
    plies: Plies,
    precise: Precise,
    category: Category,
    outcome: Outcome,
    solutions: Solutions,
    /** Leaves the ending (a capture, a promotion). */
    conversion: z.boolean(),
  })
  .openapi('MoveAnswer');
export type MoveAnswer = z.infer<typeof MoveAnswer>;

export const PositionAnswer = z
  .object({
    game: z.string(),
    metric: z.enum(metrics),
    /** As the game writes it. */
    position: z.string(),
    /** The slice that holds it. */
    slice: z.string(),
    mover: Colour,
    /** 'lost': mated, or without a move where that loses; 'drawn': stalemate. */
    terminal: z.enum(['open', 'lost', 'drawn']),
    /** For the side to move. */
    wdl: Wdl,
    plies: Plies,
    precise: Precise,
    category: Category,
    outcome: Outcome,
    solutions: Solutions,
    /** A picture in text. */
    diagram: z.string(),
    /** Best first. */
    moves: z.array(MoveAnswer),
    /** Values by every metric that there is one of; in answers to requests that name no metric. */
    metrics: z
      .partialRecord(
        z.enum(metrics),
        z.object({ wdl: Wdl, plies: Plies, precise: Precise, category: Category, outcome: Outcome }),
      )
      .optional(),
  })
  .openapi('PositionAnswer');
export type PositionAnswer = z.infer<typeof PositionAnswer>;

/** The solutions of a problem. */
export const SolutionsAnswer = z
  .object({
    position: PositionAnswer,
    /** Lines to the goal. */
    lines: z.array(z.array(MoveAnswer)),
    /** Whether there are others. */
    more: z.boolean(),
  })
  .openapi('SolutionsAnswer');
export type SolutionsAnswer = z.infer<typeof SolutionsAnswer>;

export const MainLineAnswer = z
  .object({
    position: PositionAnswer,
    moves: z.array(MoveAnswer),
    /** Plies after which the 50-move rule draws the game, though the line goes on; null if it does not. */
    ruleDrawsAt: count.nullable(),
  })
  .openapi('MainLineAnswer');
export type MainLineAnswer = z.infer<typeof MainLineAnswer>;

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

const rootedValue = {
  /** With `most`: the worst case for the player. */
  outcome: Wdl,
  plies: Plies,
  /** What is known in words, "at least a draw", where unknown positions can be reached and leave the value open. */
  known: z.string().optional(),
  /** The best case for the player, where the value is open. */
  most: z.object({ outcome: Wdl, plies: Plies }).optional(),
  /** Letters of the pieces that pawns become, if the value is that of a game with fewer promotions. */
  promotions: z.string().optional(),
  precise: Precise.optional(),
  category: Category.optional(),
};

export const RootedMove = z
  .object({ move: z.string(), uci: z.string(), san: z.string(), ...rootedValue })
  .openapi('RootedMove');
export type RootedMove = z.infer<typeof RootedMove>;

const rootedPosition = {
  metric: z.enum(metrics),
  position: z.string(),
  fen: z.string(),
  mover: Colour,
  over: z.boolean(),
  /** Of the worst case. Null: nobody. */
  winner: Colour.nullable(),
  ...rootedValue,
  /** Best first, by the worst case. */
  moves: z.array(RootedMove),
};

const RootedPosition = z.object(rootedPosition).openapi('RootedPosition');

/** A position of chess that only the tables of a root have, as `probe --json` answers. */
export const RootedAnswer = z
  .object({
    game: z.string(),
    ...rootedPosition,
    /** The answer by every metric, if there are several, in answers to requests that name no metric. */
    metrics: z.partialRecord(z.enum(metrics), RootedPosition).optional(),
  })
  .openapi('RootedAnswer');
export type RootedAnswer = z.infer<typeof RootedAnswer>;

/** Best play from a position that only the tables of a root have, as `probe --line --json` answers. */
export const RootedLineAnswer = z
  .object({
    game: z.string(),
    fen: z.string(),
    metric: z.enum(metrics),
    plies: Plies,
    line: z.array(z.string()),
    uci: z.array(z.string()),
    /** Numbers of the moves after which other men are left, and of those after which the metric counts anew. */
    conversions: z.array(count),
    restarts: z.array(count),
    outcome: Wdl,
    precise: Precise.optional(),
    category: Category.optional(),
    ruleDrawsAt: count.nullable(),
    result: z.string(),
    /** What is known of the value where `plies` and `outcome` bound it, and the pieces that pawns become where others are forbidden. */
    known: z.string().optional(),
    promotions: z.string().optional(),
  })
  .openapi('RootedLineAnswer');
export type RootedLineAnswer = z.infer<typeof RootedLineAnswer>;

/** An error, in one line. In batches with the status that the position would be answered with alone. */
export const ErrorAnswer = z.object({ error: z.string(), status: z.int().optional() }).openapi('ErrorAnswer');
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;

/** The key of a position; of a node its name. Integers that JSON's numbers cannot hold, as keys are, are text of digits. */
const Id = z.union([z.string(), z.number()]);

const keyedValue = {
  outcome: Wdl,
  /** Until the end of the game, in a graph the edges to follow. */
  plies: Plies,
  /** Points by which the side wins, negative if it loses; under `score` alone. */
  score: z.int().optional(),
};

/** A position of a keyed game, or a node of a graph, with all its moves, best first. Values are for the player to move, also those of moves. */
export const KeyedAnswer = z
  .object({
    game: z.string(),
    metric: z.enum(metrics),
    position: z.string(),
    id: Id,
    /** The name of the player to move, or who would if the game were not over. */
    mover: z.string(),
    over: z.boolean(),
    /** Null: nobody. */
    winner: z.string().nullable(),
    ...keyedValue,
    /** With the position that each leads to. */
    moves: z.array(z.object({ move: z.string(), position: z.string(), ...keyedValue })),
  })
  .openapi('KeyedAnswer');
export type KeyedAnswer = z.infer<typeof KeyedAnswer>;

/** Best play in a keyed game or a graph. */
export const KeyedLineAnswer = z
  .object({
    game: z.string(),
    metric: z.enum(metrics),
    position: z.string(),
    id: Id,
    mover: z.string(),
    winner: z.string().nullable(),
    ...keyedValue,
    /** Empty if the position is drawn or over. */
    line: z.array(z.object({ move: z.string(), mover: z.string(), position: z.string() })),
  })
  .openapi('KeyedLineAnswer');
export type KeyedLineAnswer = z.infer<typeof KeyedLineAnswer>;
