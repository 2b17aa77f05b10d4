/** What a solve did, as a table and words for people and as JSON for programs. */
import type { SliceSummary } from '../../pipeline/solve.js';
import type { Metric } from '../../pipeline/value.js';
import type { Asked } from '../options.js';
import { bytes, duration, percent, whole } from './numbers.js';
import { textTable } from './text-table.js';
import { distance } from './verdict.js';

const both = (pair: readonly [number, number]) => pair[0] + pair[1];

function longestOf(pair: readonly [number | null, number | null]): number | null {
  const known = pair.filter((plies) => plies !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Sums are over both sides to move; `white` and `black` are by side to move, in the colours of the slice's name. */
export function summaryJson(summary: SliceSummary): object {
  const { slice, table, found, verified, wallMs, cpuMs, peakRss } = summary;
  const counter = (name: string) => table.counters[name] ?? 0;
  const side = (i: 0 | 1) => ({
    positions: table.positions[i],
    wins: table.wins[i],
    losses: table.losses[i],
    draws: table.positions[i] - table.wins[i] - table.losses[i],
    longestWin: table.longestWin[i],
  });
  return {
    slice,
    found,
    verified,
    positions: both(table.positions),
    wins: both(table.wins),
    losses: both(table.losses),
    draws: both(table.positions) - both(table.wins) - both(table.losses),
    longestWin: longestOf(table.longestWin),
    white: side(0),
    black: side(1),
    rounds: table.rounds,
    requests: table.requests,
    bytesRead: counter('bytesRead'),
    bytesWritten: counter('bytesWritten'),
    rowsSorted: counter('rowsSorted'),
    rowsSpilled: counter('rowsSpilled'),
    spills: counter('spills'),
    mergePasses: counter('mergePasses'),
    peakRssBytes: peakRss,
    wallMs: Math.round(wallMs),
    cpuMs: cpuMs === null ? null : Math.round(cpuMs),
    phases: summary.phases.map((time) => ({
      phase: time.phase,
      wallMs: Math.round(time.wallMs),
      cpuMs: Math.round(time.cpuMs),
    })),
    digests: table.digests,
  };
}

export function summaryTable(summaries: readonly SliceSummary[]): string {
  const header = [
    'slice',
    'positions',
    'rounds',
    'requests',
    'read',
    'written',
    'spills',
    'merges',
    'peak RSS',
    'wall',
    'CPU',
    'longest win',
    'verified',
  ];
  const rows = summaries.map(({ slice, table, found, verified, wallMs, cpuMs, peakRss }) => [
    found ? `${slice} (was there)` : slice,
    whole(both(table.positions)),
    whole(table.rounds),
    whole(table.requests),
    bytes(table.counters.bytesRead ?? 0),
    bytes(table.counters.bytesWritten ?? 0),
    whole(table.counters.spills ?? 0),
    whole(table.counters.mergePasses ?? 0),
    peakRss === null ? '-' : bytes(peakRss),
    duration(wallMs),
    cpuMs === null ? '-' : duration(cpuMs),
    longestOf(table.longestWin)?.toString() ?? '-',
    verified === null ? 'no' : whole(verified),
  ]);
  return textTable(header, rows);
}

/** "KQKR: white to move wins 99.12 %, draws 0.88 %, loses 0 %; …; longest win 69 plies (mate in 35)". */
export function endingInWords(asked: Asked, { table }: SliceSummary, metric: Metric): string {
  const side = (colour: 'white' | 'black') => {
    const i = (colour === 'white') === asked.flipped ? 1 : 0;
    const of = table.positions[i];
    const share = (count: number) => percent(count, of);
    const draws = of - table.wins[i] - table.losses[i];
    return `${colour} to move wins ${share(table.wins[i])}, draws ${share(draws)}, loses ${share(table.losses[i])}`;
  };
  const longest = longestOf(table.longestWin);
  const reach = longest === null ? '' : `; longest win ${distance(longest, metric)}`;
  return `${asked.name}: ${side('white')}; ${side('black')}${reach}`;
}
