/** The phases of solving that read a graph, where those of a game ask kernels. */
import { expand } from '../../operators/expand.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import { flow, Kind } from '../events.js';
import type { Side } from '../game.js';
import { bitBytes, setBit } from '../labels.js';
import { firstMajor, firstMajorOfEvent } from '../majors.js';
import { type Context, runName } from '../phases/context.js';
import { EXPAND_ROWS } from '../phases/convert.js';
import type { MovesByUnit } from '../phases/edges.js';
import type { Enumerated } from '../phases/enumerate.js';
import { noLabelRuns } from '../phases/label-planes.js';
import { createPlaneWriter } from '../phases/label-writer.js';
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
  const { slice, parts, store, tableStore, budget, counters } = context;
  const result: Enumerated = {
    labels: noLabelRuns(),
    mates: [],
    converting: [],
    legal: [0, 0],
    lost: [0, 0],
    drawn: [0, 0],
  };
  const nodes = await openRun(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
  const counts = new Uint8Array(slice.width);
  const unwon = new Uint8Array(bitBytes(slice.width));
  const lostKeys = new Uint32Array(slice.width);
  const mates = await createRun(
    store,
    runName(context, 'mates'),
    { kind: 'events', dense: false, columns: [], strict: true, meta: { slice: slice.name } },
    { batchRows: budget.batchRows, counters },
  );
  try {
    for (const side of [0, 1] as const) {
      const countWriter = createPlaneWriter(context, 'counts', side, 1);
      const unwonWriter = createPlaneWriter(context, 'unwon', side, 1);
      const event = firstMajorOfEvent(slice, 0, flow(Kind.loss, side));
      try {
        for (let part = parts.from; part < parts.to; part++) {
          const size = slice.partSize(part);
          counts.fill(0);
          unwon.fill(0);
          let lost = 0;
          for await (const { first, length, columns } of nodes.denseCursor({ from: part, to: part + 1 })) {
            const [status, count] = columns as [Uint8Array, Uint8Array];
            for (let i = 0; i < length; i++) {
              const what = status[i]!;
              if ((what & SIDE_OF_NODE) !== side) continue;
              setBit(unwon, first + i);
              counts[first + i] = count[i]!;
              result.legal[side]++;
              if ((what & NodeStatus.lost) !== 0) lostKeys[lost++] = first + i;
              else if ((what & NodeStatus.drawn) !== 0) result.drawn[side]++;
            }
            context.report(length);
          }
          if (lost > 0) await mates.append(event + part, lost, lostKeys, []);
          result.lost[side] += lost;
          await countWriter.append(part, counts.subarray(0, size));
          await unwonWriter.append(part, unwon.subarray(0, bitBytes(size)));
        }
        result.labels.counts[side] = await countWriter.close();
        result.labels.unwon[side] = await unwonWriter.close();
      } catch (error) {
        await countWriter.abort();
        await unwonWriter.abort();
        throw error;
      }
    }
    const { name, crc, rows } = await mates.close();
    result.mates = [{ name, crc, ...parts, first: 0, last: 0, rows }];
    return result;
  } catch (error) {
    await mates.abort();
    throw error;
  }
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
    /** Of each node twice, as of positions of both sides. */
    const report = (before: number): void => {
      context.report(2 * (before - reported));
      reported = before;
    };

    async function* withNodes(): Cursor {
      for await (const batch of successors.cursor(unitsOf(total, reported, end))) {
        const there = Math.floor(batch.minor[0]! / slice.width);
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
      const predecessors = out.payload[0]!;
      const to = Math.min(batch.length, from + out.minor.length - out.length);
      const start = part * slice.width;
      let n = out.length;
      for (let i = from; i < to; i++) {
        const word = words[i]!;
        const node = word & NODE_MASK;
        const side = sideOfWord(word);
        const key = node & keyMask;
        const source = batch.minor[i]!;
        const same = side === ((status[source - start]! & SIDE_OF_NODE) as Side) ? 1 : 0;
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
