/** The report about a keyed game, or a graph, as one page that needs nothing else, and its figures as CSV. */
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { NodeTally } from '../../pipeline/graph/graph-stats.js';
import { csvText } from '../ui/csv.js';
import {
  type Block,
  type Cell,
  type Column,
  documentHtml,
  heading,
  paragraph,
  type Table,
  tableCsv,
} from '../ui/document.js';
import { wordsOf } from '../ui/graph-words.js';
import { keyedVerdict, type PlyWords, stepsText } from '../ui/keyed-text.js';
import { percent, whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';
import { capital } from '../ui/verdict.js';
import { drawHistogram } from './bars.js';
import type { KeyedGameReport, ReportedGame, ShownPosition } from './keyed-gather.js';
import { REPORT_STYLE } from './page-style.js';

/** Classes of the style, by winners. */
const WINS = ['white-wins', 'black-wins'] as const;

/** @param command that makes the page. */
export function keyedPage(report: KeyedGameReport, command: string): string {
  const { game, metric, stats, roots, longest } = report;
  const { graph, verified } = stats;
  const words = wordsOf(graph);
  const plies = `${words.plies} until ${words.over}`;
  const { plies: hasPlies, scores } = stipulations[metric];
  const values = !hasPlies ? 'wins, draws and losses' : scores ? `points, and ${plies}` : plies;
  const boards =
    graph.boards === undefined || graph.boards === graph.nodes
      ? ''
      : `, ${whole(graph.boards)} with symmetric ones apart`;
  const charts = [0, 1].flatMap((winner) => {
    const counts = [...stats.byPlies[winner]].sort(([a], [b]) => a - b);
    if (counts.length === 0) return [];
    const name = `${capital(game.colours[winner])} wins`;
    return [`<figure><h3>${safe(name)}</h3>${drawHistogram(name, WINS[winner], counts)}</figure>`];
  });
  const figures = (title: string, of: 'boards' | 'charts', pictures: readonly string[]): Block[] =>
    pictures.length === 0 ? [] : [heading(2, title), { kind: 'figures', class: of, figures: pictures }];
  const board = (shown: ShownPosition) => figure(game, shown, words);
  const blocks: Block[] = [
    heading(1, game.name),
    paragraph(
      `${whole(graph.nodes)} ${words.node}s${boards}, ${whole(graph.edges)} ${words.edge}s; values are ${values} (${metric}), ${verified ? 'verified' : 'not verified'}.`,
    ),
    { kind: 'command', text: command },
    ...figures('Where games begin', 'boards', roots.map(board)),
    heading(2, 'Who wins'),
    { kind: 'table', table: resultsTable(report) },
    ...(stats.byScore === null
      ? []
      : [heading(2, 'Positions by points'), { kind: 'table', table: pointsTable(report) } satisfies Block]),
    ...figures('Longest wins', 'boards', longest.map(board)),
    ...figures(`Wins by ${words.plies}`, 'charts', charts),
  ];
  return documentHtml(game.name, blocks, { style: REPORT_STYLE });
}

function figure(game: ReportedGame, { position, probed, line }: ShownPosition, words: PlyWords): string {
  const verdict = keyedVerdict(game.colours, probed, words);
  const moves =
    line === null || line.steps.length === 0
      ? ''
      : `<details><summary>best play</summary><p class="moves">${safe(stepsText(game.colours, line.steps))}</p></details>`;
  return `<figure><pre class="board">${safe(game.diagram(position))}</pre><figcaption>${safe(verdict)}<code>${safe(game.format(position))}</code>${moves}</figcaption></figure>`;
}

/** From how many positions each player wins: by who is to move, where games are over, and of all. */
function resultsTable({ game, stats }: KeyedGameReport): Table {
  const { chooses, over, all, graph } = stats;
  const words = wordsOf(graph);
  const row = (what: string, { won, nobody }: NodeTally): Cell[] => {
    const total = won[0] + won[1] + nobody;
    return [what, counted(total), ...[...won, nobody].map((count) => shareOf(count, total))];
  };
  return {
    columns: [
      { title: '', name: 'positions_where' },
      { title: `${words.node}s`, name: 'positions' },
      ...winsOf(game),
      { title: 'nobody wins', name: 'nobody_wins' },
    ],
    rows: [
      row(`${game.colours[0]} ${words.chooses}`, chooses[0]),
      row(`${game.colours[1]} ${words.chooses}`, chooses[1]),
      row(words.over, over),
      row('all', all),
    ],
  };
}

/** By points, most first: from how many positions each player wins by so many. */
function pointsTable({ game, stats }: KeyedGameReport): Table {
  const [first, second] = stats.byScore!;
  const { won, nobody } = stats.all;
  const positions = won[0] + won[1] + nobody;
  const rows = [...new Set([...first.keys(), ...second.keys()])]
    .sort((a, b) => b - a)
    .map((points) => [
      counted(points),
      ...[first, second].map((counts) => shareOf(counts.get(points) ?? 0, positions)),
    ]);
  return { columns: ['points', ...winsOf(game)], rows };
}

const winsOf = ({ colours }: ReportedGame): Column[] =>
  colours.map((colour) => ({ title: `${colour} wins`, name: `${colour}_wins` }));
const counted = (count: number): Cell => ({ value: count, text: whole(count) });
const shareOf = (count: number, all: number): Cell => ({
  value: count,
  text: `${whole(count)} (${percent(count, all)})`,
});

export const keyedResultsCsv = (report: KeyedGameReport): string => tableCsv(resultsTable(report));

/** Of a game with scores. */
export const keyedPointsCsv = (report: KeyedGameReport): string => tableCsv(pointsTable(report));

/** A line for each winner and number of plies that occurs. */
export function keyedPliesCsv({ game, stats }: KeyedGameReport): string {
  const rows = stats.byPlies.flatMap((counts, winner) =>
    [...counts]
      .sort(([a], [b]) => a - b)
      .map(([plies, positions]) => [game.colours[winner], plies, positions]),
  );
  return csvText(['winner', 'plies', 'positions'], rows);
}
