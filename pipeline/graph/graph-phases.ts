/** The phases of solving that read a graph, where those of a game ask kernels. */
import { expand } from '../../operators/expand.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import type { Side } from '../game.js';
import { setBit } from '../labels.js';
import { firstMajor } from '../majors.js';
import type { Context } from '../phases/context.js';
import { EXPAND_ROWS } from '../phases/convert.js';
import type { MovesByUnit } from '../phases/edges.js';
import { type Enumerated, enumerateParts } from '../phases/enumerate.js';
import type { SlicePhases, Solvable } from '../phases/slice-phases.js';
import { openGraphEdges } from './graph-edges.js';
import { graphGame } from './graph-game.js';
import { NODE_MASK, NodeStatus, PART_SHIFT, SAME_BIT, SIDE_OF_NODE, sideOfWord, unitsOf } from './layout.js';
import type { GraphManifest } from './manifest.js';
import { NODES, SUCCESSORS } from './successors.js';
import { verifyGraph } from './verify-graph.js';

/** The graph, to be solved and verified. */
export function solvableGraph(graph: GraphManifest): Solvable {
  return { ...graphGame(graph), phases: graphPhases(graph) };
}

function graphPhases(graph: GraphManifest): SlicePhases {
  return {
    enumerate: (context) => enumerateGraph(context, graph),
    moves: movesOfGraph(graph),
    // No edge leads to another graph.
    convert: async () => ({ events: [], requests: 0, answers: 0 }),
    openMoves: (context, state) => openGraphEdges(context, graph, state),
    verify: (context, table) => verifyGraph(context, graph, table),
  };
}

/** The labels that the rounds begin with: two scans of the nodes, one for each side. */
async function enumerateGraph(context: Context, { runs }: GraphManifest): Promise<Enumerated> {
  const { slice, tableStore, counters, report } = context;
  const nodes = await openRun(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
  const lostKeys = new Uint32Array(slice.width);
  return enumerateParts(context, async (side, part, { counts, unwon, lost }, result) => {
    counts.fill(0);
    unwon.fill(0);
    let n = 0;
    for await (const { first, length, columns } of nodes.denseCursor({ from: part, to: part + 1 })) {
      const [status, count] = columns as [Uint8Array, Uint8Array];
      for (let i = 0; i < length; i++) {
        const what = status[i];
        if ((what & SIDE_OF_NODE) !== side) continue;
        setBit(unwon, first + i);
        counts[first + i] = count[i];
        result.legal[side]++;
        if ((what & NodeStatus.lost) !== 0) lostKeys[n++] = first + i;
        else if ((what & NodeStatus.drawn) !== 0) result.drawn[side]++;
      }
      report(length);
    }
    await lost(lostKeys, n);
  });
}

/** Reads the edges from the nodes of the context's parts. A unit of the successors run lies in one part. */
function movesOfGraph({ nodes: total, runs }: GraphManifest): MovesByUnit {
  return async function* moves(context, _labels, units) {
    const { slice, parts, tableStore, counters } = context;
    const successors = await openRun(tableStore, runs.successors, { counters, expect: { kind: SUCCESSORS } });
    const nodes = await openRun(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
    const firstOfSide = [firstMajor(slice, 0), firstMajor(slice, 1)] as const;
    const keyMask = (1 << PART_SHIFT) - 1;
    const status = new Uint8Array(slice.width);
    const end = Math.min(slice.size, parts.to * slice.width);
    let part = -1;
    let reported = parts.from * slice.width;
    /** Counts each node twice, once for either side. */
    const report = (before: number): void => {
      context.report(2 * (before - reported));
      reported = before;
    };

    async function* withNodes(): Cursor {
      for await (const batch of successors.cursor(unitsOf(total, reported, end))) {
        const there = Math.floor(batch.minor[0] / slice.width);
        if (there !== part) {
          part = there;
          report(part * slice.width);
          for await (const { first, length, columns } of nodes.denseCursor({ from: part, to: part + 1 }))
            status.set((columns[0] as Uint8Array).subarray(0, length), first);
        }
        yield batch;
      }
      report(end);
    }

    const kernel = (batch: Batch, from: number, out: Rows): number => {
      const words = batch.payload[0] as Uint32Array;
      const predecessors = out.payload[0];
      const to = Math.min(batch.length, from + out.minor.length - out.length);
      const start = part * slice.width;
      let n = out.length;
      for (let i = from; i < to; i++) {
        const word = words[i];
        const node = word & NODE_MASK;
        const side = sideOfWord(word);
        const key = node & keyMask;
        const source = batch.minor[i];
        const same = side === ((status[source - start] & SIDE_OF_NODE) as Side) ? 1 : 0;
        out.major[n] = (firstOfSide[side] + (node >>> PART_SHIFT)) * units.perPart + (key >>> units.shift);
        out.minor[n] = key;
        predecessors[n++] = (source | (same << SAME_BIT)) >>> 0;
      }
      out.length = n;
      return to;
    };

    yield* expand(withNodes(), kernel, { rows: EXPAND_ROWS, payload: 1 });
  };
}
