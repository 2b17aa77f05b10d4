/**
 * Expansion elsewhere: while one piece of a layer is sorted here, the next are expanded by others. Pieces come back in the order in
 * which they were given, so what is found does not depend on who expands.
 */
import type { Batch, Cursor } from '../../../operators/runs/types.js';
import type { PackedNodes } from '../source.js';

/** Expands pieces of layers, several at once. */
export interface Expander {
  /** Pieces that may be under way. */
  readonly ahead: number;
  /** Positions of a piece. */
  readonly piece: number;
  /** @throws UserError for what is wrong with the game. */
  expand(keys: Batch): Promise<readonly PackedNodes[]>;
  close(): Promise<void>;
}

/** All of a layer, in order. */
export async function* expandedAhead(layer: Cursor, expander: Expander): AsyncGenerator<PackedNodes> {
  const { ahead, piece } = expander;
  const underWay: Promise<readonly PackedNodes[]>[] = [];
  for await (const batch of layer) {
    for (let from = 0; from < batch.length; from += piece) {
      const given = expander.expand(copied(batch, from, Math.min(batch.length, from + piece)));
      // An error is thrown when the piece has its turn.
      given.catch(() => {});
      underWay.push(given);
      if (underWay.length >= ahead) yield* await underWay.shift()!;
    }
  }
  for (const given of underWay) yield* await given;
}

/** Batches are views that the next one overwrites. */
function copied({ major, minor, payload }: Batch, from: number, to: number): Batch {
  const columns = payload.map((column) => column.slice(from, to));
  return { major, length: to - from, minor: minor.slice(from, to), payload: columns };
}
