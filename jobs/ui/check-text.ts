/** Text of a game check's report. */
import type { CheckReport } from '../../pipeline/check/check-game.js';
import type { KeyedReport, KeyedRule } from '../../pipeline/check/check-keyed.js';
import { contractRules } from '../../pipeline/check/violation.js';
import type { Game } from '../../pipeline/game/game.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { tableText } from './document.js';
import { count, whole } from './numbers.js';

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
  const table = tableText({ columns: ['slice', 'indices', 'looked at', 'legal', 'not asked'], rows });
  const why = new Map(slices.flatMap(({ skipped }) => skipped.map(({ rule, why }) => [rule, why])));
  const reasons = [...why].map(([rule, reason]) => `${rule} was not asked: ${reason}\n`).join('');
  const few = slices.filter(({ size, indices, legal }) => indices < size && legal < indices / 10);
  const sparse =
    few.length === 0
      ? ''
      : `few of the indices looked at are positions (${few[0].slice}: ${whole(few[0].legal)}): --positions N looks at more\n`;
  const broken = violations
    .map(({ rule }) => `${rule} is broken: it must hold that ${contractRules[rule]}\n`)
    .join('');
  if (violations.length === 0 && foundNone(slices)) return `${table}\n`;
  const verdict =
    violations.length === 0
      ? `${game.name} keeps the contract in ${slices.length === 1 ? 'this slice' : `these ${slices.length} slices`}`
      : `${game.name} breaks the contract in ${slices.at(-1)!.slice}`;
  return `${table}\n${reasons}${sparse}${broken}${verdict} (seed ${seed})\n`;
}

/** The function that a rule is about, in the author's words: who wrote a numbered game has written neither `key` nor `roots`. */
export function ruleName({ words: { what }, symmetries }: KeyedRules, rule: KeyedRule): string {
  if (rule === 'same') return symmetries === null ? what : `${what} and symmetries`;
  if (rule === 'turns') return 'moves';
  if (rule === 'roots' && what === 'index') return 'index and position';
  return rule === 'key' ? what : rule;
}

/** Text of the report of a game of forward moves. Violations are printed elsewhere, a line each. */
export function checkKeyedText(game: KeyedRules, report: KeyedReport): string {
  const { positions, closely, all, compared, over, moves, games, violations, seed } = report;
  if (positions === 0) return `${game.name} breaks the contract before the first position (seed ${seed})\n`;
  const what = `${positions === 1 ? 'position' : 'positions'}${game.words.what === 'key' ? ' that can be reached' : ''}`;
  const seen = all
    ? `${positions === 1 ? 'the one' : `all ${whole(positions)}`} ${what}`
    : count(positions, 'position');
  const howFar = !all
    ? `a sample was compared: games of up to ${whole(report.whole.positions)} positions and ${whole(report.whole.moves)} moves are compared whole`
    : compared === moves
      ? 'the whole game was compared'
      : `${whole(compared)} of ${count(moves, 'move')} were compared with the positions that they lead to`;
  // What is behind a fault is not known: whether the game ends, and how many positions it has.
  if (violations.length > 0)
    return (
      `${count(positions, 'position')} and ${count(moves, 'move')} were looked at${all ? '' : `; ${howFar}`}\n` +
      `${game.name} breaks the contract (seed ${seed})\n`
    );
  // Wins are counted from ends: without one there may be nothing to solve, and no end of solving.
  const isEndless = !all && over === 0;
  const verdict = isEndless
    ? `${game.name} breaks no rule in ${seen}, but whether it ever ends, and has finitely many positions, is not known`
    : `${game.name} keeps the contract in ${seen}`;
  return (
    `${count(positions, 'position')}, ${count(moves, 'move')}; the game is over in ${count(over, 'position')}\n` +
    endsText(all, over, games) +
    `${howFar}; ${closely === positions ? 'all' : count(closely, 'position')} closely\n` +
    `${verdict} (seed ${seed})\n`
  );
}

/** An author should know if a game never ends, or seldom: wins are counted from its ends. */
function endsText(all: boolean, over: number, { played, ended, longest }: KeyedReport['games']): string {
  if (over === 0 && all) return 'no position that can be reached ends the game: nobody ever wins\n';
  const ends = `of ${count(played, 'random game')} ${ended} came to an end`;
  if (over === 0) return `no end of the game was ever reached: ${ends} within ${count(longest, 'move')}\n`;
  return all ? '' : `${ends}\n`;
}
