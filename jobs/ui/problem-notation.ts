/**
 * How composers of chess problems write: stipulations ("h#6", "h#4.5", "s#3", "h=3", "#2") and solutions ("1.Kc3 Bg2 2.Kd2 Bf1#", Black
 * first in helpmates). Pure functions of a table's stipulation, for commands and the page.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Side } from '../../pipeline/game/side.js';
import { type Metric, metrics, type Stipulation, stipulations } from '../../pipeline/game/stipulation.js';
import { numbered } from './numbered-moves.js';

/** What a problem asks for. */
export interface ProblemAim {
  /** The tables that answer it. */
  readonly metric: Metric;
  /** Plies to the goal from the diagram. */
  readonly plies: number;
  /** To move in the diagram: 0 White. */
  readonly mover: Side;
  /** The number of solutions that the author claims: "h#2 2.1..." has two. 1 unless the text says more. */
  readonly solutions: number;
}

const GOAL_SIGNS: Readonly<Record<Stipulation['goal'], string | null>> = {
  mate: '#',
  stalemate: '=',
  end: null,
};

/** The letter before the sign of the goal: h if both sides help, s for selfmates, none for direct mates. Null: composers have no such kind. */
function kindOf({ goalOf, roles }: Stipulation): '' | 'h' | 's' | null {
  if (goalOf === 'either') return '';
  if (roles.first === 'help' && roles.second === 'help') return 'h';
  return goalOf === 'first' && roles.first === 'seek' ? 's' : null;
}

/** "h#", "s=", "#" of tables that count plies to the goal itself; null of others. */
export function stipulationSign(metric: Metric): string | null {
  const stipulation = stipulations[metric];
  const { plies, restartsAt, rule50, scores, goal } = stipulation;
  const [kind, sign] = [kindOf(stipulation), GOAL_SIGNS[goal]];
  const isExact = plies && restartsAt === null && rule50 === 'ignored' && !scores;
  return isExact && kind !== null && sign !== null ? kind + sign : null;
}

/** The side that makes the first half of each move of a solution: Black in helpmates, so that White mates with the last. */
export function leaderOf(metric: Metric): Side {
  return kindOf(stipulations[metric]) === 'h' ? 1 : 0;
}

/**
 * "h#6", "h#4.5" where the other side begins; null for tables that no stipulation asks for.
 * @param plies to the goal; in a direct mate those of the side that mates.
 */
export function stipulationText(metric: Metric, plies: number): string | null {
  const sign = stipulationSign(metric);
  if (sign === null) return null;
  return sign + (kindOf(stipulations[metric]) === '' ? Math.ceil(plies / 2) : plies / 2);
}

/** "1.Kc3 Bg2 2.Kd2 Bf1#"; "1…Bg2 2.Kc3" where the other side begins. */
export function solutionText(metric: Metric, sans: readonly string[], mover: Side): string {
  return numbered(sans, mover === leaderOf(metric) ? 0 : 1, 'problem');
}

const KINDS = metrics.flatMap((metric) => {
  const sign = stipulationSign(metric);
  return sign === null ? [] : [{ sign, metric }];
});
const EXAMPLES = 'h#3, h#2.5, s#2, h=3 or #2';
/** The kind, the goal, the moves, and what is said of the solutions. */
const STIPULATION = /^([a-z-]*)\s*([#=+‡×x])\s*(\d{1,3})(?:[.,](\d)|(½))?(?:\s*(\*)|\s+(\S.*))?$/i;
/** How many ways each half-move has: "h#7 0.1..." begins with White. */
const WAYS = /^\d{1,3}(?:\.\d{1,3})*[.…]*$/;
/** The number of solutions in words, in English, German or French: "2 sol.", "(2 Lösungen)". */
const NUMBER = /^\(?(\d+)\s*(?:sol|lös|loes)\p{L}*\.?\)?$/iu;

/** "b) Ke3 to e4": the same problem with a change, behind a stipulation. */
const TWIN = /(?:^|[\s,;])[a-z]\)/i;
export const NO_TWINS = 'twins are not read: write each as a problem of its own';

/** @throws UserError, in one line, for what no table answers. */
export function readStipulation(text: string): ProblemAim {
  const quoted = JSON.stringify(text);
  // Operations of EPD end with a semicolon.
  if (TWIN.test(text)) throw new UserError(`stipulation ${quoted}: ${NO_TWINS}`);
  const match = STIPULATION.exec(text.replace(/\s*;\s*$/, '').trim());
  if (match === null) throw new UserError(`stipulation ${quoted}: must be like ${EXAMPLES}`);
  const [, kind, goal, moves, tenths, oneHalf, star, said] = match;
  const half = oneHalf === undefined ? tenths : '5';
  if (star !== undefined || said?.startsWith('*'))
    throw new UserError(
      `stipulation ${quoted}: set play is not checked: leave out "*", and see "probe", which shows it`,
    );
  if (/\bduplex\b/i.test(said ?? ''))
    throw new UserError(
      `stipulation ${quoted}: a duplex is two problems: write each of its own, the second with colours exchanged`,
    );
  const number = NUMBER.exec(said ?? '')?.[1];
  const ways = number === undefined ? said : undefined;
  if (ways !== undefined && !WAYS.test(ways))
    throw new UserError(
      `stipulation ${quoted}: ${JSON.stringify(ways)} must be the number of solutions, as in 2.1.1.1 or 2 solutions`,
    );
  const sign = kind.toLowerCase() + (goal === '=' ? '=' : goal === '+' ? '+' : '#');
  const found = KINDS.find((each) => each.sign === sign);
  if (found === undefined) {
    const signs = KINDS.map((each) => each.sign).join(', ');
    throw new UserError(`stipulation ${quoted}: there are no tables of this kind (there are: ${signs})`);
  }
  if (half !== undefined && half !== '5')
    throw new UserError(`stipulation ${quoted}: half a move is .5, as in h#2.5`);
  const { metric } = found;
  const counts = number === undefined ? (ways?.match(/\d+/g) ?? []).map(Number) : [];
  // "0.1…": the first half of the first move is not made, so the other side begins.
  const isCut = half !== undefined || counts[0] === 0;
  const isDirect = kindOf(stipulations[metric]) === '';
  if (isCut && isDirect) throw new UserError(`stipulation ${quoted}: a direct mate has whole moves`);
  const twice = 2 * Number(moves) + (half === undefined ? 0 : 1) - (counts[0] === 0 ? 1 : 0);
  const plies = isDirect ? twice - 1 : twice;
  if (plies < 1) throw new UserError(`stipulation ${quoted}: the goal must be at least one move away`);
  const leader = leaderOf(metric);
  return {
    metric,
    plies,
    mover: isCut ? ((1 - leader) as Side) : leader,
    solutions: counts
      .filter((count) => count > 0)
      .reduce((product, count) => product * count, Number(number ?? 1)),
  };
}
