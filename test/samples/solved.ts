/** A game that is solved as a whole, solved and asked through the package root, as a program does it. */
import {
  endingOutcomes,
  type Game,
  mainLine,
  newProber,
  openTable,
  type Prober,
  type SideOutcomes,
  type SliceSummary,
  solveInMemory,
  type Value,
} from 'mergemate';
import { valuesOf } from '../support/paged.js';

export interface SolvedGame<Position> {
  readonly game: Game<Position>;
  readonly summaries: readonly SliceSummary[];
  /** Numbers of all slices together. */
  readonly size: number;
  readonly outcomes: readonly SideOutcomes[];
  readonly prober: Prober<Position>;
  /** The code in the table of the position with this text. */
  codeOf(text: string): number | null;
}

export async function solved<Position>(game: Game<Position>): Promise<SolvedGame<Position>> {
  const metric = 'dtw';
  const { summaries, store } = await solveInMemory(game);
  const outcomes = await endingOutcomes({
    game,
    ending: game.whole!,
    metric,
    open: async (slice) => (await openTable(store, game, metric, slice))!,
    report: async () => {},
  });
  const values = new Map<string, (number | null)[][]>();
  for (const { slice } of summaries) values.set(slice, await valuesOf(game, slice, metric, store));
  return {
    game,
    summaries,
    size: summaries.reduce((sum, { table }) => sum + table.size, 0),
    outcomes,
    prober: newProber({ game, store }),
    codeOf(text) {
      const { slice, side, part, key } = game.locate(game.parse(text));
      return values.get(slice)![side][part * game.slice(slice).width + key]!;
    },
  };
}

const grouped = (n: number) => n.toLocaleString('en-US');
const described = ({ wdl, plies }: Value) =>
  wdl === 'draw' ? 'drawn' : `${wdl === 'win' ? 'won' : 'lost'} in ${plies} plies`;

/** The lines of a README that give results, of games in which both players have the same chances. */
export async function figures<Position>(solved: SolvedGame<Position>, start: string): Promise<string[]> {
  const { game, size, outcomes, prober } = solved;
  const [{ legal, results, longestWin }] = outcomes as [SideOutcomes];
  const count = (wdl: 'win' | 'draw' | 'loss') => grouped(results.get(wdl)!.placements);
  const { start: value, steps } = await mainLine(game, prober, game.parse(start));
  const best = value.moves.filter(({ code }) => code === value.code);
  return [
    `| numbers | ${grouped(size)} |`,
    `| positions with either side to move | ${grouped(legal.placements)} |`,
    `| won / drawn / lost | ${count('win')} / ${count('draw')} / ${count('loss')} |`,
    `| the start, \`${start}\` | ${described(value)} |`,
    `| the best moves there | ${best.map(({ san }) => san).join(', ')} |`,
    ...(steps.length === 0 ? [] : [`| and how it goes on | ${steps.map(({ san }) => san).join(' ')} |`]),
    `| the longest win | ${longestWin!.value.plies} plies, from \`${game.format(longestWin!.board as Position)}\` |`,
  ];
}
