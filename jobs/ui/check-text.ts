/** Text of a game check's report. */
import type { CheckReport } from '../../pipeline/check/check-game.js';
import type { KeyedReport } from '../../pipeline/check/check-keyed.js';
import { keyedContract } from '../../pipeline/check/keyed-rules.js';
import { contractRules } from '../../pipeline/check/violation.js';
import type { Game } from '../../pipeline/contract/game.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { count, whole } from './numbers.js';
import { textTable } from './text-table.js';

/** Whether nothing was checked, since no index that was looked at is a position. */
export function foundNone(slices: CheckReport['slices']): boolean {
  return slices.every(({ legal }) => legal === 0);
}

/** Text that ends with a newline. Violations are printed elsewhere, a line each. */
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
      : `few of the indices looked at are positions (${few[0].slice}: ${whole(few[0].legal)}): --positions N looks at more\n`;
  const broken = violations.map(({ rule }) => `${rule} is broken: ${contractRules[rule]}\n`).join('');
  if (violations.length === 0 && foundNone(slices)) return `${table}\n`;
  const verdict =
    violations.length === 0
      ? `${game.name} keeps the contract in ${slices.length === 1 ? 'this slice' : `these ${slices.length} slices`}`
      : `${game.name} breaks the contract in ${slices.at(-1)!.slice}`;
  return `${table}\n${reasons}${sparse}${broken}${verdict} (seed ${seed})\n`;
}

/** Text of a keyed game's report. */
export function checkKeyedText(game: KeyedRules, report: KeyedReport): string {
  const { positions, all, over, moves, games, violations, seed } = report;
  const seen = all ? `all ${count(positions, 'position')} that can be reached` : count(positions, 'position');
  const broken = violations.map(({ rule }) => `${rule} is broken: ${keyedContract[rule]}\n`).join('');
  const verdict = violations.length === 0 ? 'keeps the contract in' : 'breaks the contract in';
  return (
    `${count(positions, 'position')}, ${count(moves, 'move')}; the game is over in ${count(over, 'position')}\n${endsText(all, over, games)}${broken}` +
    `${game.name} ${verdict} ${seen} (seed ${seed})\n`
  );
}

/** An author should know if a game never ends, or seldom: wins are counted from its ends. */
function endsText(all: boolean, over: number, { played, ended, longest }: KeyedReport['games']): string {
  if (over === 0 && all) return 'no position that can be reached ends the game: nobody ever wins\n';
  const whole = `of ${count(played, 'random game')} ${ended} came to an end`;
  if (over === 0) return `no end of the game was ever reached: ${whole} within ${count(longest, 'move')}\n`;
  return all ? '' : `${whole}\n`;
}
