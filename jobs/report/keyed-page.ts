/** The report about a keyed game, or a graph, as one page that needs nothing else, and its figures as CSV. */
import { stipulations } from '../../pipeline/game/stipulation.js';
import { isTurnMerged } from '../../pipeline/graph/graph-tallies.js';
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
import { countsText, plyCounts, resultsTable, summed, winnersText } from '../ui/graph-results.js';
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
  const charts = plyCounts(stats).flatMap(({ what, counts }, winner) => {
    if (counts.length === 0) return [];
    const name = capital(what);
    return [`<figure><h3>${safe(name)}</h3>${drawHistogram(name, WINS[winner], counts)}</figure>`];
  });
  const winners = winnersText(stats);
  const figures = (title: string, of: 'boards' | 'charts', pictures: readonly string[]): Block[] =>
    pictures.length === 0 ? [] : [heading(2, title), { kind: 'figures', class: of, figures: pictures }];
  const board = (shown: ShownPosition) => figure(game, shown, words);
  const blocks: Block[] = [
    heading(1, game.name),
    paragraph(
      `${whole(graph.nodes)} ${words.node}s, ${whole(graph.edges)} ${words.edge}s; values are ${values} (${metric}), ${verified ? 'verified' : 'not verified'}.`,
    ),
    ...countsText(graph)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => paragraph(`${capital(line)}.`)),
    { kind: 'command', text: command },
    ...figures('Where games begin', 'boards', roots.map(board)),
    heading(2, 'Who wins'),
    { kind: 'table', table: resultsTable(stats) },
    ...(winners === '' ? [] : [paragraph(`${capital(winners)}.`)]),
    ...(stats.byScore === null
      ? []
      : [heading(2, 'Positions by points'), { kind: 'table', table: pointsTable(report) } satisfies Block]),
    ...figures('Longest wins and losses', 'boards', longest.map(board)),
    ...figures(`Wins by ${words.plies}`, 'charts', charts),
  ];
  return documentHtml(game.name, blocks, { style: REPORT_STYLE });
}

function figure(game: ReportedGame, { position, probed, line }: ShownPosition, words: PlyWords): string {
  const verdict = keyedVerdict(game.colours[probed.mover], probed, words);
  const moves =
    line === null || line.steps.length === 0
      ? ''
      : `<details><summary>best play</summary><p class="moves">${safe(stepsText(game.colours, line.steps))}</p></details>`;
  return `<figure><pre class="board">${safe(game.diagram(position))}</pre><figcaption>${safe(verdict)}<code>${safe(game.format(position))}</code>${moves}</figcaption></figure>`;
}

/** How many positions are won by so many points; who wins them is in no column where the turn is merged. */
function pointsTable({ game, stats }: KeyedGameReport): Table {
  const { won, nobody } = stats.all;
  const positions = won[0] + won[1] + nobody;
  const isMerged = isTurnMerged(stats.graph);
  const columns = isMerged ? [summed(stats.byScore!)] : stats.byScore!;
  const rows = [...new Set(columns.flatMap((counts) => [...counts.keys()]))]
    .sort((a, b) => b - a)
    .map((points) => [
      counted(points),
      ...columns.map((counts) => shareOf(counts.get(points) ?? 0, positions)),
    ]);
  const titles = isMerged ? [{ title: 'won or lost', name: 'decided' }] : winsOf(game);
  return { columns: ['points', ...titles], rows };
}

const winsOf = ({ colours }: ReportedGame): Column[] =>
  colours.map((colour) => ({ title: `${colour} wins`, name: `${colour}_wins` }));
const counted = (count: number): Cell => ({ value: count, text: whole(count) });
const shareOf = (count: number, all: number): Cell => ({
  value: count,
  text: `${whole(count)} (${percent(count, all)})`,
});

/** How many positions each player wins, unless the turn is merged; and results for the player to move. */
export function keyedResultsCsv({ game, stats }: KeyedGameReport): string {
  const { columns, rows } = resultsTable(stats, false);
  if (isTurnMerged(stats.graph)) return tableCsv({ columns, rows });
  const winners = [...stats.chooses, stats.over, stats.all].map(({ won, nobody }) => [...won, nobody]);
  const winnerColumns = [...winsOf(game), { title: 'nobody wins', name: 'nobody_wins' }];
  return tableCsv({
    columns: [...columns.slice(0, 2), ...winnerColumns, ...columns.slice(2)],
    rows: rows.map((row, i) => [...row.slice(0, 2), ...winners[i], ...row.slice(2)]),
  });
}

/** Of a game with scores. */
export const keyedPointsCsv = (report: KeyedGameReport): string => tableCsv(pointsTable(report));

/** A line for each winner and number of plies that occurs; the winner is left empty where the turn is merged. */
export function keyedPliesCsv({ game, stats }: KeyedGameReport): string {
  const isMerged = isTurnMerged(stats.graph);
  const rows = plyCounts(stats).flatMap(({ counts }, winner) =>
    counts.map(([plies, positions]) => [isMerged ? '' : game.colours[winner], plies, positions]),
  );
  return csvText(['winner', 'plies', 'positions'], rows);
}
