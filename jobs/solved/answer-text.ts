/** Answers about positions, as text for people. */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { SolvedValue } from '../positions/value.js';
import { tableText } from '../ui/document.js';
import { rangeWords } from '../ui/range.js';
import { isDoubtful, numberText, problemText, solutionWords } from '../ui/verdict.js';
import type { Answer, Answers, Solved } from './solved.js';

/** The board, the verdict under each metric, and the moves, best first. */
export function answerText<Position>(solved: Solved<Position>, position: Position, all: Answers): string {
  const [first, ...others] = all;
  const clock = solved.clock(position);
  const { metric, moves } = first;
  // Games with one notation have it in both names.
  const twice = moves.some(({ name, uci }) => uci !== undefined && uci !== name);
  const hasScore = first.score != null;
  const rows = moves.map((move, i) => [
    move.name,
    ...(twice ? [move.uci ?? ''] : []),
    worth(move, metric, clock),
    ...(hasScore ? [signed(move.score ?? 0)] : []),
    ...(others.length === 0
      ? [move.most === undefined || stipulations[metric].numbers ? distanceOf(solved, move, metric) : '-']
      : all.map((answer) => cell(answer, moves[i].name, worth(move, metric, clock), clock))),
  ]);
  const distances =
    others.length === 0
      ? [stipulations[metric].numbers ? solutionWords(metric)[1] : 'distance']
      : all.map((answer) => answer.metric);
  const columns = ['move', ...(twice ? ['uci'] : []), 'value', ...(hasScore ? ['score'] : []), ...distances];
  const verdicts = all.map((answer) => {
    const says = solved.verdict(position, answer);
    const set =
      answer.setPlay === undefined ? '' : `\nset play: ${problemText(answer.setPlay, answer.metric)}`;
    return (others.length === 0 ? says : `${answer.metric.padEnd(5)}  ${says}`) + set;
  });
  const { leftOut = [] } = first;
  const none = leftOut.length === 0 ? 'no legal moves\n' : '';
  const table = rows.length === 0 ? none : tableText({ columns, rows });
  const rest = leftOut.length === 0 ? '' : `Left out, as --promote or --never says: ${leftOut.join(', ')}\n`;
  const end = table === '' || rest === '' ? `${table}${rest}` : `${table}\n${rest}`;
  return `${solved.diagram(position)}\n${verdicts.join('\n')}\n\n${end}`;
}

/** "+3", "0", "-3". */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : String(score);
}

/** "win", "win?" where the 50-move rule may make a draw of it. */
function worth(value: SolvedValue, metric: Metric, clock: number): string {
  const { wdl, plies, category, most } = value;
  // What the move leads to: a stipulation of a ply less.
  if (stipulations[metric].numbers)
    return problemText(
      { plies: before(plies), ...(most !== undefined && { most: { plies: before(most.plies) } }) },
      metric,
    );
  if (most !== undefined) return rangeWords(value);
  return isDoubtful(category, metric, clock) ? `${wdl}?` : wdl;
}

const before = (plies: number | null) => (plies === null ? null : plies - 1);

/** Plies in words; of a problem the number of solutions behind the move. */
function distanceOf<Position>(solved: Solved<Position>, move: SolvedValue, metric: Metric): string {
  if (!stipulations[metric].numbers) return solved.distance(move, metric) || '-';
  const { number = 0, plies, most } = move;
  if (number === 0 || (most !== undefined && most.plies !== plies)) return '-';
  return numberText(number, metric, most !== undefined);
}

/** Plies of a move under a metric, with the outcome where it differs from that of the first metric. */
function cell({ metric, moves }: Answer, name: string, first: string, clock: number): string {
  const move = moves.find((each) => each.name === name)!;
  const own = worth(move, metric, clock);
  if (stipulations[metric].numbers) return own;
  const plies = move.plies === null || move.most !== undefined ? '' : String(move.plies);
  return own === first ? plies || '-' : `${own}${plies && ` ${plies}`}`;
}
