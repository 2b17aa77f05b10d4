/** A graph as the rounds see it: one slice, whose positions are its nodes. What kernels would make is read (graph-phases.ts). */
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

function notMade(): never {
  throw new Error('what is known of a graph is read');
}

/** The game that `solveSlice` and tables ask for names and sizes; positions are probed by graph-prober.ts. */
export function graphGame(manifest: GraphManifest): Game<number> {
  const { name } = manifest;
  const slice = graphSlice(manifest);
  const whole: Ending = { name, slices: [name], flipped: false, exchanged: name, pieces: 1, class: name };
  return {
    name: GRAPH,
    colours: ['white', 'black'],
    metrics: ['dtw', 'wdl'],
    locatesMirrored: false,
    whole,
    ending(text) {
      if (text === name) return whole;
      throw new UserError(`there is no graph ${JSON.stringify(text)} here: there is ${name}`);
    },
    endingsUpTo: () => [whole],
    slice: () => slice,
    parse: notMade,
    format: (node) => `node ${node}`,
    locate: notMade,
    board: ({ part, key }) => part * slice.width + key,
    moves: notMade,
    terminal: notMade,
    mover: notMade,
    diagram: notMade,
  };
}
