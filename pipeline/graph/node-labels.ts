/** The labels that rounds begin with, read from the nodes of a graph: part by part for each side, or of all nodes in memory. */

import type { Interval } from '../../operators/core/interval.js';
import type { Context } from '../engine/memory/context.js';
import type { Side } from '../game/game.js';
import { bitBytes, DRAWN, putCount, setBit } from '../game/labels.js';
import { stipulations } from '../game/stipulation.js';
import type { Metric } from '../game/value.js';
import {
  isDrawn,
  isLost,
  isOpen,
  PART_NODES,
  pliesOf,
  pointsOf,
  putWords,
  SIDE_OF_NODE,
} from './graph-layout.js';
import { type JoinedRuns, openGraphRuns } from './joined-runs.js';
import { countBytesOf, type GraphManifest } from './manifest.js';

/** The events by which ends of the play join the rounds (engine/phases/frontier-rule.ts). */
export interface EventsOfEnds {
  /**
   * By the word of a node: 0 for the first frontier, which is the ends that are lost at once or, under `score`, those by the most points.
   * -1 where nobody has lost.
   */
  of(word: number): number;
  /** The number of the last event; 0 if there are none. */
  readonly last: number;
}

export function eventsOfEnds(
  { scores = [], mostPlies = 0 }: Pick<GraphManifest, 'scores' | 'mostPlies'>,
  metric: Metric,
): EventsOfEnds {
  const stipulation = stipulations[metric];
  const eventOf = stipulation.scores
    ? (word: number) => scores.indexOf(pointsOf(word))
    : stipulation.plies
      ? pliesOf
      : () => 0;
  return {
    of: (word) => (isLost(word) ? eventOf(word) : -1),
    last: stipulation.scores ? Math.max(0, scores.length - 1) : stipulation.plies ? mostPlies : 0,
  };
}

/** The labels (game/labels.ts) of nodes whose numbers follow each other, by number from the first of them on. */
export interface NodeLabels {
  readonly size: number;
  /** As many planes of bytes as {@link countBytesOf} returns. */
  readonly counts: Uint8Array;
  readonly unwon: Uint8Array;
  /** Those in the first frontier: the first `lost`. */
  readonly frontier: Uint32Array;
  lost: number;
  legal: number;
  drawn: number;
}

/** @param size nodes, of which `counts`, `unwon` and `frontier` may have been used for others. */
export function emptyLabels(
  graph: GraphManifest,
  size: number,
  room: Pick<NodeLabels, 'counts' | 'unwon' | 'frontier'>,
): NodeLabels {
  const counts = room.counts.subarray(0, size * countBytesOf(graph)).fill(0);
  const unwon = room.unwon.subarray(0, bitBytes(size)).fill(0);
  return { size, counts, unwon, frontier: room.frontier, lost: 0, legal: 0, drawn: 0 };
}

export class NodeLabeller {
  private constructor(
    private readonly nodes: JoinedRuns,
    private readonly hubs: JoinedRuns,
    private readonly events: EventsOfEnds,
    private words = new Uint16Array(0),
  ) {}

  static async open({ tableStore, counters, metric }: Context, graph: GraphManifest): Promise<NodeLabeller> {
    return new NodeLabeller(
      await openGraphRuns(tableStore, graph, 'nodes', counters),
      await openGraphRuns(tableStore, graph, 'hubs', counters),
      eventsOfEnds(graph, metric),
    );
  }

  /**
   * Labels the nodes that belong to a side, or all of them, in some parts of the nodes.
   * @param each called with the words of nodes, which are valid until it returns, and the number of the first.
   */
  async label(
    parts: Interval,
    side: Side | null,
    labels: NodeLabels,
    each: (words: Uint16Array, first: number) => void,
  ): Promise<void> {
    const start = parts.from * PART_NODES;
    for await (const { major, first, length, columns } of this.nodes.denseCursor(parts)) {
      const [status, counts] = columns.map((column) => column.subarray(0, length)) as Uint8Array[];
      if (this.words.length < length) this.words = new Uint16Array(length);
      const words = this.words.subarray(0, length);
      putWords(status, counts, words, 0);
      const at = major * PART_NODES + first - start;
      if (side !== 1) labelNodes(words, 0, at, labels, this.events);
      if (side !== 0) labelNodes(words, 1, at, labels, this.events);
      each(words, at);
    }
    const { counts, size } = labels;
    for await (const { length, minor, payload } of this.hubs.cursor(parts))
      for (let i = 0; i < length; i++) {
        const at = minor[i] - start;
        if (counts[at] !== 0) putCount(payload[0][i], counts, at, size);
      }
  }
}

// Loops are functions of their own. V8 compiles what is around a long loop with it.

function labelNodes(
  words: Uint16Array,
  side: Side,
  first: number,
  labels: NodeLabels,
  events: EventsOfEnds,
): void {
  const { size, counts, unwon, frontier } = labels;
  let { lost, legal, drawn } = labels;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if ((word & SIDE_OF_NODE) !== side) continue;
    const at = first + i;
    legal++;
    setBit(unwon, at);
    if (isOpen(word)) counts[at] = word >>> 8;
    else if (isDrawn(word)) {
      drawn++;
      for (let byte = at; byte < counts.length; byte += size) counts[byte] = DRAWN;
    } else if (events.of(word) === 0) frontier[lost++] = at;
    // An end that joins later has one escape, which its event takes off.
    else counts[at] = 1;
  }
  labels.lost = lost;
  labels.legal = legal;
  labels.drawn = drawn;
}
