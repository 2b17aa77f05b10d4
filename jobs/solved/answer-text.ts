/** Answers about positions, as text for people. */
import type { Metric } from '../../pipeline/game/value.js';
import { tableText } from '../ui/document.js';
import { rangeWords } from '../ui/range.js';
import { isDoubtful } from '../ui/verdict.js';
import type { Answer, Answers, Solved, SolvedValue } from './solved.js';

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
      ? [(move.most === undefined && solved.distance(move, metric)) || '-']
      : all.map((answer) => cell(answer, moves[i].name, worth(move, metric, clock), clock))),
  ]);
  const distances = others.length === 0 ? ['distance'] : all.map((answer) => answer.metric);
  const columns = ['move', ...(twice ? ['uci'] : []), 'value', ...(hasScore ? ['score'] : []), ...distances];
  const verdicts = all.map((answer) => {
    const says = solved.verdict(position, answer);
    return others.length === 0 ? says : `${answer.metric.padEnd(5)}  ${says}`;
  });
  const table = rows.length === 0 ? 'no legal moves\n' : tableText({ columns, rows });
  return `${solved.diagram(position)}\n${verdicts.join('\n')}\n\n${table}`;
}

/** "+3", "0", "-3". */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : String(score);
}

/** "win", "win?" where the 50-move rule may make a draw of it. */
function worth(value: SolvedValue, metric: Metric, clock: number): string {
  const { wdl, category, most } = value;
  if (most !== undefined) return rangeWords(value);
  return isDoubtful(category, metric, clock) ? `${wdl}?` : wdl;
}

/** Plies of a move under a metric, with the outcome where it differs from that of the first metric. */
function cell({ metric, moves }: Answer, name: string, first: string, clock: number): string {
  const move = moves.find((each) => each.name === name)!;
  const own = worth(move, metric, clock);
  const plies = move.plies === null || move.most !== undefined ? '' : String(move.plies);
  return own === first ? plies || '-' : `${own}${plies && ` ${plies}`}`;
}
