/** An ending on the page: its longest wins, how long wins take, its mutual zugzwangs. */
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import type { Colour, Game } from '../../pipeline/game/game.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import { whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';
import { capital, verdict } from '../ui/verdict.js';
import { drawHistogram } from './bars.js';
import { boardPicture } from './board-picture.js';
import type { EndingReport, LongestLine, ZugzwangExample } from './gather.js';

export interface ReportedEnding {
  readonly game: Game;
  readonly metric: Metric;
}

export function endingSection(subject: ReportedEnding, ending: EndingReport, open: boolean): string {
  const { name, sides } = ending;
  const longest = sides.flatMap((side) => [
    side.longestWin,
    side.longestCursedWin,
    side.longestLoss,
    side.longestBlessedLoss,
  ]);
  const boards = longest.flatMap((each) => (each === null ? [] : [longestFigure(subject, each)]));
  const histograms = subject.game.colours.flatMap((winner) => histogramFigures(ending, winner));
  const body = [
    boards.length === 0 ? '' : `<h3>Longest wins</h3><div class="boards">${boards.join('\n')}</div>`,
    histograms.length === 0
      ? ''
      : `<h3>Wins by plies <span class="origin">boards, both sides to move</span></h3><div class="charts">${histograms.join('\n')}</div>`,
    zugzwangs(subject, ending),
  ].filter((part) => part !== '');
  if (body.length === 0) body.push('<p class="soft">Nothing to show.</p>');
  return `<details class="ending" id="${safe(name)}"${open ? ' open' : ''}><summary>${safe(name)}</summary>
${body.join('\n')}
</details>`;
}

function longestFigure({ game, metric }: ReportedEnding, { side, value, fen, line }: LongestLine): string {
  const moves =
    line === '' ? '' : `<details><summary>main line</summary><p class="moves">${safe(line)}</p></details>`;
  return figure(game, fen, safe(verdict(value, metric, side, game)), moves);
}

/** A board with its caption in HTML, its FEN, and more below. */
export function figure(game: Game, fen: string, caption: string, more = ''): string {
  const picture =
    boardPicture(game.name, fen) ?? `<pre class="board">${safe(game.diagram(game.parse(fen)))}</pre>`;
  return `<figure>${picture}<figcaption>${caption}<code>${safe(fen)}</code>${more}</figcaption></figure>`;
}

/** One of wins, and one of cursed wins where there are any. */
function histogramFigures({ sides }: EndingReport, winner: Colour): string[] {
  return [
    ['wins', 'win', 'loss'],
    ['cursed wins', 'cursed win', 'blessed loss'],
  ].flatMap(([words, won, lost]) => {
    const sums = new Map<number, number>();
    for (const { side, results } of sides) {
      const { byPly = [] } = results.get((side === winner ? won : lost) as Wdl) ?? {};
      for (const [plies, { placements }] of byPly) sums.set(plies, (sums.get(plies) ?? 0) + placements);
    }
    if (sums.size === 0) return [];
    const title = `${capital(winner)} ${words}`;
    const counts = [...sums].sort(([a], [b]) => a - b);
    return [`<figure><h3>${title}</h3>${drawHistogram(title, `${winner}-wins`, counts)}</figure>`];
  });
}

function zugzwangs({ game, metric }: ReportedEnding, { zugzwangs }: EndingReport): string {
  if (zugzwangs === null) return '';
  const counted = zugzwangKinds.filter((kind) => zugzwangs.tallies[kind].orbits > 0);
  if (counted.length === 0) return '<h3>No mutual zugzwangs</h3>';
  const figures = zugzwangs.examples.map((example) =>
    figure(game, example.fen, zugzwangCaption(game, metric, example)),
  );
  const words = counted.map((kind) => `${whole(zugzwangs.tallies[kind].orbits)} ${kind}`).join(', ');
  return `<h3>Mutual zugzwangs <span class="origin">${words}; of each kind those that take longest</span></h3>
<div class="boards">${figures.join('\n')}</div>`;
}

function zugzwangCaption(game: Game, metric: Metric, example: ZugzwangExample): string {
  const { side, value, passed, kind } = example;
  const other = side === 'white' ? 'black' : 'white';
  const both = [verdict(value, metric, side, game), verdict(passed, metric, other, game)];
  return `<b>${kind}</b><br>${both.map(safe).join('<br>')}`;
}
