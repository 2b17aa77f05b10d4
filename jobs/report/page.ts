/** The report as one page that needs nothing else: no network, and no script but to sort its tables. */
import { resultsOf, signOf } from '../../pipeline/analysis/codes.js';
import type { Tally } from '../../pipeline/analysis/stats.js';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import type { Wdl } from '../../pipeline/game/value.js';
import { percent, whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';
import { classOf, drawShares } from './bars.js';
import { CHESS_SYMBOLS } from './chess-men.js';
import { endingSection, metricWords, type ReportedEnding } from './ending-section.js';
import type { EndingReport, LongestLine } from './gather.js';
import { PAGE_SCRIPT } from './page-script.js';
import { REPORT_STYLE } from './page-style.js';
import { plausibleTable } from './plausible-table.js';

export interface Page extends ReportedEnding {
  /** Endings that were asked for: "KQKR", "all endings up to 4 pieces". */
  readonly title: string;
  /** The command that makes the page. */
  readonly command: string;
  readonly endings: readonly EndingReport[];
}

const LONGEST = {
  win: 'longestWin',
  'cursed win': 'longestCursedWin',
  'blessed loss': 'longestBlessedLoss',
  loss: 'longestLoss',
} as const;

/** Endings that are shown open. */
const OPEN = 4;

export function reportPage(page: Page): string {
  const { game, metric, command, endings } = page;
  const title = `${capitalised(game.name)}: ${page.title}`;
  const results = resultsOf(metric);
  const boards = sum(endings, ({ sides }) => sum(sides, ({ legal }) => legal.placements));
  const canonical = sum(endings, ({ sides }) => sum(sides, ({ legal }) => legal.orbits));
  const body = [
    `<h1>${safe(title)}</h1>`,
    `<p>${whole(boards)} boards, ${whole(canonical)} positions up to the symmetries of the board; values are ${safe(metricWords(metric, game))} (${metric}).</p>`,
    `<p class="soft">Made by <code>${safe(command)}</code></p>`,
    '<h2>Results for the side to move</h2>',
    `<ul class="legend">${results.map((result) => `<li><span class="swatch ${classOf(result)}"></span>${result}</li>`).join('')}</ul>`,
    resultsTable(page, results),
    `<p class="soft">Boards are counted, so a position counts as often as it has images under the symmetries of the board; like men are interchangeable. Longest wins and losses are in plies.</p>`,
    plausibleTable(game, endings),
    zugzwangTable(endings),
    '<h2>The endings</h2>',
    ...endings.map((ending) => endingSection(page, ending, endings.length <= OPEN)),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${safe(title)}</title><style>${REPORT_STYLE}</style></head>
<body>${game.name === 'chess' ? CHESS_SYMBOLS : ''}<main>
${body.join('\n')}
</main><script>${PAGE_SCRIPT}</script></body></html>
`;
}

function capitalised(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

/** A cell that sorts by a number. */
function numberCell(value: number, text: string): string {
  return `<td data-value="${value}">${text}</td>`;
}

function heads(columns: readonly (readonly [text: string, sort: 'number' | 'text'])[]): string {
  return columns
    .map(([text, sort]) => `<th data-sort="${sort}"${text === 'score' ? ' class="score"' : ''}>${text}</th>`)
    .join('');
}

function table(head: string, rows: readonly string[]): string {
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function link(name: string): string {
  return `<td><a href="#${encodeURIComponent(name)}">${safe(name)}</a></td>`;
}

function resultsTable({ endings, metric }: Page, results: readonly Wdl[]): string {
  const counted = metric !== 'wdl';
  const longest = (each: LongestLine | null) =>
    each === null ? numberCell(-1, '–') : numberCell(each.value.plies!, whole(each.value.plies!));
  const rows = endings.flatMap(({ name, sides }) =>
    sides.map((each) => {
      const { side, legal, results: found } = each;
      const longestCells = (['win', 'cursed win', 'blessed loss', 'loss'] as const)
        .filter((kind) => results.includes(kind))
        .map((kind) => longest(each[LONGEST[kind]]));
      const of = (result: Wdl) => found.get(result)!.placements;
      const share = (result: Wdl) =>
        numberCell(
          legal.placements === 0 ? 0 : of(result) / legal.placements,
          percent(of(result), legal.placements),
        );
      const good =
        sum(results, (result) => (signOf(result) + 1) * of(result)) / 2 / Math.max(1, legal.placements);
      return `<tr>${[
        link(name),
        `<td class="side">${side}</td>`,
        numberCell(legal.placements, whole(legal.placements)),
        `<td data-value="${good}">${drawShares(results.map((kind) => ({ kind, count: of(kind) })))}</td>`,
        ...results.map(share),
        ...(counted ? longestCells : []),
      ].join('')}</tr>`;
    }),
  );
  const head = heads([
    ['ending', 'text'],
    ['to move', 'text'],
    ['boards', 'number'],
    ['score', 'number'],
    ...results.map((result) => [result, 'number'] as const),
    ...(counted
      ? results
          .filter((result) => result !== 'draw')
          .map((result) => [`longest ${result}`, 'number'] as const)
      : []),
  ]);
  return table(head, rows);
}

function zugzwangTable(endings: readonly EndingReport[]): string {
  const rows = endings.flatMap(({ name, zugzwangs }) => {
    if (zugzwangs === null) return [];
    const tallies = zugzwangKinds.map((kind) => zugzwangs.tallies[kind]);
    const all: Tally = {
      placements: sum(tallies, ({ placements }) => placements),
      orbits: sum(tallies, ({ orbits }) => orbits),
    };
    return all.orbits === 0
      ? []
      : [`<tr>${link(name)}${[...tallies, all].flatMap(tallyCells).join('')}</tr>`];
  });
  if (endings.every(({ zugzwangs }) => zugzwangs === null)) return '';
  const note = `<p class="soft">Whoever is to move does worse than if the other were, and neither king is in check. Full point: whoever moves loses. White gains: Black loses if he must move and draws if White must; Black gains: the reverse. Counted up to the symmetries of the board and, in the last column, as boards; who is to move is not counted.${rows.length > 0 && rows.length < endings.length ? ' Endings that are not listed have none.' : ''}</p>`;
  if (rows.length === 0) return `<h2>Mutual zugzwangs</h2><p>There are none.</p>${note}`;
  const head = heads([
    ['ending', 'text'],
    ...zugzwangKinds.map((kind) => [kind, 'number'] as const),
    ['all', 'number'],
    ['boards', 'number'],
  ]);
  return `<h2>Mutual zugzwangs</h2>${table(head, rows)}${note}`;
}

/** Canonical placements; of the sum, the last, also the boards. */
function tallyCells({ placements, orbits }: Tally, i: number): string[] {
  const cells = [numberCell(orbits, whole(orbits))];
  if (i === zugzwangKinds.length) cells.push(numberCell(placements, whole(placements)));
  return cells;
}
