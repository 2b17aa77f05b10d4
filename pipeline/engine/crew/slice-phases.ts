/** The slice that is solved, and the phases that read it: by the kernels of a game or, for a graph, its imported runs (pipeline/graph). */
import { isClocked } from '../../game/clocked.js';
import type {
  BoardRules,
  RowKernels,
  RowLabels,
  Slice,
  SliceCatalogue,
  SliceIndex,
} from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import type { PartRun } from '../../game/manifest.js';
import type { ChosenMode } from '../../game/mode.js';
import type { DerivedPart, ResidentPart } from '../../game/step-manifests.js';
import type { Metric } from '../../game/stipulation.js';
import type { Strategy } from '../../game/strategy.js';
import type { Table } from '../../tables/table.js';
import type { Context } from '../memory/context.js';
import { mostPlaneBytes } from '../memory/label-planes.js';
import { rowsOf } from '../memory/rows.js';
import { solveClocked } from '../phases/clocked.js';
import { type Converted, convert } from '../phases/convert.js';
import { type MovesByUnit, movesOfKernel, openEdges } from '../phases/edges.js';
import { type Enumerated, enumerate } from '../phases/enumerate.js';
import type { Carrier } from '../phases/exchange.js';
import { askKernel, LookupLabels, LookupRounds } from '../phases/lookup.js';
import { solveResident } from '../phases/resident.js';
import { beginRounds, type RoundMoves, Rounds, type RoundsState, unmovesOf } from '../phases/rounds.js';
import { verifyClocked } from '../verify/clocked-verify.js';
import { verify } from '../verify/verify.js';
import { type ModeChoice, modeOfKernels } from './mode.js';

export interface SlicePhases {
  /** The mode in which the slice is solved or verified. */
  mode(choice: ModeChoice): ChosenMode;
  /** Solves the slice in mode `memory`. */
  solveInMemory(context: Context): Promise<ResidentPart>;
  /** Frees the memory that is kept for the next slice in mode `memory`. */
  freeMemory?(): void;
  enumerate(context: Context): Promise<Enumerated>;
  convert(context: Context, converting: readonly PartRun[]): Promise<Converted>;
  /** The moves of slices without unmoves, which are written down. */
  readonly moves: MovesByUnit;
  openRounds(context: Context, state: RoundsState, carrier: Carrier): Promise<Rounds>;
  /** The rows that the rounds label. */
  rows(strategy: Strategy, metric: Metric): RowKernels;
  verify(context: Context, table: Table<SliceIndex>): Promise<DerivedPart>;
}

/** A game, whose slices have kernels; or slices without, which bring phases of their own. */
export type Solvable = Showing &
  (
    | (SliceCatalogue<Slice> & { readonly phases?: undefined })
    | (SliceCatalogue<SliceIndex & { readonly unmoves?: undefined }> & { readonly phases: SlicePhases })
  );

/** Writes positions as text. */
export type Showing = Pick<BoardRules<unknown>, 'board' | 'format'>;

export function phasesOf(game: Solvable, slice: string): SlicePhases {
  return game.phases === undefined ? kernelPhases(game.slice(slice)) : game.phases;
}

function kernelPhases(slice: Slice): SlicePhases {
  return {
    mode: (choice) => modeOfKernels(slice, choice),
    solveInMemory: (context) =>
      isClocked(context.metric)
        ? solveClocked({ ...context, slice })
        : solveResident(context, slice.resident!),
    freeMemory: () => slice.resident?.forget(),
    enumerate: (context) => enumerate({ ...context, slice }),
    convert: (context, converting) => convert({ ...context, slice }, converting),
    moves: (context, labels, units) => movesOfKernel({ ...context, slice }, labels, units),
    openRounds: (context, state, carrier) => openRounds({ ...context, slice }, state, carrier),
    rows: (strategy, metric) => rowsOf(slice, strategy, metric),
    verify: (context, table) =>
      (isClocked(context.metric) ? verifyClocked : verify)({ ...context, slice }, table),
  };
}

async function openRounds(context: Context<Slice>, state: RoundsState, carrier: Carrier): Promise<Rounds> {
  const { slice, strategy } = context;
  const rows = rowsOf(slice, strategy, context.metric);
  const withRequests = async (labels: RowLabels): Promise<RoundMoves> =>
    slice.unmoves === undefined
      ? { rows, labels, requests: await openEdges(context, state.edges, 'other') }
      : unmovesOf(slice, rows, labels, labellingOf(context.metric));
  if (strategy === 'lookup') {
    const labels = new LookupLabels(slice);
    const moves = { ...(await withRequests(labels)), labels, ask: askKernel(slice) };
    return new LookupRounds(await beginRounds(context, state, moves, carrier));
  }
  const moves = await withRequests(rows.open(mostPlaneBytes(context, rows)));
  return new Rounds(await beginRounds(context, state, moves, carrier));
}
