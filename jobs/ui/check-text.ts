/** What a check of a game found, for people. */
import type { CheckReport } from '../../pipeline/check/check-game.js';
import { contractRules } from '../../pipeline/check/violation.js';
import type { Game } from '../../pipeline/game.js';
import { whole } from './numbers.js';
import { textTable } from './text-table.js';

/** Ends with a newline. Violations are told of by one line each, elsewhere. */
export function checkText(game: Game, { slices, violations, seed }: CheckReport): string {
  const rows = slices.map(({ slice, size, indices, legal, skipped }) => [
    slice,
    whole(size),
    indices === size ? 'all' : whole(indices),
    whole(legal),
    skipped.length === 0 ? '-' : [...new Set(skipped.map(({ rule }) => rule))].join(', '),
  ]);
  const table = textTable(['slice', 'indices', 'looked at', 'legal', 'not asked'], rows);
  const why = new Map(slices.flatMap(({ skipped }) => skipped.map(({ rule, why }) => [rule, why])));
  const reasons = [...why].map(([rule, reason]) => `${rule} was not asked: ${reason}\n`).join('');
  const few = slices.filter(({ size, indices, legal }) => indices < size && legal < indices / 10);
  const sparse =
    few.length === 0
      ? ''
      : `few of the indices looked at are positions (${few[0]!.slice}: ${whole(few[0]!.legal)}): --positions N looks at more\n`;
  const broken = violations.map(({ rule }) => `${rule} is broken: ${contractRules[rule]}\n`).join('');
  const verdict =
    violations.length === 0
      ? `${game.name} keeps the contract in ${slices.length === 1 ? 'this slice' : `these ${slices.length} slices`}`
      : `${game.name} breaks the contract in ${slices.at(-1)!.slice}`;
  return `${table}\n${reasons}${sparse}${broken}${verdict} (seed ${seed})\n`;
}
