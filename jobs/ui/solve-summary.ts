/** Summary of a solve, as a table and words for people and as JSON for programs. */

import type { SliceSummary } from '../../pipeline/engine/crew/solve.js';
import type { Colour, Ending, Game } from '../../pipeline/game/game.js';
import { digestsOf } from '../../pipeline/game/manifest.js';
import { namedSlice } from '../../pipeline/game/slice-words.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { type Metric, RULE_PLIES } from '../../pipeline/game/value.js';
import { sideOf, viewsOf } from '../../pipeline/game/views.js';
import { byClass, MANY_SLICES, total } from './classes.js';
import { tableText } from './document.js';
import { bytes, duration, percent, whole } from './numbers.js';
import { distance } from './verdict.js';

const both = (pair: readonly [number, number]) => pair[0] + pair[1];

function longestOf(all: readonly (number | null)[]): number | null {
  const known = all.filter((plies) => plies !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms));

/** Time of a whole run: less than that of its slices together where several were at work at once. */
export interface RunTime {
  readonly wallMs: number;
  /** Null if it is not known. */
  readonly cpuMs: number | null;
}

export function runTimeJson({ wallMs, cpuMs }: RunTime): object {
  return { wallMs: Math.round(wallMs), cpuMs: rounded(cpuMs) };
}

/** What a table took to solve, by the counters of its manifest: of the call that solved it, which may be an earlier one. */
const WORK = [
  'bytesRead',
  'bytesWritten',
  'rowsSorted',
  'rowsSpilled',
  'spills',
  'mergePasses',
  'pagesMet',
  'pagesChanged',
] as const;

/**
 * Counters of this call, which are 0 for what was there already; `earlier` then has those of the call that solved it.
 * @param counted what the tables say.
 */
export function workJson(counted: Readonly<Record<string, number>>, found: boolean): object {
  if (!found) return counted;
  return { ...Object.fromEntries(Object.keys(counted).map((name) => [name, 0])), earlier: counted };
}

/** Counts of the positions with a side to move, or without one, of both: of problems, how many have a solution. */
function countsJson(
  { metric, positions, wins, losses, longestWin }: SliceSummary['table'],
  side?: 0 | 1,
): object {
  const of = (counts: readonly [number, number]) => (side === undefined ? both(counts) : counts[side]);
  const all = of(positions);
  const longest = side === undefined ? longestOf(longestWin) : longestWin[side];
  if (stipulations[metric].numbers) return { positions: all, solvable: of(wins) + of(losses), longest };
  return {
    positions: all,
    wins: of(wins),
    losses: of(losses),
    draws: all - of(wins) - of(losses),
    longestWin: longest,
  };
}

/**
 * Sums are over both sides to move; `white` and `black` are by side to move, in the colours of the slice's name. Under
 * `dtz` wins and losses include those that the 50-move rule makes draws.
 */
export function summaryJson(summary: SliceSummary, { colours }: Pick<Game, 'colours'>): object {
  const { slice, table, found, mode, verified, wallMs, cpuMs, peakRss } = summary;
  const counted = WORK.map((name) => [name, table.counters[name] ?? 0] as const);
  return {
    slice,
    found,
    mode: mode?.mode ?? null,
    why: mode?.why ?? null,
    verified,
    ...countsJson(table),
    [colours[0]]: countsJson(table, 0),
    [colours[1]]: countsJson(table, 1),
    rounds: table.rounds,
    ...workJson({ requests: table.requests, ...Object.fromEntries(counted) }, found),
    peakRssBytes: peakRss,
    wallMs: Math.round(wallMs),
    cpuMs: rounded(cpuMs),
    phases: summary.phases.map((time) => ({
      phase: time.phase,
      wallMs: Math.round(time.wallMs),
      cpuMs: rounded(time.cpuMs),
    })),
    digests: digestsOf(table),
  };
}

/**
 * A row for each slice, or if they are many, or classes were asked for, for each class: sums, and the longest win of all.
 * The last row is of the run, where that is more than the rows before it say.
 */
export function summaryTable(
  game: Game,
  asked: readonly Ending[],
  summaries: readonly SliceSummary[],
  run: RunTime,
): string {
  const columns = COLUMNS.map((column) => (column === LONGEST ? longestColumn(summaries) : column));
  const inClasses = summaries.length > MANY_SLICES || asked.some(({ slices }) => slices.length > 1);
  if (inClasses) {
    const rows = byClass(game, summaries).map(({ name, members }) => summaryRow(name, members));
    const counts = byClass(game, summaries).map(({ members }) => members.length);
    const all = summaryRow('all', summaries, run);
    const counted = [...rows, all].map(([title, ...figures], i) => {
      return [title, whole(counts[i] ?? summaries.length), ...figures];
    });
    return tableText({ columns: ['class', 'slices', ...columns], rows: counted });
  }
  const rows = summaries.map((summary) => summaryRow(summary.slice, [summary]));
  const isConcurrent = summaries.some(({ cpuMs }) => cpuMs === null) && run.cpuMs !== null;
  return tableText({
    columns: ['slice', ...columns],
    rows: isConcurrent ? [...rows, summaryRow('all', summaries, run)] : rows,
  });
}

const LONGEST = 'longest win';
const COLUMNS = [
  ...['positions', 'rounds', 'requests', 'read', 'written', 'spills', 'merges', 'peak RSS', 'wall', 'CPU'],
  ...[LONGEST, 'verified'],
];

/** Nobody wins a problem. */
function longestColumn([first]: readonly SliceSummary[]): string {
  return first !== undefined && stipulations[first.table.metric].numbers ? 'most plies' : LONGEST;
}

