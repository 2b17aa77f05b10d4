/**
 * How the runs of a graph are laid out. Nodes have numbers from 0 in the order of their source. A number is a position of one
 * side only: of the node's owner or, where somebody has lost, of that player.
 */
import type { Interval } from '../../operators/core/interval.js';
import type { Side } from '../game/game.js';
import { DRAWN } from '../game/labels.js';

/** The version of the records that an import commits. Raised when the meaning of these or of the runs they name changes. */
export const IMPORT_VERSION = 3;
/** The version of the manifest of a graph whose parts are dealt (part-order.ts): earlier programs would read them in the order of nodes. */
export const DEALT_VERSION = 4;
/** The same of a graph with edges that exchange colours ({@link EXCHANGED_BIT}), which earlier programs would overlook. */
export const EXCHANGING_VERSION = 5;
/** The same of a graph with ends so many plies away ({@link WITH_PLIES}), which earlier programs would take for scores. */
export const PLIES_VERSION = 6;
/** The same of a keyed game with keys of more than 64 bits, of which earlier programs would read the lowest 64. */
export const WIDE_KEYS_VERSION = 7;

/** Nodes of a part: their labels fit the processor's cache. */
export const PART_SHIFT = 18;
export const PART_NODES = 1 << PART_SHIFT;
/** The bits of a node's number that are its key in its part. */
export const KEY_MASK = PART_NODES - 1;

/** Node numbers leave the highest bit of a word to others. */
export const MOST_NODES = 2 ** 30;

/** A successor and its side, in a word. */
export const SIDE_BIT = 31;
/** In such a word: the edge leads to the successor with its colours exchanged, so that what is of one side there is of the other here. */
export const EXCHANGED_BIT = 30;
export const NODE_MASK = MOST_NODES - 1;

export function sideOfWord(word: number): Side {
  return (word >>> SIDE_BIT) as Side;
}

/** 1 if an edge leads to its successor with the colours exchanged. */
export function exchangedOfWord(word: number): 0 | 1 {
  return ((word >>> EXCHANGED_BIT) & 1) as 0 | 1;
}

/** 1 if the value of a successor is for the side of the node that its edge comes from; 0 if it is for the other. */
export function keepsSide(word: number, side: number): 0 | 1 {
  return (1 ^ sideOfWord(word) ^ exchangedOfWord(word) ^ side) as 0 | 1;
}

/**
 * The form of a node in a word of 16 bits. The lower byte is its side and a status. A status above `drawn` is lost, too, and has a number from 1
 * to 125: points ({@link pointsOf}), or plies ({@link pliesOf}). The upper byte is 0 where the play goes on. Nodes that are written have it in their
 * count, which is that of edges where the play goes on.
 */
export const NodeStatus = { open: 0, lost: 2, drawn: 4 } as const;
export const SIDE_OF_NODE = 1;
/**
 * While a graph is read, such a word has 32 bits: above the others is how many positions the node stands for, 0 in games without symmetries.
 * Nodes that are written have it in a column of its own.
 */
export const WEIGHT_SHIFT = 16;
export const MOST_WEIGHT = 2 ** 16 - 1;

const STATUS = 0xff & ~SIDE_OF_NODE;
/** The owner of a node where the play is over is the other player than its side. */
export const OTHER_OWNER = 1 << 8;
/** The number of a lost node is of plies, and the bits above this one belong to it. */
const WITH_PLIES = 1 << 9;
const UPPER_PLIES = 10;
/** The greatest number in a status. */
const MOST_NUMBER = 125;

export function isOpen(word: number): boolean {
  return (word & STATUS) === NodeStatus.open;
}

export function isLost(word: number): boolean {
  const what = word & STATUS;
  return what === NodeStatus.lost || what > NodeStatus.drawn;
}

export function isDrawn(word: number): boolean {
  return (word & STATUS) === NodeStatus.drawn;
}

/** The status of a node where the side has lost by so many points, from 1 to 125. */
export function lostBy(points: number): number {
  return NodeStatus.drawn + 2 * points;
}

/** The word of a node where the side has lost in so many plies, up to MOST_END_PLIES of keyed games, with no bit for side and owner. */
export function lostIn(plies: number): number {
  if (plies === 0) return NodeStatus.lost;
  const upper = Math.floor((plies - 1) / MOST_NUMBER);
  return lostBy(plies - MOST_NUMBER * upper) | WITH_PLIES | (upper << UPPER_PLIES);
}

/**
 * Who owns a node, by its word as it is written: the count of a drawn one is {@link DRAWN} - 1 if it is the other player than its side.
 * Keyed games that earlier versions imported lack this (`GraphManifest.movers`).
 */
export function ownerOf(word: number): Side {
  const side = (word & SIDE_OF_NODE) as Side;
  const isOther = isLost(word) ? (word & OTHER_OWNER) !== 0 : isDrawn(word) && word >>> 8 === DRAWN - 1;
  return isOther ? ((1 - side) as Side) : side;
}

/** By how many points the side of a node has lost; 0 if it has not, or if the graph has no scores. */
export function pointsOf(word: number): number {
  return (word & WITH_PLIES) === 0 ? numberOf(word) : 0;
}

/** After how many plies the side of a lost node has lost: 0 unless the source states more. */
export function pliesOf(word: number): number {
  return (word & WITH_PLIES) === 0 ? 0 : numberOf(word) + MOST_NUMBER * (word >>> UPPER_PLIES);
}

function numberOf(word: number): number {
  return Math.max(0, ((word & STATUS) - NodeStatus.drawn) >> 1);
}

/** Writes the words of nodes, of their statuses and counts. */
export function putWords(status: Uint8Array, counts: Uint8Array, out: Uint16Array, at: number): void {
  for (let i = 0; i < status.length; i++) out[at + i] = status[i] | (counts[i] << 8);
}

/** Blocks of nodes, with a directory of where the successors of each block begin; few enough to distribute rows to. */
export function unitShift(nodes: number): number {
  let shift = 10;
  while (nodes > 2 ** (shift + 12)) shift++;
  return shift;
}

/** The units that hold the nodes [from, to) of a graph of so many nodes; `from` begins a unit. */
export function unitsOf(nodes: number, from: number, to: number): Interval {
  const size = 2 ** unitShift(nodes);
  return { from: from / size, to: Math.ceil(to / size) };
}

/** Names of nodes that share a block in the run of names. */
export const TEXT_SHIFT = 10;

/** Where the graph of a name lies in a store, below `steps/` what is unfinished (steps.ts). Tables of it lie where those of other games do. */
export function graphPrefix(name: string): string {
  return `graph/import/${name}`;
}
