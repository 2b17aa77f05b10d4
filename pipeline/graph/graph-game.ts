/** Graphs as a game: each is a slice, whose positions are its nodes. They have no kernels: see graph-phases.ts. */
import { UserError } from '../../operators/core/errors.js';
import type { Address, BoardRules, Ending, SliceCatalogue, SliceIndex } from '../game/game.js';
import { NAME } from '../games/yours/definition.js';
import { IMPORT_VERSION, PART_NODES } from './graph-layout.js';
import type { GraphManifest } from './manifest.js';
import { partOrderOf } from './part-order.js';

/** Tables of graphs lie under this name. */
export const GRAPH = 'graph';

/** The work that a node makes, in edges that come from it. Nobody counts the edges that lead to it. */
const NODE_WEIGHT = 3;

type GraphSize = Pick<GraphManifest, 'name' | 'nodes' | 'partEdges' | 'version'>;

export function graphSlice({ name, nodes, partEdges, version }: GraphSize): SliceIndex {
  const width = Math.min(PART_NODES, nodes);
  const parts = Math.ceil(nodes / width);
  const { nodePart } = partOrderOf({ nodes, version });
  return {
    name,
    parts,
    width,
    size: nodes,
    partSize: (part) => Math.min(width, nodes - part * width),
    ...(version !== IMPORT_VERSION && { numbering: 'dealt parts' }),
    ...(partEdges && {
      partWeights: Array.from(nodePart, (part) => partEdges[part] + NODE_WEIGHT * PART_NODES),
    }),
    dependencies: [],
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}

export function isGraphName(text: string): boolean {
  return NAME.test(text);
}

/** @throws UserError if graphs cannot be called so. */
export function requireGraphName(name: string): void {
  if (isGraphName(name)) return;
  throw new UserError(`${JSON.stringify(name)} cannot be a graph's name: letters, digits, - and _ can`);
}

/** The graphs that a store may have: only their names are known. The size of a graph is in its manifest. */
export const graphs: Omit<SliceCatalogue<Pick<SliceIndex, 'name' | 'dependencies'>>, 'sided'> = {
  name: GRAPH,
  colours: ['white', 'black'],
  metrics: ['dtw', 'wdl', 'score'],
  ending(name) {
    requireGraphName(name);
    return endingOf(name);
  },
  endingsUpTo: () => [],
  slice: (name) => ({ name, dependencies: [] }),
};

/** A graph whose size is known; positions are written as numbers of nodes. Nodes are looked up by graph-prober.ts. */
export interface GraphGame extends SliceCatalogue<SliceIndex>, Pick<BoardRules<number>, 'board' | 'format'> {}

export function graphGame(manifest: GraphSize): GraphGame {
  const { name } = manifest;
  const slice = graphSlice(manifest);
  const { nodePart } = partOrderOf(manifest);
  const whole = endingOf(name);
  return {
    ...graphs,
    whole,
    ending(text) {
      if (text === name) return whole;
      throw new UserError(`there is no graph ${JSON.stringify(text)} here: there is ${name}`);
    },
    endingsUpTo: () => [whole],
    slice: () => slice,
    board: ({ part, key }: Address) => nodePart[part] * slice.width + key,
    format: (node) => `node ${node}`,
  };
}

function endingOf(name: string): Ending {
  return { name, slices: [name], flipped: false, exchanged: name, pieces: 1, class: name };
}
