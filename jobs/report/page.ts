/** The report as one page that needs nothing else: no network, and no script but to sort its tables. */

import { resultsOf, signOf } from '../../pipeline/analysis/codes.js';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Wdl } from '../../pipeline/game/value.js';
import {
  type Block,
  type Cell,
  type Column,
  documentHtml,
  heading,
  paragraph,
  type Table,
} from '../ui/document.js';
import { percent, whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';
import { capital, metricWords } from '../ui/verdict.js';
import { classOf, drawShares } from './bars.js';
import { CHESS_SYMBOLS } from './chess-men.js';
import { endingSection, type ReportedEnding } from './ending-section.js';
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
  const title = `${capital(game.name)}: ${page.title}`;
  const results = resultsOf(metric);
  const boards = sum(endings, ({ sides }) => sum(sides, ({ legal }) => legal.placements));
  const canonical = sum(endings, ({ sides }) => sum(sides, ({ legal }) => legal.orbits));
  const legend = results.map((result) => `<li><span class="swatch ${classOf(result)}"></span>${result}</li>`);
  const blocks: Block[] = [
    heading(1, title),
    paragraph(
      `${whole(boards)} boards, ${whole(canonical)} positions up to the symmetries of the board; values are ${metricWords(metric, game)} (${metric}).`,
    ),
    { kind: 'command', text: command },
    heading(2, 'Results for the side to move'),
    { kind: 'html', html: `<ul class="legend">${legend.join('')}</ul>` },
    { kind: 'table', table: resultsTable(page, results) },
    paragraph(
      'Boards are counted, so a position counts as often as it has images under the symmetries of the board; like men are interchangeable. Longest wins and losses are in plies.',
      'soft',
    ),
    ...plausibleTable(game, endings),
    ...zugzwangTable(endings),
    heading(2, 'The endings'),
    ...endings.map(
      (ending): Block => ({ kind: 'html', html: endingSection(page, ending, endings.length <= OPEN) }),
    ),
  ];
  const symbols = game.name === 'chess' ? CHESS_SYMBOLS : '';
  return documentHtml(title, blocks, { style: REPORT_STYLE, symbols, script: PAGE_SCRIPT });
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

const count = (value: number): Cell => ({ value, text: whole(value) });
const link = (name: string): Cell => ({
  value: name,
  text: name,
  html: `<a href="#${encodeURIComponent(name)}">${safe(name)}</a>`,
});
const byNumber = (title: string): Column => ({ title, sort: 'number' });

function resultsTable({ endings, metric }: Page, results: readonly Wdl[]): Table {
  const kinds = stipulations[metric].plies ? results.filter((result) => result !== 'draw') : [];
  const longest = (each: LongestLine | null): Cell =>
    each === null ? { value: -1, text: '–' } : count(each.value.plies!);
  const rows = endings.flatMap(({ name, sides }) =>
    sides.map((each): Cell[] => {
      const { side, legal, results: found } = each;
      const all = Math.max(1, legal.placements);
      const of = (result: Wdl) => found.get(result)!.placements;
      const good = sum(results, (result) => (signOf(result) + 1) * of(result)) / 2 / all;
      const shares = drawShares(results.map((kind) => ({ kind, count: of(kind) })));
      return [
        link(name),
        { value: side, text: side, class: 'side' },
        count(legal.placements),
        { value: good, text: '', html: shares },
        ...results.map((result) => ({
          value: of(result) / all,
          text: percent(of(result), legal.placements),
        })),
        ...kinds.map((kind) => longest(each[LONGEST[kind]])),
      ];
    }),
  );
  const columns: Column[] = [
    { title: 'ending', sort: 'text' },
    { title: 'to move', sort: 'text' },
    byNumber('boards'),
    { title: 'score', sort: 'number', class: 'score' },
    ...results.map(byNumber),
    ...kinds.map((kind) => byNumber(`longest ${kind}`)),
  ];
  return { columns, rows };
}

function zugzwangTable(endings: readonly EndingReport[]): Block[] {
  const rows = endings.flatMap(({ name, zugzwangs }): Cell[][] => {
    if (zugzwangs === null) return [];
    const tallies = zugzwangKinds.map((kind) => zugzwangs.tallies[kind]);
    const all = sum(tallies, ({ orbits }) => orbits);
    if (all === 0) return [];
    const boards = sum(tallies, ({ placements }) => placements);
    return [[link(name), ...tallies.map(({ orbits }) => count(orbits)), count(all), count(boards)]];
  });
  if (endings.every(({ zugzwangs }) => zugzwangs === null)) return [];
  const others =
    rows.length > 0 && rows.length < endings.length ? ' Endings that are not listed have none.' : '';
  const columns: Column[] = [{ title: 'ending', sort: 'text' }];
  columns.push(...[...zugzwangKinds, 'all', 'boards'].map(byNumber));
  return [
    heading(2, 'Mutual zugzwangs'),
    rows.length === 0 ? paragraph('There are none.') : { kind: 'table', table: { columns, rows } },
    paragraph(
      `The side to move does worse than if the other side were to move, and neither king is in check. Full point: the side to move loses. White gains: Black loses if he must move and draws if White must; Black gains: the reverse. Counted up to the symmetries of the board and, in the last column, as boards; who is to move is not counted.${others}`,
      'soft',
    ),
  ];
}
