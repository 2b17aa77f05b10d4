/** A game of one slice, solved and asked through the package root, as a program does it. */
import {
  type Budget,
  endingOutcomes,
  type Game,
  inlineEngine,
  type Metric,
  mainLine,
  memoryStore,
  newProber,
  newScratch,
  openTable,
  type Prober,
  type SideOutcomes,
  type SliceSummary,
  type Store,
  solve,
  type Value,
} from 'mergemate';
import { valuesOf } from '../support/paged.js';

export interface Solved<Position> {
  readonly game: Game<Position>;
  readonly summary: SliceSummary;
  readonly outcomes: readonly SideOutcomes[];
  readonly prober: Prober<Position>;
  /** The code in the table of the position with this text. */
  codeOf(text: string): number | null;
}

/** Solves the game into memory, verified. */
export async function solveAlone<Position>(
  game: Game<Position>,
  metric: Metric,
  budget: Budget,
): Promise<{ summary: SliceSummary; store: Store }> {
  const store = memoryStore();
  const [summary] = await solve({
    game,
    slices: [game.name],
    metric,
    strategy: 'count',
    verify: true,
    store,
    budget,
    engine: inlineEngine(game, store, newScratch(memoryStore(), 'scratch')),
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  return { summary: summary!, store };
}

export async function solved<Position>(game: Game<Position>): Promise<Solved<Position>> {
  const metric = 'dtw';
  const budget = { memory: 2 ** 25, fanIn: 16, batchRows: 2 ** 14 };
  const { summary, store } = await solveAlone(game, metric, budget);
  const outcomes = await endingOutcomes({
    game,
    ending: game.ending(game.name),
    metric,
    open: async (slice) => (await openTable(store, game, metric, slice))!,
    report: async () => {},
  });
  const values = await valuesOf(game, game.name, metric, store);
  const width = game.slice(game.name).width;
  return {
    game,
    summary,
    outcomes,
    prober: newProber({ game, store, metric, cacheBytes: 2 ** 22 }),
    codeOf(text) {
      const { side, part, key } = game.locate(game.parse(text));
      return values[side]![part * width + key]!;
    },
  };
}

const grouped = (n: number) => n.toLocaleString('en-US');
const told = ({ wdl, plies }: Value) =>
  wdl === 'draw' ? 'drawn' : `${wdl === 'win' ? 'won' : 'lost'} in ${plies} plies`;

/** The lines of a README that say what came out, of games in which both players have the same chances. */
export async function figures<Position>(solved: Solved<Position>, start: string): Promise<string[]> {
  const { game, summary, outcomes, prober } = solved;
  const [{ legal, results, longestWin }] = outcomes as [SideOutcomes];
  const count = (wdl: 'win' | 'draw' | 'loss') => grouped(results.get(wdl)!.placements);
  const { start: value, steps } = await mainLine(game, prober, game.parse(start));
  const best = value.moves.filter(({ code }) => code === value.code);
  return [
    `| numbers | ${grouped(summary.table.size)} |`,
    `| positions with either side to move | ${grouped(legal.placements)} |`,
    `| won / drawn / lost | ${count('win')} / ${count('draw')} / ${count('loss')} |`,
    `| the start, \`${start}\` | ${told(value)} |`,
    `| the best moves there | ${best.map(({ san }) => san).join(', ')} |`,
    ...(steps.length === 0 ? [] : [`| and how it goes on | ${steps.map(({ san }) => san).join(' ')} |`]),
    `| the longest win | ${longestWin!.value.plies} plies, from \`${game.format(longestWin!.board as Position)}\` |`,
  ];
}
