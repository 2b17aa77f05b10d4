/**
 * How the rounds label positions under a metric, derived from its stipulation: which flows there are, and whether one move labels a position
 * or only all of its moves together.
 */
import { UserError } from '../../operators/core/errors.js';
import { FLOWS, Kind, kindOf, opponent, sideOf } from './events.js';
import type { Side } from './side.js';
import { type Metric, type Role, stipulations } from './stipulation.js';
import type { Strategy } from './strategy.js';

/** `any`: the first move that a round finds labels the position. `all`: a count of its moves goes down, and the last one labels it. */
export type LabelledBy = 'any' | 'all';

/**
 * What a number counts. `solutions`: the shortest lines to the goal, so a position has the sum of the numbers behind its best moves. `moves`: the
 * best moves of the position. Numbers stay at {@link MOST_NUMBER} once they get there.
 */
export type Numbering = 'solutions' | 'moves';

/** Stands for this number or more. */
export const MOST_NUMBER = 255;

export interface Labelling {
  /** By flow (events.ts); null of a flow that has no positions. */
  readonly by: readonly (LabelledBy | null)[];
  /** By side: whether its positions have counts of moves, because some of them are labelled by `all`. */
  readonly counts: readonly [boolean, boolean];
  /** Null if positions have no numbers. */
  readonly numbering: Numbering | null;
  /** The side that is mated or stalemated at the goal; null if either may be. */
  readonly goalOf: Side | null;
}

const known = new Map<Metric, Labelling>();

export function labellingOf(metric: Metric): Labelling {
  let labelling = known.get(metric);
  if (labelling === undefined) known.set(metric, (labelling = newLabelling(metric)));
  return labelling;
}

/** What a side does about the goal. */
export function roleOf(metric: Metric, side: Side): Role {
  const { first, second } = stipulations[metric].roles;
  return side === 0 ? first : second;
}

function newLabelling(metric: Metric): Labelling {
  const { goalOf, numbers } = stipulations[metric];
  const goal = goalOf === 'either' ? null : goalOf === 'first' ? 0 : 1;
  const by = FLOWS.map((flow) => {
    const side = sideOf(flow);
    const isLoss = kindOf(flow) === Kind.loss;
    if (goal === null) return isLoss ? 'all' : 'any';
    // A position is lost for the side that has to be mated, whether or not it wants to be.
    if (isLoss !== (side === goal)) return null;
    return roleOf(metric, side) === 'avoid' ? 'all' : 'any';
  });
  const counts = ([0, 1] as const).map((side) =>
    FLOWS.some((flow) => sideOf(flow) === side && by[flow] === 'all'),
  ) as [boolean, boolean];
  const isHelped = roleOf(metric, 0) === 'help' && roleOf(metric, 1) === 'help';
  return { by, counts, numbering: !numbers ? null : isHelped ? 'solutions' : 'moves', goalOf: goal };
}

/** The labelling where no metric is given: both sides play to win. */
export const DIRECT_LABELLING = labellingOf('dtm');

/**
 * What positions without a table are taken to be worth. Where both sides play to win, `hi`: the first side wins, `lo`: the second wins. Where the
 * goal is one side's, `hi`: it is reached, `lo`: it is not. Goals are reached in the fewest plies that are possible. `no`: the side that has
 * moved there is worst off, so that it need not make the move.
 */
export type Assumption = 'hi' | 'lo' | 'no';

const DIRECT_ASSUMED = { hi: [1, -1], lo: [-1, 1], no: [1, 1] } as const;

/** The codes (value.ts) of an assumption, by the side to move. */
export function assumedCodes(metric: Metric, assumption: Assumption): readonly [number, number] {
  const { goalOf } = labellingOf(metric);
  if (goalOf === null) return DIRECT_ASSUMED[assumption];
  const code = (side: Side) => {
    const isReached = assumption === 'no' ? roleOf(metric, opponent(side)) === 'avoid' : assumption === 'hi';
    return !isReached ? 0 : side === goalOf ? -1 : 1;
  };
  return [code(0), code(1)];
}

/** @throws UserError for a metric that the strategy cannot solve. */
export function requireStrategy(metric: Metric, strategy: Strategy): void {
  if (strategy === 'count' || labellingOf(metric).goalOf === null) return;
  throw new UserError(
    `--propagate ${strategy} cannot be combined with --metric ${metric}: numbers of solutions are added up from the requests, which it does not write`,
  );
}

/** Whether a position without moves is at the goal. @param side to move. @param isMated whether it is in check, so mated; else stalemate. */
export function isGoal(metric: Metric, side: Side, isMated: boolean): boolean {
  const { goal, goalOf } = stipulations[metric];
  if (goalOf === 'either') return isMated;
  return (goalOf === 'first' ? 0 : 1) === side && isMated === (goal === 'mate');
}

/** The number of a position without moves, or of one from which the goal is never reached; null where there are no numbers. */
export function numberAtEnd(metric: Metric, isGoal: boolean): number | null {
  if (labellingOf(metric).numbering === null) return null;
  return isGoal ? 1 : 0;
}
