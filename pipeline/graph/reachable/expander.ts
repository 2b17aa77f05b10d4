/**
 * Expansion elsewhere: while one piece of a layer is sorted here, the next are expanded by others. Pieces come back in the order in
 * which they were given, so what is found does not depend on who expands.
 */
import { slice } from '../../../operators/rows.js';
import type { Batch, Cursor } from '../../../operators/runs/types.js';
import type { PackedNodes } from '../source.js';

/** Expands pieces of layers, several at once. */
export interface Expander {
  /** Pieces that may be under way. */
  readonly ahead: number;
  /** Positions of a piece. */
  readonly piece: number;
  /**
   * `keys` are valid during the call. What it returns is valid until `ahead` pieces more were given.
   * @throws UserError for what is wrong with the game.
   */
  expand(keys: Batch): Promise<readonly PackedNodes[]>;
  close(): Promise<void>;
}

/** All of a layer, in order. */
export async function* expandedAhead(layer: Cursor, expander: Expander): AsyncGenerator<PackedNodes> {
  const { ahead, piece } = expander;
  const underWay: Promise<readonly PackedNodes[]>[] = [];
  for await (const batch of layer) {
    for (let from = 0; from < batch.length; from += piece) {
      const given = expander.expand(slice(batch, from, Math.min(batch.length, from + piece)));
      // An error is thrown when the piece has its turn.
      given.catch(() => {});
      underWay.push(given);
      if (underWay.length >= ahead) yield* await underWay.shift()!;
    }
  }
  for (const given of underWay) yield* await given;
}