function summaryRow(
  name: string,
  members: readonly SliceSummary[],
  { wallMs, cpuMs }: RunTime = timeOf(members),
): string[] {
  const sum = (figure: (summary: SliceSummary) => number) => total(members, figure);
  // Time is of this call, and so is work: tables that were there took none.
  const work = (figure: (summary: SliceSummary) => number) =>
    sum((summary) => (summary.found ? 0 : figure(summary)));
  const counter = (what: (typeof WORK)[number]) => work(({ table }) => table.counters[what] ?? 0);
  /** Sums over those that know it. */
  const known = (figure: (summary: SliceSummary) => number | null) =>
    members.map(figure).filter((value) => value !== null);
  const found = members.filter((summary) => summary.found).length;
  const there = members.length === 1 ? 'was there' : `${found === members.length ? 'all' : found} were there`;
  const peaks = known(({ peakRss }) => peakRss);
  const verified = known((summary) => summary.verified);
  return [
    found === 0 ? name : `${name} (${there})`,
    whole(sum(({ table }) => both(table.positions))),
    whole(sum(({ table }) => table.rounds)),
    whole(work(({ table }) => table.requests)),
    bytes(counter('bytesRead')),
    bytes(counter('bytesWritten')),
    whole(counter('spills')),
    whole(counter('mergePasses')),
    peaks.length === 0 ? '-' : bytes(Math.max(...peaks)),
    duration(wallMs),
    cpuMs === null ? '-' : duration(cpuMs),
    longestOf(members.flatMap(({ table }) => table.longestWin))?.toString() ?? '-',
    verified.length === 0 ? 'no' : whole(total(verified, (positions) => positions)),
  ];
}

/** Time of slices together. CPU time is known if it is for every slice solved now. */
function timeOf(summaries: readonly SliceSummary[]): RunTime {
  const known = summaries.filter(({ cpuMs }) => cpuMs !== null);
  const missing = summaries.some(({ found, cpuMs }) => !found && cpuMs === null);
  return {
    wallMs: total(summaries, ({ wallMs }) => wallMs),
    cpuMs: missing || known.length === 0 ? null : total(known, ({ cpuMs }) => cpuMs!),
  };
}

/** Meaning of the first slice name that needs words; empty if none does. */
function sliceNote(game: Game, summaries: readonly SliceSummary[]): string {
  const first = summaries.find(({ slice }) => (game.sliceWords?.(slice) ?? null) !== null);
  return first === undefined ? '' : `Slices are named as ${namedSlice(game, first.slice)}.\n`;
}

/** A line for each ending, unless they are many. Shares are of positions up to symmetry, as tables have them. */
export function endingsInWords(
  game: Game,
  endings: readonly Ending[],
  summaries: readonly SliceSummary[],
  metric: Metric,
): string {
  const bySlice = new Map(summaries.map((summary) => [summary.slice, summary]));
  const note = sliceNote(game, summaries);
  if (endings.length <= MANY_SLICES)
    // Positions with two values are not added up: an ending that has such is two.
    return (
      note +
      endings
        .flatMap(({ name, bounds }) => (bounds ?? [name]).map((each) => game.ending(each)))
        .map((ending) => `${endingInWords(game, ending, bySlice, metric)}\n`)
        .join('')
    );
  const longest = longestOf(summaries.flatMap(({ table }) => table.longestWin));
  return `${note}${whole(endings.length)} endings in ${whole(summaries.length)} slices${reach(longest, metric, game)}\n`;
}

/** "KQKR, positions up to symmetry: white to move wins 99.12 %, draws 0.88 %, loses 0 %; …; longest win 69 plies (mate in 35)". */
function endingInWords(
  game: Game,
  ending: Ending,
  bySlice: ReadonlyMap<string, SliceSummary>,
  metric: Metric,
): string {
  const tables = viewsOf(game, ending).map((view) => ({ ...view, table: bySlice.get(view.slice)!.table }));
  const longest = longestOf(tables.flatMap(({ table }) => table.longestWin));
  // Manifests count them together.
  const hasCursed = stipulations[metric].rule50 === 'cursed' && longest !== null && longest >= RULE_PLIES;
  const [cursed, blessed] = hasCursed ? [' (with cursed wins)', ' (with blessed losses)'] : ['', ''];
  const side = (colour: Colour) => {
    const sum = (figure: 'positions' | 'wins' | 'losses') =>
      total(tables, ({ table, flipped }) => table[figure][sideOf(game, colour, flipped)]);
    const [positions, wins, losses] = [sum('positions'), sum('wins'), sum('losses')];
    const share = (count: number) => percent(count, positions);
    if (stipulations[metric].numbers) return `${colour} to move ${share(wins + losses)} with a solution`;
    return `${colour} to move wins${cursed} ${share(wins)}, draws ${share(positions - wins - losses)}, loses${blessed} ${share(losses)}`;
  };
  return `${ending.name}, positions up to symmetry: ${game.colours.map(side).join('; ')}${reach(longest, metric, game)}`;
}

function reach(longest: number | null, metric: Metric, game: Game): string {
  // Problems with the other side to move may take a ply more: "stats" names them.
  if (longest === null || stipulations[metric].numbers) return '';
  // The longest loss may be a ply longer.
  const rule =
    stipulations[metric].rule50 === 'cursed' && longest >= RULE_PLIES
      ? `; those of more than ${RULE_PLIES} plies are draws by the 50-move rule, which "stats" counts apart`
      : '';
  return `; longest win ${distance({ plies: longest }, metric, game)}${rule}`;
}
