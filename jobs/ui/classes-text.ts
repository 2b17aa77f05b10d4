/** The tallies of many classes for people. */

import type { ClassTally } from '../../pipeline/analysis/stats.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { whole } from './numbers.js';
import { textTable } from './text-table.js';

/** A row for each class, after those of as many pieces their sum. `pieces`: of each class. */
export function classesText(
  game: Game,
  metric: Metric,
  classes: readonly ClassTally[],
  pieces: ReadonlyMap<string, number>,
): string {
  const rows: string[][] = [];
  const row = (tally: ClassTally) => rowOf(tally, metric === 'dtz');
  const numbers = [...new Set(pieces.values())].sort((a, b) => a - b);
  for (const n of numbers) {
    const here = classes.filter((tally) => pieces.get(tally.class) === n);
    rows.push(...[...here, sumOf(`all of ${n} pieces`, here)].map(row));
  }
  if (numbers.length > 1) rows.push(row(sumOf('all', classes)));
  const values =
    metric === 'dtz'
      ? ['wins', 'cursed wins', 'draws', 'blessed losses', 'losses']
      : ['wins', 'draws', 'losses'];
  const cursed = metric === 'dtz' ? ['longest cursed win', 'longest blessed loss'] : [];
  const header = ['class', 'positions', ...values, 'longest win', 'longest loss', ...cursed];
  return `${game.name}, ${metric}: boards with ${game.colours[0]} to move\n\n${textTable(header, rows)}`;
}

/** `five`: with cursed wins and blessed losses. */
function rowOf(tally: ClassTally, five: boolean): string[] {
  const { total, wins, cursedWins = 0, draws, blessedLosses = 0, losses } = tally;
  const { maxWinPlies, maxLossPlies, maxCursedWinPlies = null, maxBlessedLossPlies = null } = tally;
  const longest = (plies: number | null) => (plies === null ? '-' : whole(plies));
  const most = [maxWinPlies, maxLossPlies, ...(five ? [maxCursedWinPlies, maxBlessedLossPlies] : [])];
  const values = five ? [wins, cursedWins, draws, blessedLosses, losses] : [wins, draws, losses];
  return [tally.class, ...[total, ...values].map(whole), ...most.map(longest)];
}

function sumOf(name: string, tallies: readonly ClassTally[]): ClassTally {
  const sum = (figure: (tally: ClassTally) => number) =>
    tallies.reduce((total, each) => total + figure(each), 0);
  const most = (figure: (tally: ClassTally) => number | null) =>
    tallies.reduce<number | null>((known, each) => {
      const plies = figure(each);
      return known === null || (plies !== null && plies > known) ? plies : known;
    }, null);
  return {
    class: name,
    total: sum(({ total }) => total),
    wins: sum(({ wins }) => wins),
    cursedWins: sum(({ cursedWins = 0 }) => cursedWins),
    blessedLosses: sum(({ blessedLosses = 0 }) => blessedLosses),
    draws: sum(({ draws }) => draws),
    losses: sum(({ losses }) => losses),
    maxWinPlies: most(({ maxWinPlies }) => maxWinPlies),
    maxLossPlies: most(({ maxLossPlies }) => maxLossPlies),
    maxCursedWinPlies: most(({ maxCursedWinPlies = null }) => maxCursedWinPlies),
    maxBlessedLossPlies: most(({ maxBlessedLossPlies = null }) => maxBlessedLossPlies),
  };
}
