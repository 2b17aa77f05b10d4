/** Gathers words and figures of endings for a report. */
import {
  endingOutcomes,
  type LongestPosition,
  type SideOutcomes,
  type Tally,
} from '../../pipeline/analysis/outcomes.js';
import { countZugzwangs, type Zugzwang, type ZugzwangKind } from '../../pipeline/analysis/zugzwang.js';
import type { Colour, Ending, Game } from '../../pipeline/game/game.js';
import type { Metric, Value } from '../../pipeline/game/value.js';
import { sideOf } from '../../pipeline/game/views.js';
import { mainLine } from '../../pipeline/tables/probe/main-line.js';
import type { Prober } from '../../pipeline/tables/probe/prober.js';
import type { Table } from '../../pipeline/tables/table.js';
import { numbered } from '../ui/numbered-moves.js';

export interface LongestLine {
  readonly side: Colour;
  readonly value: Value;
  readonly fen: string;
  /** Best play to the end of the game, numbered from 1. */
  readonly line: string;
}

/** The longest of a side, each with its line. */
type Longest = 'longestWin' | 'longestCursedWin' | 'longestLoss' | 'longestBlessedLoss';

export interface SideReport
  extends Omit<SideOutcomes, Longest>,
    Readonly<Record<Longest, LongestLine | null>> {}

export interface ZugzwangExample extends Omit<Zugzwang, 'board'> {
  readonly fen: string;
}

export interface EndingReport {
  readonly name: string;
  readonly pieces: number;
  readonly sides: readonly SideReport[];
  /** Null in games that are not looked through for them. */
  readonly zugzwangs: {
    readonly tallies: Readonly<Record<ZugzwangKind, Tally>>;
    readonly examples: readonly ZugzwangExample[];
  } | null;
}

interface GatherOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly prober: Prober<unknown>;
  readonly open: (slice: string) => Promise<Table>;
  readonly report: (done: number) => Promise<void>;
  /** Zugzwangs of a kind that are shown. */
  readonly examples: number;
}

/** Makes two passes over the tables of an ending, and probes its longest lines. Throws errors of those. */
export async function gatherEnding(options: GatherOptions, ending: Ending): Promise<EndingReport> {
  const { game, prober } = options;
  const outcomes = await endingOutcomes({ ...options, ending });
  const sides: SideReport[] = [];
  for (const outcome of outcomes) {
    sides.push({
      ...outcome,
      longestWin: await describe(game, prober, outcome.longestWin),
      longestCursedWin: await describe(game, prober, outcome.longestCursedWin),
      longestLoss: await describe(game, prober, outcome.longestLoss),
      longestBlessedLoss: await describe(game, prober, outcome.longestBlessedLoss),
    });
  }
  const { name, pieces } = ending;
  if (!game.sidesShareIndex) return { name, pieces, sides, zugzwangs: null };
  const { tallies, examples } = await countZugzwangs({ ...options, ending });
  const shown = examples.map(({ board, ...rest }) => ({ ...rest, fen: game.format(board) }));
  return { name, pieces, sides, zugzwangs: { tallies, examples: shown } };
}

async function describe(
  game: Game,
  prober: Prober<unknown>,
  longest: LongestPosition | null,
): Promise<LongestLine | null> {
  if (longest === null) return null;
  const { board, value } = longest;
  const { steps } = await mainLine(game, prober, board);
  const side = game.mover(board);
  const line = numbered(
    steps.map(({ san }) => san),
    sideOf(game, side, false),
  );
  return { side, value, fen: game.format(board), line };
}
