/** The tallies of many classes for people. */
import type { Game } from '../../pipeline/game.js';
import type { ClassTally } from '../../pipeline/stats.js';
import type { Metric } from '../../pipeline/value.js';
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
  const numbers = [...new Set(pieces.values())].sort((a, b) => a - b);
  for (const n of numbers) {
    const here = classes.filter((tally) => pieces.get(tally.class) === n);
    rows.push(...[...here, sumOf(`all of ${n} pieces`, here)].map(row));
  }
  if (numbers.length > 1) rows.push(row(sumOf('all', classes)));
  const header = ['class', 'positions', 'wins', 'draws', 'losses', 'longest win', 'longest loss'];
  return `${game.name}, ${metric}: boards with ${game.colours[0]} to move\n\n${textTable(header, rows)}`;
}

function row({ class: name, total, wins, draws, losses, maxWinPlies, maxLossPlies }: ClassTally): string[] {
  const longest = (plies: number | null) => (plies === null ? '-' : whole(plies));
  return [name, ...[total, wins, draws, losses].map(whole), longest(maxWinPlies), longest(maxLossPlies)];
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
    draws: sum(({ draws }) => draws),
    losses: sum(({ losses }) => losses),
    maxWinPlies: most(({ maxWinPlies }) => maxWinPlies),
    maxLossPlies: most(({ maxLossPlies }) => maxLossPlies),
  };
}
