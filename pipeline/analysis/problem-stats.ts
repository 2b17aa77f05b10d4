/**
 * Statistics of tables with numbers of solutions: positions by plies to the goal and by number, the longest problem, and the longest with
 * exactly one solution. One pass over values and numbers in batches, scan(N), memory independent of N.
 */

import type { Colour, Ending, Game } from '../game/game.js';
import { labellingOf, MOST_NUMBER, roleOf } from '../game/labelling.js';
import { withoutRepeats } from '../game/repeats.js';
import { brokenIn, type Metric, pliesOfCode, type ValueColumn } from '../game/value.js';
import { sideOf, viewsOf } from '../game/views.js';
import type { Table } from '../tables/table.js';
import type { TableColumn } from '../tables/value-table.js';
import { valuesWithNumbers } from '../tables/values-with-numbers.js';

/** The first position, in index order, of those with this many plies to the goal. */
export interface FoundProblem {
  readonly plies: number;
  readonly fen: string;
  /** The number of positions with as many plies, up to symmetry. */
  readonly positions: number;
}

/** Of the positions with one side to move; each is counted once up to symmetry. */
export interface SideProblems {
  readonly positions: number;
  readonly solvable: number;
  /** With one solution, or one best move; 0 for a side that avoids the goal, whose moves are no solutions. */
  readonly sound: number;
  readonly byPly: Readonly<Record<string, number>>;
  readonly soundByPly: Readonly<Record<string, number>>;
  /** By number, from 1 on; 255 is for 255 or more. */
  readonly byNumber: Readonly<Record<string, number>>;
  readonly longest: FoundProblem | null;
  readonly deepestSound: FoundProblem | null;
}

export type ProblemStats = Readonly<Record<Colour, SideProblems>>;

export interface ProblemStatsOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: Ending;
  readonly open: (slice: string) => Promise<Table>;
  readonly numbers: (table: Table) => TableColumn;
  /** Awaited between batches, with the number of values looked at. */
  readonly report: (done: number) => Promise<void>;
}

/** Plies of codes of 16 bits. */
const PLIES = 1 << 15;

class Counts {
  positions = 0;
  readonly byPly = new Float64Array(PLIES);
  readonly soundByPly = new Float64Array(PLIES);
  readonly byNumber = new Float64Array(MOST_NUMBER + 1);
  /** The first position with the most plies: of all positions, and of the sound ones. */
  readonly first: Record<'all' | 'sound', { plies: number; fen: () => string } | null> = {
    all: null,
    sound: null,
  };

  meet(kind: 'all' | 'sound', plies: number, fen: () => string): void {
    const known = this.first[kind];
    if (known === null || plies > known.plies) this.first[kind] = { plies, fen };
  }

  described(): SideProblems {
    const of = (counts: Float64Array, from: number): Record<string, number> =>
      Object.fromEntries([...counts.entries()].filter(([at, count]) => at >= from && count > 0));
    const found = (kind: 'all' | 'sound', counts: Float64Array): FoundProblem | null => {
      const first = this.first[kind];
      return first === null ? null : { plies: first.plies, fen: first.fen(), positions: counts[first.plies] };
    };
    const sum = (counts: Float64Array) => counts.reduce((all, count) => all + count, 0);
    return {
      positions: this.positions,
      solvable: sum(this.byPly),
      sound: sum(this.soundByPly),
      byPly: of(this.byPly, 0),
      soundByPly: of(this.soundByPly, 0),
      byNumber: of(this.byNumber, 1),
      longest: found('all', this.byPly),
      deepestSound: found('sound', this.soundByPly),
    };
  }
}

/** StorageError if a table is damaged. */
export async function problemStats(options: ProblemStatsOptions): Promise<ProblemStats> {
  const counts = { white: new Counts(), black: new Counts() };
  for (const colour of options.game.colours) await countColour(options, colour, counts[colour]);
  return { white: counts.white.described(), black: counts.black.described() };
}

async function countColour(
  { game, metric, ending, open, numbers, report }: ProblemStatsOptions,
  colour: Colour,
  counts: Counts,
): Promise<void> {
  for (const { slice: name, flipped } of viewsOf(game, ending)) {
    const table = await open(name);
    const { slice } = table;
    const side = sideOf(game, colour, flipped);
    const hasSolutions = roleOf(metric, side) !== 'avoid';
    // Where the goal is reached there are no moves to count.
    const isOfMoves = labellingOf(metric).numbering === 'moves';
    const batches = valuesWithNumbers(table, numbers(table), side, 0, slice.parts);
    for await (const { major: part, first, length, columns } of batches) {
      const codes = withoutRepeats(slice, part, first, (columns[0] as ValueColumn).subarray(0, length));
      const broken = brokenIn(codes);
      for (let i = 0; i < length; i++) {
        const code = codes[i];
        if (code === broken) continue;
        counts.positions++;
        if (code === 0) continue;
        const plies = pliesOfCode(code);
        const number = columns[1][i];
        const fen = () => game.format(game.board({ slice: name, side, part, key: first + i }, flipped));
        counts.byPly[plies]++;
        counts.meet('all', plies, fen);
        if (!hasSolutions || (plies === 0 && isOfMoves)) continue;
        counts.byNumber[number]++;
        if (number !== 1) continue;
        counts.soundByPly[plies]++;
        counts.meet('sound', plies, fen);
      }
      await report(length);
    }
  }
}
