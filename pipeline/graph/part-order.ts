/**
 * The order of a graph's parts. The parts of nodes follow each other layer by layer, and a round decides positions of few
 * layers. A partition has an interval of the slice's parts. In the order of nodes one partition would have nearly all the work
 * of a round, while the others wait. So the parts are *dealt*: each interval of the slice's parts is an even sample of all.
 *
 * Parts are dealt by numbers whose bits are reversed (van der Corput 1935), counted from the end. So the last part stays the
 * last, and it alone may have fewer nodes than the others.
 */
import { IMPORT_VERSION, PART_NODES } from './graph-layout.js';

/** Which part of the slice has which part of the nodes. */
export interface PartOrder {
  /** The part of the nodes, by the part of the slice. */
  readonly nodePart: Uint32Array;
  /** The part of the slice, by the part of the nodes. */
  readonly slicePart: Uint32Array;
}

/** The order of a graph by its manifest: imports of earlier versions did not deal the parts. */
export function partOrderOf({
  nodes,
  version,
}: {
  readonly nodes: number;
  readonly version: number;
}): PartOrder {
  const nodePart = nodeParts(partsOf(nodes), version !== IMPORT_VERSION);
  const slicePart = new Uint32Array(nodePart.length);
  for (let part = 0; part < nodePart.length; part++) slicePart[nodePart[part]] = part;
  return { nodePart, slicePart };
}

/** Whether the parts of so many nodes stand in another order when they are dealt. One or two do not. */
export function isDealt(nodes: number): boolean {
  return partsOf(nodes) > 2;
}

function partsOf(nodes: number): number {
  return Math.ceil(nodes / PART_NODES);
}

/** The parts of the nodes in the order of the slice. */
function nodeParts(parts: number, areDealt: boolean): Uint32Array {
  const order = new Uint32Array(parts);
  const bits = 32 - Math.clz32(parts - 1);
  for (let i = 0, n = 0; n < parts; i++) {
    const turned = areDealt ? reversed(i, bits) : i;
    // The next power of two may be more than there are parts.
    if (turned < parts) order[parts - ++n] = parts - 1 - turned;
  }
  return order;
}

/** The number whose lowest bits are those of another in reverse. */
function reversed(number: number, bits: number): number {
  let turned = 0;
  for (let bit = 0; bit < bits; bit++) turned |= ((number >>> bit) & 1) << (bits - 1 - bit);
  return turned;
}
