/** Text of a forecast: its result and its assumptions. */

import { type SliceEstimate, sumOf } from '../../pipeline/analysis/forecast/estimate.js';
import type { PhaseEstimate } from '../../pipeline/analysis/forecast/phases.js';
import type { Game } from '../../pipeline/game/game.js';
import { byClass, MANY_SLICES, total } from '../ui/classes.js';
import { tableText } from '../ui/document.js';
import { bytes, duration, percent, rough, whole } from '../ui/numbers.js';
import type { Forecast } from './forecast.js';

const seconds = (n: number) => duration(n * 1000);
const size = (n: number) => bytes(Math.round(n));

export function estimateText(game: Game, forecast: Forecast): string {
  const { slices } = forecast;
  const largest = slices.reduce((a, b) => (b.work.indices > a.work.indices ? b : a));
  return [
    `Forecast: nothing of this is measured.\n\n${slices.length > MANY_SLICES ? classesTable(game, slices) : slicesTable(slices)}`,
    `Phases of ${largest.slice}\n\n${phasesTable(largest.phases)}`,
    `All slices, by the share of positions that are won or lost\n\n${rangeTable(forecast)}`,
    assumptions(forecast),
  ].join('\n');
}

const COLUMNS = ['requests', 'at most', 'conversions', 'table', 'CPU', 'read', 'written', 'wall'];

/** Sums; the rounds are the most. */
function classesTable(game: Game, slices: readonly SliceEstimate[]): string {
  const rows = byClass(game, slices).map(({ name, members }) => {
    const works = members.map(({ work }) => work);
    const sum = sumOf(members.flatMap(({ phases }) => phases));
    return [
      ...[name, whole(members.length), rough(total(works, ({ positions }) => positions))],
      ...[
        whole(Math.max(...works.map(({ rounds }) => rounds))),
        rough(total(works, ({ requests }) => requests)),
      ],
      ...[rough(total(works, ({ mostRequests }) => mostRequests))],
      rough(total(works, ({ conversions }) => conversions)),
      ...[size(total(members, ({ tableBytes }) => tableBytes)), seconds(sum.cpuSeconds)],
      ...[size(sum.bytesRead), size(sum.bytesWritten), seconds(sum.wallSeconds)],
    ];
  });
  return tableText({ columns: ['class', 'slices', 'positions', 'rounds', ...COLUMNS], rows });
}

function slicesTable(slices: readonly SliceEstimate[]): string {
  const rows = slices.map(({ slice, work, tableBytes, phases }) => {
    const sum = sumOf(phases);
    return [
      ...[slice, rough(work.positions), roundsText(work), rough(work.requests), rough(work.mostRequests)],
      ...[rough(work.conversions), size(tableBytes), seconds(sum.cpuSeconds)],
      ...[size(sum.bytesRead), size(sum.bytesWritten), seconds(sum.wallSeconds)],
    ];
  });
  return tableText({ columns: ['slice', 'positions', 'rounds', ...COLUMNS], rows });
}

/** With the range of `EstimatedWork`. */
function roundsText({ rounds, roundsRange: [least, most] }: SliceEstimate['work']): string {
  return least === most ? whole(rounds) : `${whole(rounds)} (${whole(least)}-${whole(most)})`;
}

function phasesTable(phases: readonly PhaseEstimate[]): string {
  const columns = [
    'phase',
    'barriers x partitions',
    'CPU',
    'read',
    'written',
    'of these scratch',
    'GET',
    'PUT',
    'LIST',
    'DELETE',
    'wall',
    'of it barriers',
  ];
  const rows = phases.map((each) => [
    each.phase,
    each.barriers === 0 ? '' : `${whole(each.barriers)} x ${whole(each.partitions)}`,
    seconds(each.cpuSeconds),
    size(each.bytesRead),
    size(each.bytesWritten),
    size(2 * each.scratch),
    ...[rough(each.gets), rough(each.puts), rough(each.lists), rough(each.deletes)],
    ...[seconds(each.wallSeconds), seconds(each.barrierSeconds)],
  ]);
  return tableText({ columns, rows });
}

function rangeTable({ range }: Forecast): string {
  const columns = ['share', 'rounds', 'CPU', 'read', 'written', 'GET', 'PUT', 'wall'];
  const rows = range.map(({ decided, longest, total }) => [
    percent(decided * 100, 100),
    longest === true ? 'at most' : 'likely',
    seconds(total.cpuSeconds),
    size(total.bytesRead),
    size(total.bytesWritten),
    rough(total.gets),
    rough(total.puts),
    seconds(total.wallSeconds),
  ]);
  return tableText({ columns, rows });
}

function assumptions({ assumed, tableBytes, slices }: Forecast): string {
  const { decided, rounds, machines, constants } = assumed;
  const most = Math.max(...slices.map(({ workBytes }) => workBytes));
  const many = machines.count === 1 ? '1 machine' : `${whole(machines.count)} machines`;
  return `\
Disk: ${size(tableBytes)} of tables, and at most ${size(most)} more while a slice is solved.
Modelled from samples of each slice: positions, requests, conversions; from these, CPU, bytes and operations.
Measured elsewhere: CPU a row and a byte (${constants.machine}).
Rounds: nine of ten endings take at least the lesser number in brackets; none that is known takes more than the greater. What no sample
  shows are wins far longer than those of anything that an ending converts to, as where forces are almost equal, or cursed wins count.
Error: CPU of chess endings of five men was off by up to 1.6 times; of four men, the forecast is two to three times too low.
Assumed: ${percent(decided * 100, 100)} of the positions won or lost; ${rounds === null ? 'rounds follow from those of the dependencies' : `${whole(rounds)} rounds`}; ${many}, one rank each,
  ${bytes(machines.bandwidth)}/s to the store, ${whole(machines.phaseSeconds)} s a barrier beside the answers of the store; small slices are dealt to ranks, large ones follow each other.
`;
}
