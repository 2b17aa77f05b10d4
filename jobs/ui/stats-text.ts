/** The statistics of a table for people. */
import type { SideStats, TableStats, Tally } from '../../pipeline/stats.js';
import type { Metric } from '../../pipeline/value.js';
import { histogram } from './histogram.js';
import { percent, whole } from './numbers.js';
import { textTable } from './text-table.js';
import { distance } from './verdict.js';

export function statsText(name: string, metric: Metric, stats: TableStats): string {
  const sides = [stats.white, stats.black];
  const row = (what: string, pick: (side: SideStats) => Tally) => [
    what,
    ...sides.flatMap((side) => {
      const { placements, orbits } = pick(side);
      return [whole(placements), whole(orbits), percent(placements, side.legal.placements)];
    }),
  ];
  const table = textTable(
    ['', 'white to move', 'orbits', 'share', 'black to move', 'orbits', 'share'],
    [
      row('legal', (side) => side.legal),
      row('white wins', (side) => side.whiteWins),
      row('draws', (side) => side.draws),
      row('black wins', (side) => side.blackWins),
      row('mates', (side) => side.mates),
      row('stalemates', (side) => side.stalemates),
    ],
  );
  const pieces = [`${name}, ${metric}\n\n${table}`];
  for (const winner of ['White', 'Black'] as const) {
    for (const mover of ['white', 'black'] as const) {
      const longest = stats[mover][`longest${winner}Win`];
      if (longest === null) continue;
      pieces.push(
        `Longest ${winner.toLowerCase()} win, ${mover} to move: ${distance(longest.plies, metric)}\n  ${longest.fen}\n`,
      );
    }
    const bars = histogram(plies(stats, `${winner.toLowerCase() as 'white' | 'black'}WinsByPly`), 'plies');
    if (bars !== '') pieces.push(`\n${winner} wins by plies, placements, both sides to move:\n${bars}`);
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
