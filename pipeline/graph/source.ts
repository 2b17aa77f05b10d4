/**
 * Graphs: finite games whose moves are written down. A node is a position; its owner chooses which edge is followed; who
 * wins where the play ends is stated by the node. The play may cycle, and nobody wins then. Both players' moves need not
 * alternate: that is what graphs have before the slices of games. ("Reachability games", whose winning regions are attractors.)
 *
 * A source hands out the nodes and edges of a graph once, in batches, in any order. Their identifiers are mapped to numbers
 * by sorting (import.ts), so that nothing has to be held.
 */
import type { Rows, RunRef } from '../../operators/runs/types.js';
import type { Side } from '../game/game.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';

/**
 * How nodes are called. Numbers are safe integers; bigints are unsigned. Text and integers are different
 * names: "7" is not 7; a number and a bigint of equal value are the same.
 */
export type NodeId = string | number | bigint;

/** The facts of a graph that are known before its nodes. */
export interface GraphHead {
  /** The names of the players. */
  readonly players: readonly [string, string];
}

/** A node as it was written. */
export interface GraphNode {
  readonly id: NodeId;
  /** Who chooses here. */
  readonly owner: Side;
  /** The winner if the play ends here, or the fact that nobody has won; null if the play goes on. */
  readonly winner: Side | 'nobody' | null;
  /** The points by which the winner wins, from 1 to 125; none if left out. */
  readonly score?: number;
  /** After how many plies the winner wins, from 0 to 8,000: values by another table are such. 0 if left out. Not beside a score. */
  readonly plies?: number;
  /** Where the edges from here lead; repeats count once. Where the play is over, they are not looked at. */
  readonly edges: readonly NodeId[];
  /** The names of the edges, in their order, by which probes and rows call them; null for an edge without. */
  readonly names?: readonly (string | null)[];
}

/** An edge that is listed separately from its node; both nodes may come before or after it. */
export interface GraphEdge {
  readonly from: NodeId;
  readonly to: NodeId;
}

/** The facts of a source, and where to look for what is wrong with it. */
interface SourceFacts {
  /** For messages: the file, or what else it comes from. */
  readonly name: string;
  readonly head: GraphHead;
  /** The outcome of a node without edges and without a winner, for its owner. */
  readonly stuck: 'lost' | 'drawn';
  /** Where the node or edge with this number is, e.g. "node 17 (\"x\") at byte 3021". May read all again. */
  whereNode(number: number): Promise<string>;
  whereEdge(number: number): Promise<string>;
  /** The first name for which `wrong` holds, of node `number` or of the separate edge with it; null if none. */
  nameAtNode(number: number, wrong: (id: NodeId) => boolean): Promise<NodeId | null>;
  nameAtEdge(number: number, wrong: (id: NodeId) => boolean): Promise<NodeId | null>;
}

/** A source that lists nodes and edges: a file, or a program. One process reads it. */
export interface ListedGraph extends SourceFacts {
  readonly game?: undefined;
  /** The nodes where the play begins, which users want to see the values of. */
  readonly roots?: readonly NodeId[];
  /**
   * All nodes and edges once, in batches, or those after the place at which an earlier reading stopped. Nodes are numbered from 0 in
   * the order they come, and so are separate edges. @throws UserError for what is malformed.
   */
  read(going?: { readonly from: Place | null }): AsyncIterable<GraphBatch>;
}

/** The positions that a keyed game reaches (reachable.ts): several find them together. */
export interface FoundGraph extends SourceFacts {
  readonly game: KeyedRules;
}

/** Where a graph is read from. */
export type GraphSource = ListedGraph | FoundGraph;

/** A layer of a keyed game that was found, before its positions are expanded. */
export interface Layer {
  /** Moves from the nearest root. */
  readonly moves: number;
  readonly positions: number;
  /** Counts this layer and all before it. */
  readonly total: number;
}

/** Takes nodes in, which are valid until what it returns was awaited. */
export type TakeNodes = (nodes: PackedNodes) => Promise<void> | void;

/** Nodes of a keyed game, in words. Valid until the next batch is asked for. */
export interface PackedNodes {
  readonly length: number;
  /** Their keys, mixed (ids.ts) by the seed of the import: the lowest two words, and the others, a column for each. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly upper: readonly Uint32Array[];
  /** Words of graph-layout.ts, with weights. */
  readonly status: Uint32Array;
  /** The edges of node i are those from ends[i - 1] to ends[i]. */
  readonly ends: Uint32Array;
  /** Where they lead: rows of keys (spread.ts). */
  readonly targets: Rows;
  /** Of each edge 1 if it leads to its target with the colours exchanged. Null if the game has no symmetries. */
  readonly exchanged: Uint8Array | null;
  /** How many positions they stand for, symmetric ones counted apart. */
  readonly boards: number;
  /** How many of them stand for positions of the other mover, too. */
  readonly exchanging: number;
  /** So many moves to positions were compared with what their keys are read back as. */
  readonly compared: number;
}

/** How much was read of a source. */
export interface SourceCounts {
  nodes: number;
  /** With their nodes. */
  edges: number;
  apart: number;
  /** Nodes whose names are text. */
  texts: number;
  /** Moves of a keyed game that were compared with what keys are read back as; of no other graph. */
  compared?: number | undefined;
  /** Keyed games only: positions with those that are symmetric to them. */
  boards?: number | undefined;
  /** Keyed games only: as {@link PackedNodes.exchanging}. */
  exchanging?: number | undefined;
}

/** Nodes and edges that were read together. */
export interface GraphBatch {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Returns the place from which another process can continue after this batch, if there is one. Called before the next batch is requested. */
  readonly place?: () => Promise<Place>;
}

/**
 * A place in a source, from where reading goes on. Of a file: between two batches. Of a game: the sizes of all layers that were found; the
 * last is not expanded yet.
 */
export interface Place {
  readonly at: readonly number[];
  /** Runs that are needed to go on from there. */
  readonly runs: readonly RunRef[];
  /** How many of the runs each partition has; one has all, unless given. */
  readonly shares?: readonly number[] | undefined;
}
