/**
 * Checks a problem against the tables: whether it has the solutions that its author claims, more of them, a shorter one, or none.
 */
import { UserError } from '../../operators/core/errors.js';
import { MOST_NUMBER } from '../../pipeline/game/labelling.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import type { Study } from '../notation/read-game.js';
import type { ProblemTables } from '../solved/problem-tables.js';
import { type ProblemAim, readStipulation, solutionText, stipulationText } from '../ui/problem-notation.js';
import { problemText } from '../ui/verdict.js';
import { moverOf } from './position-text.js';

/**
 * `sound`: as many solutions as the author claims, one unless the stipulation says more. `cooked`: more of them. `fewer`: not as many. `short`: the
 * goal is reached sooner. `longer`: it is reached, but in more moves than the stipulation has. `none`: it is never reached. `unknown`: positions
 * without a table may change the answer.
 */
export type Soundness = 'sound' | 'cooked' | 'fewer' | 'short' | 'longer' | 'none' | 'unknown';

export interface CheckedProblem {
  readonly title: string;
  readonly fen: string;
  /** The stipulation of the author, and the one that the tables have; null if no solution is known. */
  readonly stipulation: string;
  readonly found: string | null;
  /** Where unknown positions can be reached and make a difference, what is known, in words. `found`, `number` and `solutions` are without these. */
  readonly known?: string;
  readonly metric: Metric;
  readonly verdict: Soundness;
  /** The number of solutions that were found; 255 means 255 or more. */
  readonly number: number;
  readonly claimed: number;
  /** The first of them, as composers write them. */
  readonly solutions: readonly string[];
  /** Whether there are others. */
  readonly more: boolean;
}

/** Most solutions that are listed. */
const LISTED = 12;

/** @throws UserError for a stipulation that no table answers, and if the wrong side is to move. */
export function aimOf(study: Pick<Study, 'fen'>, stipulation: string): ProblemAim {
  const aim = readStipulation(stipulation);
  const begins = aim.mover === 0 ? 'w' : 'b';
  if (moverOf(study.fen) === begins) return aim;
  const [first, other] = aim.mover === 0 ? ['White', 'Black'] : ['Black', 'White'];
  throw new UserError(`${stipulation} begins with ${first}, but ${other} is to move in the position`);
}

export async function checkProblem(
  study: Study,
  stipulation: string,
  { metric, plies: asked, mover, solutions: claimed }: ProblemAim,
  { game, prober, most }: ProblemTables,
): Promise<CheckedProblem> {
  const board = game.parse(study.fen);
  const probed = await prober.probe(board);
  const isFor = stipulations[metric].goalOf !== 'either' || probed.wdl === 'win';
  const plies = isFor ? probed.plies : null;
  // Tables of direct mates have no numbers, so the keys are counted: the first moves that mate soonest.
  const number = probed.number ?? probed.moves.filter(({ code }) => code === probed.code).length;
  const sure = { plies, number };
  const possible = most === undefined ? sure : await most.probe(board);
  const isExact = possible.plies === plies && possible.number === number;
  const verdict = verdictOn(sure, { plies: possible.plies, isExact }, asked, claimed);
  const solutions: string[] = [];
  let more = false;
  if (plies !== null) {
    for await (const line of new Solutions(game, prober).lines(board)) {
      more = solutions.length === LISTED;
      if (more) break;
      const sans = line.map(({ san }) => san);
      solutions.push(solutionText(metric, sans, mover));
    }
  }
  const found = plies === null ? null : stipulationText(metric, plies);
  const { title, fen } = study;
  const known = isExact ? {} : { known: problemText({ ...sure, most: possible }, metric) };
  return { ...known, title, fen, stipulation, found, metric, verdict, number, claimed, solutions, more };
}

/** @param possible if unknown positions are the goal, and whether that is the same. */
function verdictOn(
  sure: { readonly plies: number | null; readonly number: number },
  possible: { readonly plies: number | null; readonly isExact: boolean },
  asked: number,
  claimed: number,
): Soundness {
  if (possible.plies === null) return 'none';
  if (sure.plies === null) return 'unknown';
  if (sure.plies < asked) return 'short';
  if (possible.plies > asked) return 'longer';
  if (possible.plies < sure.plies) return 'unknown';
  if (sure.number > Math.min(claimed, MOST_NUMBER - 1)) return 'cooked';
  if (!possible.isExact) return 'unknown';
  return sure.number < Math.min(claimed, MOST_NUMBER) ? 'fewer' : 'sound';
}
