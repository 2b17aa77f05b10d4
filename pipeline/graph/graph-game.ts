/** Graphs as a game: each is a slice, whose positions are its nodes. What kernels would make is read (graph-phases.ts). */
import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game, Slice } from '../game.js';
import { MAX_COUNT } from '../labels.js';
import { PART_NODES } from './layout.js';
import type { GraphManifest } from './manifest.js';

/** Tables of graphs lie under this name. */
export const GRAPH = 'graph';

export function graphSlice({ name, nodes }: Pick<GraphManifest, 'name' | 'nodes'>): Slice {
  const width = Math.min(PART_NODES, nodes);
  const parts = Math.ceil(nodes / width);
  return {
    name,
    parts,
    width,
    size: nodes,
    partSize: (part) => Math.min(width, nodes - part * width),
    dependencies: [],
    maxMoves: MAX_COUNT,
    census: notMade,
    moves: notMade,
    conversions: notMade,
    orbitSizes(_part, _keys, length, out) {
      out.fill(1, 0, length);
    },
  };
}

export function isGraphName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/i.test(text);
}

/** @throws UserError if graphs cannot be called so. */
export function requireGraphName(name: string): void {
  if (isGraphName(name)) return;
  throw new UserError(`${JSON.stringify(name)} cannot be a graph's name: letters, digits and dashes can`);
}

/**
 * The graphs that a store may have, for who asks what of the game lies where: names are all that is known. How large a graph
 * is says its manifest, of which `graphGame` makes the game.
 */
export const graphs: Game<number> = {
  name: GRAPH,
  colours: ['white', 'black'],
  metrics: ['dtw', 'wdl'],
  locatesMirrored: false,
  ending(name) {
    requireGraphName(name);
    return endingOf(name);
  },
  endingsUpTo: () => [],
  slice: unsized,
  parse: notMade,
  format: (node) => `node ${node}`,
  locate: notMade,
  board: notMade,
  moves: notMade,
  terminal: notMade,
  mover: notMade,
  diagram: notMade,
};

/** The game that `solveSlice` and tables ask for names and sizes; positions are probed by graph-prober.ts. */
export function graphGame(manifest: GraphManifest): Game<number> {
  const { name } = manifest;
  const slice = graphSlice(manifest);
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
    board: ({ part, key }) => part * slice.width + key,
  };
}

function endingOf(name: string): Ending {
  return { name, slices: [name], flipped: false, exchanged: name, pieces: 1, class: name };
}

/** A slice of which only the name is known. */
function unsized(name: string): Slice {
  return {
    name,
    dependencies: [],
    maxMoves: MAX_COUNT,
    get parts() {
      return notMade();
    },
    get width() {
      return notMade();
    },
    get size() {
      return notMade();
    },
    partSize: notMade,
    census: notMade,
    moves: notMade,
    conversions: notMade,
    orbitSizes: notMade,
  };
}

function notMade(): never {
  throw new Error('what is known of a graph is read');
}
