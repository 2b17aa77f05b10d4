/** Figures by round on a logarithmic scale, as a chart that grows while a slice is at work. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { whole } from '../../ui/numbers.js';
import { axisStyle, colourIn, keepWide, tickText, widthOf } from '../chart-style.js';

export interface RoundLine {
  readonly label: string;
  /** A custom property of the style, without the dashes. */
  readonly colour: string;
}

export interface RoundChart {
  /** A column for each line, as long as `plies`; 0 is not drawn. */
  show(plies: readonly number[], columns: readonly (readonly number[])[]): void;
  /** Takes it away. */
  remove(): void;
}

const HEIGHT = 220;

/** Draws into `host`, which is in the page, in the colours of its style. */
export function newRoundChart(host: HTMLElement, lines: readonly RoundLine[]): RoundChart {
  const { axis, grid } = axisStyle(host);
  const chart = new uPlot(
    {
      width: widthOf(host),
      height: HEIGHT,
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 8 } },
      scales: {
        x: { time: false, range: (_, least, most) => [Math.min(least ?? 0, 0), Math.max(most ?? 1, 10)] },
        // One position is seen, too, and one number alone has a scale.
        y: {
          distr: 3,
          range: (_, least, most) => [0.8 * powerBelow(least ?? 1), Math.max(10, (most ?? 1) * 1.6)],
        },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          ticks: grid,
          size: 30,
          label: 'round (plies)',
          labelFont: axis.font,
          labelSize: 16,
          labelGap: 2,
        },
        {
          ...axis,
          grid,
          ticks: grid,
          size: 58,
          splits: (_, __, least, most) => powersOfTen(least, most),
          // All are named: uPlot would leave some out, as nulls.
          filter: (_, powers) => powers,
          values: (_, powers) => powers.map(tickText),
        },
      ],
      series: [
        { label: 'round', value: (_, ply) => (ply === null ? '–' : String(ply)) },
        ...lines.map(({ label, colour }): uPlot.Series => {
          const stroke = colourIn(host, colour);
          return {
            label,
            stroke,
            width: 1.5,
            spanGaps: true,
            points: { show: true, size: 4, fill: stroke },
            value: (_, value) => (value === null ? '–' : whole(value)),
          };
        }),
      ],
    },
    [[], ...lines.map(() => [])],
    host,
  );
  return {
    show(plies, columns) {
      const drawn = columns.map((column) => column.map((n) => (n === 0 ? null : n)));
      chart.setData([[...plies], ...drawn]);
    },
    remove: keepWide(chart, host, HEIGHT),
  };
}

const powerBelow = (n: number): number => 10 ** Math.floor(Math.log10(Math.max(1, n)));

function powersOfTen(least: number, most: number): number[] {
  const found: number[] = [];
  for (let power = 1; power <= most; power *= 10) if (power >= least) found.push(power);
  return found;
}
