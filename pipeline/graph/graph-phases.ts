/** The phases of solving that read a graph, where those of a game ask kernels. */
import { newArrays } from '../../operators/core/arrays.js';
import { expand } from '../../operators/expand.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, Cursor, DenseBatch, RowSource, Rows } from '../../operators/runs/types.js';
import { sort } from '../../operators/sort/sort.js';
import { type Context, EXPAND_ROWS } from '../engine/context.js';
import type { Converted } from '../engine/convert.js';
import type { MovesByUnit } from '../engine/edges.js';
import { type Enumerated, enumerateParts, type FoundPositions } from '../engine/enumerate.js';
import { writeEvents } from '../engine/event-runs.js';
import { keysAsRows } from '../engine/keys-as-rows.js';
import { memoryOf } from '../engine/memory.js';
import type { ModeChoice } from '../engine/mode.js';
import { beginRounds, Rounds } from '../engine/rounds.js';
import type { SlicePhases, Solvable } from '../engine/slice-phases.js';
import { flow, Kind } from '../game/events.js';
import type { Side } from '../game/game.js';
import { DRAWN, putCount, setBit } from '../game/labels.js';
import { firstMajor, firstMajorOfEvent } from '../game/majors.js';
import type { ChosenMode } from '../game/mode.js';
import { openGraphEdges } from './graph-edges.js';
import { graphGame } from './graph-game.js';
import {
  isDrawn,
  isLost,
  KEY_MASK,
  NODE_MASK,
  PART_SHIFT,
  pointsOf,
  SAME_BIT,
  SIDE_OF_NODE,
  sideOfWord,
  unitsOf,
} from './graph-layout.js';
import { openJoined } from './joined-runs.js';
import { countBytesOf, type GraphManifest } from './manifest.js';
import { HUBS, NODES, SUCCESSORS } from './node-writer.js';
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
    convert: (context) => endsByScore(context, graph),
    openRounds: async (context, state, carrier) => {
      const moves = await openGraphEdges(context, graph, state);
      return new Rounds(await beginRounds(context, state, moves, carrier));
    },
    rows: () => keysAsRows(graphGame(graph).slice(graph.name), countBytesOf(graph)),
    verify: (context, table) => verifyGraph(context, graph, table),
  };
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
  const { runs, scores } = graph;
  const { slice, tableStore, counters, report, metric } = context;
  /** Ends by fewer points come in later turns. */
  const isFirst = (what: number) => metric !== 'score' || pointsOf(what) === scores![0];
  const nodes = await openJoined(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
  const { nodePart } = partOrderOf(graph);
  const keys = new Uint32Array(slice.width);
  const hubs = await openJoined(tableStore, runs.hubs, { counters, expect: { kind: HUBS } });
  const bytes = countBytesOf(graph);
  return enumerateParts(context, keysAsRows(slice, bytes), async (side, part, found, result) => {
    const { unwon, lost } = found;
    const size = slice.partSize(part);
    const counts = found.counts.subarray(0, size * bytes);
    counts.fill(0);
    unwon.fill(0);
    const nodesOf: FoundNodes = { side, counts, size, unwon, isFirst, keys, lost: 0, legal: 0, drawn: 0 };
    const from = nodePart[part];
    for await (const batch of nodes.denseCursor({ from, to: from + 1 })) {
      takeNodes(batch, nodesOf);
      report(batch.length);
    }
    for await (const { length, minor, payload } of hubs.cursor({ from, to: from + 1 }))
      for (let i = 0; i < length; i++) {
        const key = minor[i] & KEY_MASK;
        if (counts[key] !== 0) putCount(payload[0][i], counts, key, size);
      }
    result.legal[side] += nodesOf.legal;
    result.drawn[side] += nodesOf.drawn;
    await lost(keys, nodesOf.lost);
  });
}

