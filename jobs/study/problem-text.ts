/** The results of checked problems, in words. */

import { numberText } from '../ui/verdict.js';
import type { CheckedProblem } from './check-problem.js';

/** "h#7: sound", "h#3: cooked, 3 solutions", "h#4: short, h#3 with 1 solution". */
export function problemVerdict({
  stipulation,
  verdict,
  found,
  number,
  claimed,
  metric,
  known,
}: CheckedProblem): string {
  const solutions = numberText(number, metric);
  const has = known ?? `${found} with ${solutions}`;
  switch (verdict) {
    case 'sound':
      return `${stipulation}: sound${number === 1 && claimed === 1 ? '' : `, ${solutions}`}`;
    case 'fewer':
      return `${stipulation}: fewer solutions than claimed, ${number} of ${claimed}`;
    case 'cooked':
      return `${stipulation}: cooked, ${known === undefined ? solutions : numberText(number, metric, true)}${claimed > 1 ? `, not ${claimed}` : ''}`;
    case 'short':
      return `${stipulation}: short, ${has}`;
    case 'longer':
      return `${stipulation}: no solution in so many moves, ${has}`;
    case 'none':
      return `${stipulation}: no solution`;
    case 'unknown':
      return `${stipulation}: not known: ${has}`;
  }
}

/** A checked problem, with a line for each solution. */
export function checkedProblemText(checked: CheckedProblem): string {
  const { title, fen, solutions, more } = checked;
  const lines = [...solutions, ...(more ? ['…'] : [])].map((line) => `  ${line}`);
  return [title, fen, problemVerdict(checked), ...lines, ''].join('\n');
}
