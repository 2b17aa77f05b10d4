/** The phases of solving that read a graph, where those of a game ask kernels. */
import { newArrays } from '../../operators/core/arrays.js';
import { expand } from '../../operators/expand.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import { sort } from '../../operators/sort/sort.js';
import type { ModeChoice } from '../engine/crew/mode.js';
import type { SlicePhases, Solvable } from '../engine/crew/slice-phases.js';
import { type Context, EXPAND_ROWS } from '../engine/memory/context.js';
import { writeEvents } from '../engine/memory/event-runs.js';
import { keysAsRows } from '../engine/memory/keys-as-rows.js';
import { memoryOf } from '../engine/memory/phase-memory.js';
import type { Converted } from '../engine/phases/convert.js';
import { EXCHANGED, type MovesByUnit, openEdges, SAME_SIDE } from '../engine/phases/edges.js';
import { type Enumerated, enumerateParts } from '../engine/phases/enumerate.js';
import { beginRounds, Rounds } from '../engine/phases/rounds.js';
import { flow, Kind } from '../game/events.js';
import type { RowKernels, Side } from '../game/game.js';
import { firstMajor, firstMajorOfEvent } from '../game/majors.js';
import type { ChosenMode } from '../game/mode.js';
import { graphGame, graphSlice } from './graph-game.js';
import {
  exchangedOfWord,
  KEY_MASK,
  NODE_MASK,
  PART_SHIFT,
  SIDE_OF_NODE,
  sideOfWord,
  unitsOf,
} from './graph-layout.js';
import { openGraphRuns } from './joined-runs.js';
import { countBytesOf, type GraphManifest } from './manifest.js';
import { emptyLabels, eventsOfEnds, NodeLabeller } from './node-labels.js';
import { partOrderOf } from './part-order.js';
import { fitsMemory, solveHeld } from './solve-held.js';
import { verifyGraph } from './verify-graph.js';

/** The graph, to be solved and verified. */
export function solvableGraph(graph: GraphManifest): Solvable {
  return { ...graphGame(graph), phases: graphPhases(graph) };
}

function graphPhases(graph: GraphManifest): SlicePhases {
  return {
    mode: (choice) => modeOfGraph(graph, choice),
    solveInMemory: (context) => solveHeld(context, graph),
    enumerate: (context) => enumerateGraph(context, graph),
    moves: movesOfGraph(graph),
    convert: (context) => eventsOfGraph(context, graph),
    openRounds: async (context, state, carrier) => {
      const rows = graphRows(graph);
      const requests = await openEdges(context, state.edges, 'marked');
      const moves = { rows, labels: rows.open(0), requests };
      return new Rounds(await beginRounds(context, state, moves, carrier));
    },
    rows: () => graphRows(graph),
    verify: (context, table) => verifyGraph(context, graph, table),
  };
}

function graphRows(graph: GraphManifest): RowKernels {
  return keysAsRows(graphSlice(graph), countBytesOf(graph));
}

/** Verification reads the edges as they are stored, in either case. */
function modeOfGraph(graph: GraphManifest, { task, memory }: ModeChoice): ChosenMode {
  if (task === 'verify') return { mode: 'streaming', why: 'graphs are verified by their edges' };
  return fitsMemory(graph, memory)
    ? { mode: 'memory', why: 'it fits the memory' }
    : { mode: 'streaming', why: 'it does not fit the memory' };
}

/** The labels that the rounds begin with: two scans of the nodes, one for each side. */
async function enumerateGraph(context: Context, graph: GraphManifest): Promise<Enumerated> {
  const { slice, report } = context;
  const labeller = await NodeLabeller.open(context, graph);
  const { nodePart } = partOrderOf(graph);
  const frontier = new Uint32Array(slice.width);
  // Planes of bytes lie one behind the other for a whole part.
  const most = slice.width;
  return enumerateParts(context, graphRows(graph), most, async ({ side, part }, found, result) => {
    const { counts, unwon, lost } = found;
    const labels = emptyLabels(graph, slice.partSize(part), { counts, unwon, frontier });
    const from = nodePart[part];
    await labeller.label({ from, to: from + 1 }, side, labels, (words) => report(words.length));
    result.legal[side] += labels.legal;
    result.drawn[side] += labels.drawn;
    await lost(frontier, labels.lost);
  });
}

