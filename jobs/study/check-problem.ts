/**
 * Checks a problem against the tables: whether it has the solutions that its author claims, more of them, a shorter one, or none.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import { MOST_NUMBER } from '../../pipeline/game/labelling.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { Prober } from '../../pipeline/tables/probe/probed.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { type ProblemAim, readStipulation, solutionText, stipulationText } from '../ui/problem-notation.js';
import { moverOf } from './position-text.js';
import type { Study } from './read-game.js';

/**
 * `sound`: as many solutions as the author claims, one unless the stipulation says more. `cooked`: more of them. `short`: the goal is
 * reached sooner. `longer`: it is reached, but in more moves than the stipulation has. `none`: it is never reached.
 */
export type Soundness = 'sound' | 'cooked' | 'short' | 'longer' | 'none';

export interface CheckedProblem {
  readonly title: string;
  readonly fen: string;
  /** The stipulation of the author, and the one that the tables have; null if the goal is never reached. */
  readonly stipulation: string;
  readonly found: string | null;
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

/** The text of the stipulation that a study has, in a tag of PGN or an operation of EPD; null if it has none. */
export function stipulationOf({ tags, operations }: Pick<Study, 'tags' | 'operations'>): string | null {
  const tag = Object.entries(tags).find(([name]) => name.toLowerCase() === 'stipulation')?.[1];
  const operation = operations.stip ?? operations.stipulation;
  const text = (tag ?? operation?.join(' ') ?? '').trim();
  return text === '' || text === '?' ? null : text;
}

/** @throws UserError for a stipulation that no table answers, and if the wrong side is to move. */
export function aimOf(study: Pick<Study, 'fen'>, stipulation: string): ProblemAim {
  const aim = readStipulation(stipulation);
  const begins = aim.mover === 0 ? 'w' : 'b';
  if (moverOf(study.fen) === begins) return aim;
  const [first, other] = aim.mover === 0 ? ['White', 'Black'] : ['Black', 'White'];
  throw new UserError(`${stipulation} begins with ${first}, but ${other} is to move in the position`);
}

/** @param game the one whose slice names the tables have (named-for.ts). @param prober of the tables of the stipulation's metric. */
export async function checkProblem(
  study: Study,
  stipulation: string,
  { metric, plies: asked, mover, solutions: claimed }: ProblemAim,
  game: Game,
  prober: Prober<unknown>,
): Promise<CheckedProblem> {
  const board = game.parse(study.fen);
  const probed = await prober.probe(board);
  const isFor = stipulations[metric].goalOf !== 'either' || probed.wdl === 'win';
  const plies = isFor ? probed.plies : null;
  // Tables of direct mates have no numbers, so the keys are counted: the first moves that mate soonest.
  const number = probed.number ?? probed.moves.filter(({ code }) => code === probed.code).length;
  const verdict = verdictOn(plies, number, asked, claimed);
  const solutions: string[] = [];
  let more = false;
  if (verdict !== 'none') {
    for await (const line of new Solutions(game, prober).lines(board)) {
      more = solutions.length === LISTED;
      if (more) break;
      const sans = line.map(({ san }) => san);
      solutions.push(solutionText(metric, sans, mover));
    }
  }
  const found = plies === null ? null : stipulationText(metric, plies);
  const { title, fen } = study;
  return { title, fen, stipulation, found, metric, verdict, number, claimed, solutions, more };
}

function verdictOn(plies: number | null, number: number, asked: number, claimed: number): Soundness {
  if (plies === null) return 'none';
  if (plies !== asked) return plies < asked ? 'short' : 'longer';
  return number > Math.min(claimed, MOST_NUMBER - 1) ? 'cooked' : 'sound';
}