/** The nodes of a part whose owner is one side. */
interface FoundNodes extends Pick<FoundPositions, 'counts' | 'unwon'> {
  readonly side: Side;
  readonly size: number;
  readonly isFirst: (what: number) => boolean;
  /** Nodes that the rounds begin with, as lost ones: `lost` of them. */
  readonly keys: Uint32Array;
  lost: number;
  legal: number;
  drawn: number;
}

function takeNodes({ first, length, columns }: DenseBatch, found: FoundNodes): void {
  const [status, count] = columns as [Uint8Array, Uint8Array];
  const { side, counts, size, unwon, isFirst, keys } = found;
  for (let i = 0; i < length; i++) {
    const what = status[i];
    if ((what & SIDE_OF_NODE) !== side) continue;
    setBit(unwon, first + i);
    if (count[i] === DRAWN) for (let at = first + i; at < counts.length; at += size) counts[at] = DRAWN;
    else counts[first + i] = count[i];
    found.legal++;
    if (isLost(what)) {
      if (isFirst(what)) keys[found.lost++] = first + i;
    } else if (isDrawn(what)) found.drawn++;
  }
}

/**
 * Under `score`: the ends of the play by fewer points than most, as turns that the rounds take in order. No edge leads to another
 * graph, so these are all that comes from outside of the rounds.
 */
async function endsByScore(context: Context, graph: GraphManifest): Promise<Converted> {
  const { runs, scores } = graph;
  const none = { events: [], requests: 0, answers: 0 };
  if (context.metric !== 'score' || scores!.length < 2) return none;
  const { slice, parts, tableStore, counters, scratch, budget } = context;
  const nodes = await openJoined(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
  const { nodePart } = partOrderOf(graph);
  const turns = new Map(scores!.map((points, turn) => [points, turn]));

  async function* ends(): RowSource {
    const rows = newRows(EXPAND_ROWS, 0);
    for (let part = parts.from; part < parts.to; part++) {
      const from = nodePart[part];
      for await (const { first, length, columns } of nodes.denseCursor({ from, to: from + 1 })) {
        const status = columns[0] as Uint8Array;
        for (let i = 0; i < length; i++) {
          const turn = turns.get(pointsOf(status[i])) ?? 0;
          if (turn === 0) continue;
          const side = (status[i] & SIDE_OF_NODE) as Side;
          const at = rows.length++;
          rows.major[at] = firstMajorOfEvent(slice, turn, flow(Kind.loss, side)) + part;
          rows.minor[at] = first + i;
          if (rows.length < EXPAND_ROWS) continue;
          yield rows;
          rows.length = 0;
        }
      }
    }
    if (rows.length > 0) yield rows;
  }

  const env = { budget: memoryOf('convert', budget).order, scratch, counters, arrays: newArrays() };
  const turned = await writeEvents(context, keysAsRows(slice), parts, sort(ends(), 0, env));
  return { ...none, turns: turned.runs };
}

/** Reads the edges from the nodes of the context's parts. A unit of the successors run lies in one part. */
function movesOfGraph(graph: GraphManifest): MovesByUnit {
  const { nodes: total, runs } = graph;
  const { nodePart, slicePart } = partOrderOf(graph);
  return async function* moves(context, _labels, units) {
    const { slice, parts, tableStore, counters, report } = context;
    const successors = await openJoined(tableStore, runs.successors, {
      counters,
      expect: { kind: SUCCESSORS },
    });
    const nodes = await openJoined(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
    const firstOfSide = [firstMajor(slice, 0), firstMajor(slice, 1)] as const;
    const status = new Uint8Array(slice.width);
    /** The first node of the part whose statuses are held. */
    let start = 0;

    async function* withNodes(): Cursor {
      for (let part = parts.from; part < parts.to; part++) {
        const from = nodePart[part];
        const size = slice.partSize(part);
        start = from * slice.width;
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
        predecessors[n++] = (source | (same << SAME_BIT)) >>> 0;
      }
      out.length = n;
      return to;
    };

    yield* expand(withNodes(), kernel, { rows: EXPAND_ROWS, payload: 1 });
  };
}
