/**
 * The edges of a graph as rounds ask for them. They differ from those of a game in two ways. The owner of both ends may be the
 * same: who wins then stays, and so does the side. And a node may have more edges than its label counts, a *hub*: what
 * exceeds it is held here, and counted down first. Memory: 8 bytes a hub, of which there are at most E / 255.
 */
import { UserError } from '../../operators/core/errors.js';
import type { ExpandKernel } from '../../operators/expand.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Batch, Rows } from '../../operators/runs/types.js';
import { FLOWS, Kind, kindOf, unmoveFlow } from '../events.js';
import type { Slice } from '../game.js';
import { MAX_COUNT } from '../labels.js';
import type { Context } from '../phases/context.js';
import { type Edges, type Frontier, openEdges } from '../phases/edge-run.js';
import { openEventRuns } from '../phases/event-runs.js';
import { shifted } from '../phases/frontier.js';
import type { RoundsState } from '../phases/rounds.js';
import { HUB_BIT, NODE_MASK, SAME_BIT } from './layout.js';
import type { GraphManifest } from './manifest.js';
import { HUBS } from './successors.js';

/** Of the memory, for hubs. */
const HUB_SHARE = 0.1;
const HUB_BYTES = 8;

export async function openGraphEdges(
  context: Context,
  graph: GraphManifest,
  state: RoundsState,
): Promise<Edges> {
  const hubs = await readHubs(context, graph);
  const edges = await openEdges(context, state.edges, (slice, flowNumber) => kernel(slice, flowNumber, hubs));
  if (graph.hubs > 0) await recount(context, state, edges);
  return edges;
}

/** Hubs, ascending, and how much of their edges not yet known to be bad is beyond their label. */
interface Hubs {
  readonly nodes: Uint32Array;
  readonly excess: Uint32Array;
}

async function readHubs({ budget, tableStore, counters }: Context, graph: GraphManifest): Promise<Hubs> {
  if (graph.hubs * HUB_BYTES > budget.memory * HUB_SHARE) {
    throw new UserError(
      `graph ${graph.name}: ${graph.hubs} nodes have more than ${MAX_COUNT} edges, whose counts take ${graph.hubs * HUB_BYTES} bytes: give more --memory`,
    );
  }
  const nodes = new Uint32Array(graph.hubs);
  const excess = new Uint32Array(graph.hubs);
  let n = 0;
  if (graph.hubs > 0) {
    const reader = await openRun(tableStore, graph.runs.hubs, { counters, expect: { kind: HUBS } });
    for await (const { length, minor, payload } of reader.cursor()) {
      for (let i = 0; i < length; i++) {
        nodes[n] = minor[i]!;
        excess[n++] = payload[0]![i]! - MAX_COUNT;
      }
    }
  }
  return { nodes, excess };
}

/** Counts down what earlier rounds have: their requests are made again, and dropped. */
async function recount(context: Context, { events, nextPly }: RoundsState, edges: Edges): Promise<void> {
  const { slice, parts } = context;
  const runs = await openEventRuns(context, events);
  for (let ply = 0; ply < nextPly - 1; ply++) {
    const frontier: Frontier = {
      cursor(range) {
        const flowNumber = Math.floor(range!.from / slice.parts);
        return shifted(runs.cursor(ply, flowNumber, parts), flowNumber * slice.parts);
      },
    };
    if (!FLOWS.some((flowNumber) => runs.holds(ply, flowNumber, parts))) continue;
    for await (const _ of edges.requests(frontier));
  }
}

function kernel({ parts, width }: Slice, flowNumber: number, { nodes, excess }: Hubs): ExpandKernel {
  const flows = [unmoveFlow(flowNumber), flowNumber] as const;
  const counts = flows.map((each) => kindOf(each) === Kind.loss);

  /** Whether a bad edge of a hub is taken off what exceeds its label. */
  function isBeyond(hub: number): boolean {
    let low = 0;
    let high = nodes.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (nodes[middle]! < hub) low = middle + 1;
      else high = middle;
    }
    // A node with exactly as many edges as a label counts is marked as a hub, and is none.
    if (nodes[low] !== hub || excess[low] === 0) return false;
    excess[low]!--;
    return true;
  }

  return (edges: Batch, from: number, out: Rows): number => {
    const words = edges.payload[0] as Uint32Array;
    const to = Math.min(edges.length, from + out.minor.length - out.length);
    let n = out.length;
    for (let i = from; i < to; i++) {
      const word = words[i]!;
      const same = word >>> SAME_BIT;
      const node = word & NODE_MASK;
      if (((word >>> HUB_BIT) & 1) !== 0 && counts[same] && isBeyond(node)) continue;
      const part = Math.floor(node / width);
      out.major[n] = flows[same]! * parts + part;
      out.minor[n++] = node - part * width;
    }
    out.length = n;
    return to;
  };
}
