/** The report about a keyed game, or a graph, as one page that needs nothing else, and its figures as CSV. */
import type { NodeTally } from '../../pipeline/graph/graph-stats.js';
import { wordsOf } from '../ui/graph-words.js';
import { keyedVerdict, type PlyWords, stepsText } from '../ui/keyed-text.js';
import { percent, whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';
import { capital } from '../ui/verdict.js';
import { drawHistogram } from './bars.js';
import { csvText } from './csv.js';
import type { KeyedGameReport, ReportedGame, ShownPosition } from './keyed-gather.js';
import { REPORT_STYLE } from './page-style.js';

/** Classes of the style, by winners. */
const WINS = ['white-wins', 'black-wins'] as const;

/** @param command that makes the page. */
export function keyedPage(report: KeyedGameReport, command: string): string {
  const { game, metric, stats, roots, longest } = report;
  const { graph, verified } = stats;
  const words = wordsOf(graph);
  const title = safe(game.name);
  const plies = `${words.plies} until ${words.over}`;
  const values =
    metric === 'wdl' ? 'wins, draws and losses' : metric === 'score' ? `points, and ${plies}` : plies;
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
  const body = [
    `<h1>${title}</h1>`,
    `<p>${whole(graph.nodes)} ${words.node}s${boards}, ${whole(graph.edges)} ${words.edge}s; values are ${values} (${metric}), ${verified ? 'verified' : 'not verified'}.</p>`,
    `<p class="soft">Made by <code>${safe(command)}</code></p>`,
    ...(roots.length === 0
      ? []
      : [
          '<h2>Where games begin</h2>',
          `<div class="boards">${roots.map((root) => figure(game, root, words)).join('\n')}</div>`,
        ]),
    '<h2>Who wins</h2>',
    resultsTable(report),
    ...(stats.byScore === null ? [] : ['<h2>Positions by points</h2>', pointsTable(report)]),
    ...(longest.length === 0
      ? []
      : [
          '<h2>Longest wins</h2>',
          `<div class="boards">${longest.map((each) => figure(game, each, words)).join('\n')}</div>`,
        ]),
    ...(charts.length === 0
      ? []
      : [`<h2>Wins by ${words.plies}</h2>`, `<div class="charts">${charts.join('\n')}</div>`]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${REPORT_STYLE}</style></head>
<body><main>
${body.join('\n')}
</main></body></html>
`;
}

function figure(game: ReportedGame, { position, probed, line }: ShownPosition, words: PlyWords): string {
  const verdict = keyedVerdict(game.colours, probed, words);
  const moves =
    line === null || line.steps.length === 0
      ? ''
      : `<details><summary>best play</summary><p class="moves">${safe(stepsText(game.colours, line.steps))}</p></details>`;
  return `<figure><pre class="board">${safe(game.diagram(position))}</pre><figcaption>${safe(verdict)}<code>${safe(game.format(position))}</code>${moves}</figcaption></figure>`;
}

/** Rows of the table and of the file: what, its tally. */
function tallies({ game, stats }: KeyedGameReport): (readonly [what: string, tally: NodeTally])[] {
  const { chooses, over, all } = stats;
  const words = wordsOf(stats.graph);
  return [
    [`${game.colours[0]} ${words.chooses}`, chooses[0]],
    [`${game.colours[1]} ${words.chooses}`, chooses[1]],
    [words.over, over],
    ['all', all],
  ];
}

/** By points, most first: from how many positions each player wins by so many. */
function pointsOf({ stats }: KeyedGameReport): (readonly [points: number, first: number, second: number])[] {
  const [first, second] = stats.byScore!;
  return [...new Set([...first.keys(), ...second.keys()])]
    .sort((a, b) => b - a)
    .map((points) => [points, first.get(points) ?? 0, second.get(points) ?? 0]);
}

function pointsTable(report: KeyedGameReport): string {
  const { colours } = report.game;
  const { all } = report.stats;
  const positions = all.won[0] + all.won[1] + all.nobody;
  const cell = (count: number) => `<td>${whole(count)} (${percent(count, positions)})</td>`;
  const rows = pointsOf(report).map(
    ([points, first, second]) => `<tr><td>${whole(points)}</td>${cell(first)}${cell(second)}</tr>`,
  );
  const heads = ['points', `${colours[0]} wins`, `${colours[1]} wins`].map(
    (text) => `<th>${safe(text)}</th>`,
  );
  return tableOf(heads, rows);
}

function tableOf(heads: readonly string[], rows: readonly string[]): string {
  return `<div class="scroll"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function resultsTable(report: KeyedGameReport): string {
  const { colours } = report.game;
  const heads = [
    '',
    `${wordsOf(report.stats.graph).node}s`,
    `${colours[0]} wins`,
    `${colours[1]} wins`,
    'nobody wins',
  ];
  const rows = tallies(report).map(([what, { won, nobody }]) => {
    const all = won[0] + won[1] + nobody;
    const shares = [won[0], won[1], nobody].map((count) => `${whole(count)} (${percent(count, all)})`);
    const cells = [whole(all), ...shares].map((text) => `<td>${text}</td>`);
    return `<tr><td>${safe(what)}</td>${cells.join('')}</tr>`;
  });
  return tableOf(
    heads.map((text) => `<th>${safe(text)}</th>`),
    rows,
  );
}

/** A line for each player to move, for ends of games, and for all. */
export function keyedResultsCsv(report: KeyedGameReport): string {
  const [first, second] = report.game.colours;
  return csvText(
    ['positions_where', 'positions', `${first}_wins`, `${second}_wins`, 'nobody_wins'],
    tallies(report).map(([what, { won, nobody }]) => [
      what,
      won[0] + won[1] + nobody,
      won[0],
      won[1],
      nobody,
    ]),
  );
}

/** For a game with scores: a line for each number of points that occurs. */
export function keyedPointsCsv(report: KeyedGameReport): string {
  const [first, second] = report.game.colours;
  return csvText(['points', `${first}_wins`, `${second}_wins`], pointsOf(report));
}

/** A line for each winner and number of plies that occurs. */
export function keyedPliesCsv({ game, stats }: KeyedGameReport): string {
  const rows = stats.byPlies.flatMap((counts, winner) =>
    [...counts]
      .sort(([a], [b]) => a - b)
      .map(([plies, positions]) => [game.colours[winner], plies, positions]),
  );
  return csvText(['winner', 'plies', 'positions'], rows);
}
