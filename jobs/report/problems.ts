/** The report about problems of endings: figures and the longest problems, as one page that needs nothing else and as CSV files. */

import { type FoundProblem, type ProblemStats, problemStats } from '../../pipeline/analysis/problem-stats.js';
import type { Colour, Ending, Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { sideOf } from '../../pipeline/game/views.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import type { Table } from '../../pipeline/tables/table.js';
import type { TableColumn } from '../../pipeline/tables/value-table.js';
import { csvText } from '../ui/csv.js';
import { type Block, documentHtml, heading, paragraph } from '../ui/document.js';
import { count, whole } from '../ui/numbers.js';
import { solutionText } from '../ui/problem-notation.js';
import { safe } from '../ui/safe-html.js';
import { problemClassStats } from '../ui/stats-document.js';
import { capital, metricWords, problemText, verdict, type Worded } from '../ui/verdict.js';
import { drawHistogram } from './bars.js';
import { CHESS_SYMBOLS } from './chess-men.js';
import { figure } from './ending-section.js';
import { PAGE_SCRIPT } from './page-script.js';
import { REPORT_STYLE } from './page-style.js';

/** A problem that the page shows. */
interface ShownProblem {
  /** "Longest", "Deepest sound problem" */
  readonly what: string;
  readonly side: Colour;
  readonly fen: string;
  /** Positions with as many plies. */
  readonly positions: number;
  readonly value: Worded;
  /** The first solutions, as composers write them, and whether there are others. */
  readonly solutions: readonly string[];
  readonly more: boolean;
}

export interface ProblemReport {
  readonly ending: string;
  readonly pieces: number;
  readonly problems: ProblemStats;
  readonly shown: readonly ShownProblem[];
}

interface GatherOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly prober: Prober<unknown>;
  readonly open: (slice: string) => Promise<Table>;
  readonly numbers: (table: Table) => TableColumn;
  /** As of `problemStats`. */
  readonly report: (done: number) => Promise<void>;
}

/** Solutions that are shown of a problem. */
const SHOWN = 3;

/** Makes a pass over the tables of an ending, and looks its longest problems up. Throws errors of those. */
export async function gatherProblems(options: GatherOptions, ending: Ending): Promise<ProblemReport> {
  const { game } = options;
  const problems = await problemStats({ ...options, ending });
  const shown: ShownProblem[] = [];
  for (const [what, pick] of [
    ['Longest', 'longest'],
    ['Deepest sound problem', 'deepestSound'],
  ] as const)
    for (const side of game.colours) {
      const found = problems[side][pick];
      if (found !== null && found.plies > 0) shown.push(await describe(options, what, side, found));
    }
  return { ending: ending.name, pieces: ending.pieces, problems, shown };
}

async function describe(
  { game, prober }: GatherOptions,
  what: string,
  side: Colour,
  { fen, positions }: FoundProblem,
): Promise<ShownProblem> {
  const board = game.parse(fen);
  const value = await prober.probe(board);
  const solutions: string[] = [];
  let more = false;
  for await (const line of new Solutions(game, prober).lines(board)) {
    more = solutions.length === SHOWN;
    if (more) break;
    const sans = line.map(({ san }) => san);
    solutions.push(solutionText(prober.metric, sans, sideOf(game, side, false)));
  }
  return { what, side, fen, positions, value, solutions, more };
}

interface Page {
  readonly game: Game;
  readonly metric: Metric;
  /** Endings that were asked for. */
  readonly title: string;
  /** The command that makes the page. */
  readonly command: string;
  readonly endings: readonly ProblemReport[];
}

/** Endings that are shown open. */
const OPEN = 4;

export function problemsPage({ game, metric, command, endings, ...page }: Page): string {
  const title = `${capital(game.name)}: ${page.title}`;
  const sides = endings.flatMap(({ problems }) => game.colours.map((colour) => problems[colour]));
  const sum = (of: 'positions' | 'solvable' | 'sound') => sides.reduce((total, side) => total + side[of], 0);
  const [, ...counts] = problemClassStats(game, metric, endings);
  const blocks: Block[] = [
    heading(1, title),
    paragraph(
      `${whole(sum('positions'))} positions up to the symmetries of the board, ${whole(sum('solvable'))} with a solution, ${whole(sum('sound'))} sound; values are ${metricWords(metric, game)} (${metric}).`,
    ),
    { kind: 'command', text: command },
    heading(2, 'Problems'),
    ...counts,
    heading(2, 'The endings'),
    ...endings.map(
      (each): Block => ({ kind: 'html', html: endingSection(game, metric, each, endings.length <= OPEN) }),
    ),
  ];
  return documentHtml(title, blocks, { style: REPORT_STYLE, symbols: CHESS_SYMBOLS, script: PAGE_SCRIPT });
}

