/**
 * Stipulations: what a table holds, one row for each metric. In chess problems this is what the sides are to reach ("mate in 3", "helpmate in 2");
 * the row adds how plies are counted and what else a value has. All code reads these fields. None compares the name of a metric, so a new
 * kind of table is a new row. This file imports nothing: the page reads it as well as the engine.
 */

/** What a side does about the goal: reaches it as soon as it can, puts it off as long as it can, or reaches it together with the other. */
export type Role = 'seek' | 'avoid' | 'help';

export interface Stipulation {
  /** `end`: whatever ends the game, by its own rules. */
  readonly goal: 'mate' | 'stalemate' | 'end';
  /** The side that is mated or stalemated at the goal. `either`: each side plays to bring the other there. */
  readonly goalOf: 'either' | 'first' | 'second';
  /** By the sides of the ending's name. Where the goal is of either side, both seek that of the other, and avoid their own. */
  readonly roles: { readonly first: Role; readonly second: Role };
  /** Whether plies are counted. If not, a value is a win, a draw or a loss. */
  readonly plies: boolean;
  /** The moves at which the count of plies ends and starts again. The game decides which moves these are: `Dependency.restarts`. */
  readonly restartsAt: 'conversion' | 'zeroing move' | null;
  /**
   * What the 50-move rule does to values. `cursed`: more plies than `RULE_PLIES` are a win or a loss that the rule makes a draw.
   * `clocked`: there is a value for each half-move clock, so slices are solved and verified as a whole, by one partition.
   */
  readonly rule50: 'ignored' | 'cursed' | 'clocked';
  /** Whether the most points are sought first, then the fewest plies. Plies go on from score to score, as `turned` of the manifest says. */
  readonly scores: boolean;
  /** Whether a second column has numbers: of shortest solutions, or of best moves (labelling.ts). */
  readonly numbers: boolean;
  /** The law of `analysis/forecast/work.ts` by which rounds are forecast. */
  readonly roundsLaw: 'counting' | 'restarting' | 'helping';
}

/** Both sides play to win, without the 50-move rule. */
const DIRECT = {
  goal: 'end',
  goalOf: 'either',
  roles: { first: 'seek', second: 'seek' },
  plies: true,
  restartsAt: null,
  rule50: 'ignored',
  scores: false,
  numbers: false,
  roundsLaw: 'restarting',
} as const satisfies Stipulation;

/** Both sides work together to have the second mated. */
const HELPED = {
  ...DIRECT,
  goal: 'mate',
  goalOf: 'second',
  roles: { first: 'help', second: 'help' },
  numbers: true,
  roundsLaw: 'helping',
} as const satisfies Stipulation;

/** The first side forces the second to mate it. */
const SELF = {
  ...HELPED,
  goalOf: 'first',
  roles: { first: 'seek', second: 'avoid' },
  roundsLaw: 'counting',
} as const satisfies Stipulation;

const rows = {
  wdl: { ...DIRECT, plies: false, roundsLaw: 'counting' },
  dtm: { ...DIRECT, goal: 'mate', roundsLaw: 'counting' },
  dtc: { ...DIRECT, restartsAt: 'conversion' },
  dtz: { ...DIRECT, goal: 'mate', restartsAt: 'zeroing move', rule50: 'cursed' },
  dtw: DIRECT,
  dtm50: { ...DIRECT, goal: 'mate', rule50: 'clocked' },
  score: { ...DIRECT, scores: true },
  help: HELPED,
  'help-stalemate': { ...HELPED, goal: 'stalemate' },
  self: SELF,
  'self-stalemate': { ...SELF, goal: 'stalemate' },
} as const satisfies Readonly<Record<string, Stipulation>>;

/** The plies that a table counts: docs/chess.md, "What a value is". `score` is for keyed games alone: pipeline/graph/outcomes.ts. */
export type Metric = keyof typeof rows;

export const stipulations: Readonly<Record<Metric, Stipulation>> = rows;

/** All metrics, in the order of messages and descriptions. */
export const metrics = Object.keys(rows) as [Metric, ...Metric[]] as readonly [Metric, ...Metric[]];

/** The metric of published files of endings where both sides play to win, and that of Syzygy's files: these formats hold no other. */
export const PUBLISHED_METRIC: Metric = 'wdl';
export const SYZYGY_METRIC: Metric = 'dtz';

/** The metric under which published files of tables answer: their own if a position has a number, else {@link PUBLISHED_METRIC}. */
export function publishedAs(metric: Metric): Metric {
  return rows[metric].numbers ? metric : PUBLISHED_METRIC;
}

/** The metrics that publications can have, in the order of `metrics`. */
export const publishedMetrics: readonly Metric[] = metrics.filter((metric) => publishedAs(metric) === metric);

/** Whether each side mates the other, and plies are counted to the mate itself: a win takes an odd number of them, a loss an even one. */
export function isDirectMate(metric: Metric): boolean {
  const { goal, goalOf, restartsAt } = stipulations[metric];
  return goal === 'mate' && goalOf === 'either' && restartsAt === null;
}
