/** The statistics of a table for people. */

import type { SideStats, TableStats, Tally } from '../../pipeline/analysis/stats.js';
import type { Colour, Game } from '../../pipeline/game/game.js';
import { type Metric, RULE_PLIES } from '../../pipeline/game/value.js';
import { histogram } from './histogram.js';
import { percent, whole } from './numbers.js';
import { textTable } from './text-table.js';
import { BY_THE_RULE, capital, distance, hasMates } from './verdict.js';

export function statsText(
  name: string,
  metric: Metric,
  stats: TableStats,
  game: Pick<Game, 'colours' | 'metrics'>,
): string {
  const { colours } = game;
  const sides = colours.map((colour) => stats[colour]);
  const row = (what: string, pick: (side: SideStats) => Tally) => [
    what,
    ...sides.flatMap((side) => {
      const { placements, orbits } = pick(side);
      return [whole(placements), whole(orbits), percent(placements, side.legal.placements)];
    }),
  ];
  const wins = (colour: Colour) => row(`${colour} wins`, (side) => side[`${colour}Wins`]);
  const cursed = (colour: Colour) =>
    metric === 'dtz' ? [row(`${colour} cursed wins`, (side) => side[`${colour}CursedWins`]!)] : [];
  const [lost, drawn] = hasMates(game) ? ['mates', 'stalemates'] : ['over, lost', 'over, drawn'];
  const table = textTable(
    ['', ...colours.flatMap((colour) => [`${colour} to move`, 'orbits', 'share'])],
    [
      row('legal', (side) => side.legal),
      wins(colours[0]),
      ...cursed(colours[0]),
      row('draws', (side) => side.draws),
      ...cursed(colours[1]),
      wins(colours[1]),
      row(lost, (side) => side.mates),
      ...(hasMates(game) || sides.some((side) => side.stalemates.orbits > 0)
        ? [row(drawn, (side) => side.stalemates)]
        : []),
    ],
  );
  const units = 'Shares are of boards; orbits are boards up to symmetry, which "solve" gives shares of.';
  const pieces = [`${name}, ${metric}\n\n${table}\n${units}\n`];
  for (const winner of colours) {
    for (const mover of colours) {
      const { longestWhiteWin, longestWhiteCursedWin, longestBlackWin, longestBlackCursedWin } = stats[mover];
      const isWhite = winner === 'white';
      for (const [what, longest, rule] of [
        ['win', isWhite ? longestWhiteWin : longestBlackWin, ''],
        ['cursed win', isWhite ? longestWhiteCursedWin : longestBlackCursedWin, `: ${BY_THE_RULE}`],
      ] as const) {
        if (!longest) continue;
        const how = distance(longest, metric, game) + rule;
        pieces.push(`Longest ${winner} ${what}, ${mover} to move: ${how}\n  ${longest.fen}\n`);
      }
    }
    const all = plies(stats, `${winner}WinsByPly`);
    const within = metric === 'dtz' ? RULE_PLIES : Number.POSITIVE_INFINITY;
    for (const [what, some] of [
      ['wins', all.filter(([ply]) => ply <= within)],
      ['cursed wins', all.filter(([ply]) => ply > within)],
    ] as const) {
      const bars = histogram(some, 'plies');
      if (bars !== '')
        pieces.push(`\n${capital(winner)} ${what} by plies, placements, both sides to move:\n${bars}`);
    }
  }
  return pieces.join('\n');
}

function plies(stats: TableStats, field: 'whiteWinsByPly' | 'blackWinsByPly'): [number, number][] {
  const sum = new Map<number, number>();
  for (const side of [stats.white, stats.black]) {
    for (const [ply, { placements }] of Object.entries(side[field])) {
      sum.set(Number(ply), (sum.get(Number(ply)) ?? 0) + placements);
    }
  }
  return [...sum].sort((a, b) => a[0] - b[0]);
}