function endingSection(
  game: Game,
  metric: Metric,
  { ending, problems, shown }: ProblemReport,
  open: boolean,
): string {
  const boards = shown.map(({ what, side, fen, positions, value, solutions, more }) => {
    const words = verdict(value, metric, side, game);
    const caption = `<b>${what}</b> (${count(positions, 'position')})<br>${safe(words)}`;
    const lines = [...solutions, ...(more ? ['…'] : [])].map((line) => `<p class="moves">${safe(line)}</p>`);
    return figure(game, fen, caption, `<details><summary>solutions</summary>${lines.join('')}</details>`);
  });
  const charts = game.colours.flatMap((colour) =>
    (['byPly', 'soundByPly'] as const).flatMap((of) => {
      const counts = Object.entries(problems[colour][of]).map(([ply, n]) => [Number(ply), n] as const);
      if (counts.length === 0) return [];
      const name = `${capital(colour)} to move: ${of === 'byPly' ? 'positions with a solution' : 'sound'}`;
      const bars = counts.sort(([a], [b]) => a - b);
      return [`<figure><h3>${name}</h3>${drawHistogram(name, `${colour}-wins`, bars)}</figure>`];
    }),
  );
  const body = [
    boards.length === 0 ? '' : `<div class="boards">${boards.join('\n')}</div>`,
    charts.length === 0
      ? '<p class="soft">No position has a solution.</p>'
      : `<h3>Positions by plies</h3><div class="charts">${charts.join('\n')}</div>`,
  ];
  return `<details class="ending" id="${safe(ending)}"${open ? ' open' : ''}><summary>${safe(ending)}</summary>
${body.join('\n')}
</details>`;
}

const sidesOf = ({ ending, problems }: ProblemReport) =>
  Object.entries(problems).map(([side, stats]) => ({ ending, side, stats }));

/** A line for each ending and side to move. */
export function problemEndingsCsv(metric: Metric, endings: readonly ProblemReport[]): string {
  const named = (found: FoundProblem | null) =>
    found === null
      ? [null, null, null, null]
      : [problemText({ plies: found.plies }, metric), found.plies, found.positions, found.fen];
  const of = (what: string) => ['', '_plies', '_positions', '_fen'].map((field) => `${what}${field}`);
  return csvText(
    [
      ...['ending', 'side_to_move', 'positions', 'with_a_solution', 'sound'],
      ...of('longest'),
      ...of('deepest_sound'),
    ],
    endings.flatMap(sidesOf).map(({ ending, side, stats }) => {
      const { positions, solvable, sound, longest, deepestSound } = stats;
      return [ending, side, positions, solvable, sound, ...named(longest), ...named(deepestSound)];
    }),
  );
}

/** A line for each ending, side to move and number of plies that occurs. */
export function problemPliesCsv(metric: Metric, endings: readonly ProblemReport[]): string {
  const rows = endings.flatMap(sidesOf).flatMap(({ ending, side, stats: { byPly, soundByPly } }) =>
    Object.entries(byPly).map(([ply, positions]) => {
      const words = problemText({ plies: Number(ply) }, metric);
      return [ending, side, words, Number(ply), positions, soundByPly[ply] ?? 0];
    }),
  );
  return csvText(['ending', 'side_to_move', 'stipulation', 'plies', 'positions', 'sound'], rows);
}

/** A line for each ending, side to move and number of solutions that occurs; 255 is for 255 or more. */
export function problemNumbersCsv(endings: readonly ProblemReport[]): string {
  const rows = endings
    .flatMap(sidesOf)
    .flatMap(({ ending, side, stats: { byNumber } }) =>
      Object.entries(byNumber).map(([number, positions]) => [ending, side, Number(number), positions]),
    );
  return csvText(['ending', 'side_to_move', 'solutions', 'positions'], rows);
}