/** The ends that join the rounds later. No edge leads to another graph, so these are all that comes from outside of the rounds. */
async function eventsOfGraph(context: Context, graph: GraphManifest): Promise<Converted> {
  const { slice, parts, tableStore, counters, scratch, budget, metric } = context;
  const nodes = await openGraphRuns(tableStore, graph, 'nodes', counters);
  const { nodePart } = partOrderOf(graph);
  const events = eventsOfEnds(graph, metric);

  async function* ends(): RowSource {
    const rows = newRows(EXPAND_ROWS, 0);
    for (let part = parts.from; part < parts.to; part++) {
      const from = nodePart[part];
      for await (const { first, length, columns } of nodes.denseCursor({ from, to: from + 1 })) {
        const [status, counts] = columns;
        for (let i = 0; i < length; i++) {
          const event = events.of(status[i] | (counts[i] << 8));
          if (event <= 0) continue;
          const side = (status[i] & SIDE_OF_NODE) as Side;
          const at = rows.length++;
          rows.major[at] = firstMajorOfEvent(slice, event, flow(Kind.loss, side)) + part;
          rows.minor[at] = first + i;
          if (rows.length < EXPAND_ROWS) continue;
          yield rows;
          rows.length = 0;
        }
      }
    }
    if (rows.length > 0) yield rows;
  }

  if (events.last === 0) return { events: [], numbers: [], requests: 0, answers: 0 };
  const env = { budget: memoryOf('convert', budget).order, scratch, counters, arrays: newArrays() };
  const { runs, numbers } = await writeEvents(context, graphRows(graph), parts, sort(ends(), 0, env));
  return { events: runs, numbers, requests: 0, answers: 0 };
}

/** Reads the edges from the nodes of the context's parts. A unit of the successors run lies in one part. */
function movesOfGraph(graph: GraphManifest): MovesByUnit {
  const { nodes: total } = graph;
  const { nodePart, slicePart } = partOrderOf(graph);
  return async function* moves(context, _labels, units) {
    const { slice, parts, tableStore, counters, report } = context;
    const successors = await openGraphRuns(tableStore, graph, 'successors', counters);
    const nodes = await openGraphRuns(tableStore, graph, 'nodes', counters);
    const firstOfSide = [firstMajor(slice, 0), firstMajor(slice, 1)] as const;
    const status = new Uint8Array(slice.width);
    /** The first node of the part whose statuses are held, and its index in the slice. */
    let start = 0;
    let index = 0;

    async function* withNodes(): Cursor {
      for (let part = parts.from; part < parts.to; part++) {
        const from = nodePart[part];
        const size = slice.partSize(part);
        start = from * slice.width;
        index = part * slice.width;
        for await (const { first, length, columns } of nodes.denseCursor({ from, to: from + 1 }))
          status.set((columns[0] as Uint8Array).subarray(0, length), first);
        yield* successors.cursor(unitsOf(total, start, start + size));
        // Once for either side.
        report(2 * size);
      }
    }

    const kernel = (batch: Batch, from: number, out: Rows): number => {
      const words = batch.payload[0] as Uint32Array;
      const predecessors = out.payload[0];
      const to = Math.min(batch.length, from + out.minor.length - out.length);
      let n = out.length;
      for (let i = from; i < to; i++) {
        const word = words[i];
        const node = word & NODE_MASK;
        const side = sideOfWord(word);
        const key = node & KEY_MASK;
        const source = batch.minor[i];
        const same = side === ((status[source - start] & SIDE_OF_NODE) as Side) ? 1 : 0;
        const part = slicePart[node >>> PART_SHIFT];
        out.major[n] = (firstOfSide[side] + part) * units.perPart + (key >>> units.shift);
        out.minor[n] = key;
        const marks = (same << SAME_SIDE) | (exchangedOfWord(word) << EXCHANGED);
        predecessors[n++] = ((source - start + index) | marks) >>> 0;
      }
      out.length = n;
      return to;
    };

    yield* expand(withNodes(), kernel, { rows: EXPAND_ROWS, payload: 1 });
  };
}
