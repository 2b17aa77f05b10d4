/** The table of a graph in the order of its nodes. */
import type { Store } from '../../operators/storage/store.js';
import { graphGame } from '../../pipeline/graph/graph-game.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import { valuesOf } from './paged.js';

/** By side and number of the node: values under `dtw`, null where the side is not to move. */
export async function nodeValuesOf(graph: GraphManifest, store: Store): Promise<(number | null)[][]> {
  const game = graphGame(graph);
  const { width } = game.slice(graph.name);
  const sides = await valuesOf(game, graph.name, 'dtw', store);
  return sides.map((values) => {
    const byNode: (number | null)[] = Array.from({ length: values.length });
    for (let i = 0; i < values.length; i++) {
      const part = Math.floor(i / width);
      byNode[game.board({ slice: graph.name, side: 0, part, key: i - part * width })] = values[i];
    }
    return byNode;
  });
}
