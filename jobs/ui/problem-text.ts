/** The results of checked problems, in words. */
import type { CheckedProblem } from '../study/check-problem.js';
import { numberText } from './verdict.js';

/** "h#7: sound", "h#3: cooked, 3 solutions", "h#4: short, h#3 with 1 solution". */
export function problemVerdict({
  stipulation,
  verdict,
  found,
  number,
  claimed,
  metric,
}: CheckedProblem): string {
  const solutions = numberText(number, metric);
  switch (verdict) {
    case 'sound':
      return `${stipulation}: sound${number === 1 && claimed === 1 ? '' : `, ${solutions}${number < claimed ? ` of ${claimed}` : ''}`}`;
    case 'cooked':
      return `${stipulation}: cooked, ${solutions}${claimed > 1 ? `, not ${claimed}` : ''}`;
    case 'short':
      return `${stipulation}: short, ${found} with ${solutions}`;
    case 'longer':
      return `${stipulation}: no solution in so many moves, ${found} with ${solutions}`;
    case 'none':
      return `${stipulation}: no solution`;
  }
}

/** A checked problem, with a line for each solution. */
export function checkedProblemText(checked: CheckedProblem): string {
  const { title, fen, solutions, more } = checked;
  const lines = [...solutions, ...(more ? ['…'] : [])].map((line) => `  ${line}`);
  return [title, fen, problemVerdict(checked), ...lines, ''].join('\n');
}
