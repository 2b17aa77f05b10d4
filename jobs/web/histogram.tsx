/** An ending's wins and losses, or its problems, by plies: charts, and the same as a table; the longest, to be looked at. */
import { useSignal } from '@preact/signals';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { PositionsQuery } from '../positions/query.js';
import type { EndingAnswer, GameAnswer, HistogramAnswer, PlayedSide } from '../server/api-answers.js';
import { endingWords } from '../ui/ending-words.js';
import { whole } from '../ui/numbers.js';
import { capital, pliesText, problemText } from '../ui/verdict.js';
import { type Column, columnsOf, countsOf, type SideCounts } from './histogram-columns.js';
import type { App } from './stores/app.js';
import { Button, TableHead } from './widgets.js';

/** An ending that is described below the table. */
export interface Chosen {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly ending: EndingAnswer;
  readonly histogram: HistogramAnswer;
  /** What is asked of its positions at once; null: nothing. */
  readonly query: PositionsQuery | null;
}

export function Histogram({ app, of }: { readonly app: App; readonly of: Chosen }) {
  const log = useSignal(false);
  const { game, metric, ending, histogram } = of;
  const { longest, sides } = histogram;
  const columns = columnsOf(metric);
  const isProblem = stipulations[metric].numbers;
  const colours = game.colours.map(capital);
  const longestButtons = (
    what: string,
    positions: HistogramAnswer['longest'],
    plies: readonly (number | null)[],
  ) =>
    positions.map(
      (position, side) =>
        position !== null && (
          <Button key={what + colours[side]} press={() => void app.open({ position })}>
            {isProblem
              ? `${colours[side]} to move: longest, ${problemText({ plies: plies[side] }, metric)}`
              : `${colours[side]}’s longest ${what}${plies[side] === null ? '' : `: ${pliesText(plies[side])}`}`}
          </Button>
        ),
    );
  return (
    <section class="histogram" aria-labelledby="histogram-title">
      <h2 id="histogram-title">{endingWords(game.name, ending.ending) ?? ending.ending}</h2>
      <div class="buttons">
        {longestButtons('win', longest, 'solvable' in ending ? ending.longest : ending.longestWin)}
        {'longestCursedWin' in ending &&
          'longestCursed' in histogram &&
          longestButtons('cursed win', histogram.longestCursed, ending.longestCursedWin)}
        <label>
          <input
            type="checkbox"
            checked={log.value}
            onChange={({ currentTarget }) => {
              log.value = currentTarget.checked;
            }}
          />
          {' logarithmic'}
        </label>
      </div>
      {sides.map((counts, side) => (
        <figure key={colours[side]}>
          <figcaption>{`${colours[side]} to move: ${summary(counts)}`}</figcaption>
          {columns.some(({ of }) => countsOf(counts, of).length > 0) && (
            <Chart counts={counts} columns={columns} log={log.value} />
          )}
        </figure>
      ))}
      <Figures colours={colours} sides={sides} all={columns} />
    </section>
  );
}

interface ChartProps {
  readonly counts: SideCounts;
  readonly columns: readonly Column[];
  readonly log: boolean;
}

/** Bars by plies: what is won above the axis, what is lost below it. */
function Chart({ counts, columns, log }: ChartProps) {
  const size = (count: number) => (log ? Math.log2(1 + count) : count);
  const bars = columns.flatMap(({ of, words, colour }) =>
    countsOf(counts, of).map(([plies, count]) => ({ plies, count, words, colour, isLost: /loss/i.test(of) })),
  );
  const plies = bars.map((bar) => bar.plies);
  const [least, most] = [Math.min(...plies), Math.max(...plies)];
  const heightOf = (isLost: boolean) =>
    Math.max(0, ...bars.filter((bar) => bar.isLost === isLost).map(({ count }) => size(count)));
  const [above, below] = [heightOf(false), heightOf(true)];
  return (
    <div class="chart" aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the caption and the table say the same. */}
      <svg viewBox={`0 0 ${most - least + 1} 100`} preserveAspectRatio="none">
        {bars.map(({ plies, count, words, colour, isLost }) => {
          const height = Math.max(0.5, (100 * size(count)) / (above + below));
          const axis = (100 * above) / (above + below);
          return (
            <rect
              key={words + plies}
              x={plies - least + 0.1}
              y={isLost ? axis : axis - height}
              width={0.8}
              height={height}
              fill={`var(--${colour})`}
            >
              <title>{`${whole(count)} ${words} in ${pliesText(plies)}`}</title>
            </rect>
          );
        })}
      </svg>
      <span>{least}</span>
      <span>plies</span>
      <span>{most}</span>
    </div>
  );
}

/** The chart in a sentence. */
function summary(side: SideCounts): string {
  const words = (counts: PlayedSide['wins'], what: string): string => {
    const all = counts.reduce((sum, [, count]) => sum + count, 0);
    if (all === 0) return `none ${what}`;
    const [plies, count] = counts.reduce((most, each) => (each[1] > most[1] ? each : most));
    const last = Math.max(...counts.map(([n]) => n));
    return `${whole(all)} ${what}, at most in ${pliesText(last)}, most often in ${whole(plies)} (${whole(count)})`;
  };
  const orNone = (count: number) => (count === 0 ? 'none' : whole(count));
  if ('solvable' in side)
    return `${words(side.solvable, 'with a solution')}; ${orNone(side.unsolvable)} without.`;
  const { wins, losses, draws, cursedWins, blessedLosses } = side;
  const parts = [
    words(wins, 'won'),
    ...(cursedWins.length > 0 ? [words(cursedWins, 'won but for the 50-move rule')] : []),
    words(losses, 'lost'),
    ...(blessedLosses.length > 0 ? [words(blessedLosses, 'lost but for the 50-move rule')] : []),
    `${orNone(draws)} drawn`,
  ];
  return `${parts.join('; ')}.`;
}

interface FiguresProps {
  readonly colours: readonly string[];
  readonly sides: readonly SideCounts[];
  readonly all: readonly Column[];
}

/** All that the charts show, as a table. */
function Figures({ colours, sides, all }: FiguresProps) {
  const shown = all.filter(
    ({ of, isAlways }) => isAlways || sides.some((side) => countsOf(side, of).length > 0),
  );
  const columns = sides.flatMap((side, i) =>
    shown.map(({ of, words }, j) => ({
      title: j === 0 ? `${colours[i]} to move: ${words}` : words,
      counts: new Map(countsOf(side, of)),
    })),
  );
  const plies = [...new Set(columns.flatMap(({ counts }) => [...counts.keys()]))].sort((a, b) => a - b);
  return (
    <details>
      <summary>In figures</summary>
      <div class="scroll">
        <table>
          <TableHead of={['Plies', ...columns.map(({ title }) => title)]} />
          <tbody>
            {plies.map((n) => (
              <tr key={n}>
                <th scope="row">{n}</th>
                {columns.map(({ counts }, i) => (
                  <td key={i}>{counts.has(n) ? whole(counts.get(n)!) : '–'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
