/** Looks positions of keyed games up in published files (format.ts). */

import type { Store } from '../../../../operators/storage/store.js';
import type { Side } from '../../../game/game.js';
import { stipulations } from '../../../game/stipulation.js';
import type { Metric } from '../../../game/value.js';
import { newKey, type Words } from '../../../games/yours/keyed/key-words.js';
import { pliesOfEnd } from '../../../games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../../games/yours/keyed/keyed-rules.js';
import { mixKey } from '../../../graph/ids.js';
import type { KeyedMove, KeyedProber } from '../../../graph/keyed-prober.js';
import { type KeyedValue, metricsOf, valueFor } from '../../../graph/keyed-value.js';
import { exchangedWinning } from '../../../graph/outcomes.js';
import { type BlockFileKind, openBlockFile } from './block-file.js';
import {
  bucketCount,
  bucketOf,
  type KeyedHeader,
  keyedFileName,
  lookUp,
  MAGIC,
  type PublishedValue,
} from './format.js';
import { worth } from './values.js';

/** Values by keys. */
interface Values {
  readonly header: KeyedHeader;
  of(key: Words): Promise<PublishedValue>;
}

/**
 * Opens the published file of a game. A position that no game comes to has no value, but the file has no keys. So it
 * is refused if its value does not follow from those of its moves.
 *
 * @throws UserError if the game is not published there for the metric; StorageError, DamageError.
 */
export async function openPublishedKeyed<Position>(
  game: KeyedRules<Position>,
  store: Store,
  metric: Metric = metricsOf(game)[0],
): Promise<KeyedProber<Position> & { readonly header: KeyedHeader }> {
  const values = await openValues(store, game.name, metric);
  const words = newKey(game.keyBits);

  async function valueAt(side: Side, position: Position): Promise<KeyedValue> {
    const exchanged = game.keyInto(position, words);
    mixKey(words, values.header.seed ?? 0);
    const { high, low } = words;
    const [winner, plies, score = null] = await values.of({ high, low });
    const value = { winner, plies, score };
    return valueFor(side, exchanged ? exchangedWinning(value) : value);
  }

  return {
    metric,
    header: values.header,
    async probe(position) {
      const mover = game.mover(position);
      const value = await valueAt(mover, position);
      const moves: KeyedMove<Position>[] = [];
      for (const [name, after] of game.moves(position)) {
        const value = await valueAt(mover, after);
        moves.push({ ...value, name, after, plies: value.plies === null ? null : value.plies + 1 });
      }
      moves.sort((a, b) => worth(b) - worth(a));
      const best = moves[0] ?? endOf(game, position, metric);
      if (best.wdl !== value.wdl || best.plies !== value.plies || best.score !== value.score)
        throw game.wrong(
          position,
          'its value does not follow from its moves: no game comes to this position, or the rules are not those that were published',
        );
      return { ...value, mover, isOver: moves.length === 0, moves };
    },
  };
}

/** The value of a position without moves. */
function endOf<Position>(game: KeyedRules<Position>, position: Position, metric: Metric): KeyedValue {
  const plies = stipulations[metric].plies ? 0 : null;
  if (game.score !== null) {
    const points = game.score(position);
    const winner = points === 0 ? null : points > 0 ? 0 : 1;
    const score = stipulations[metric].scores ? Math.abs(points) : null;
    return valueFor(game.mover(position), { winner, plies: winner === null ? null : plies, score });
  }
  const end = game.ended(position) ?? game.stuck;
  if (end === 'drawn') return { wdl: 'draw', plies: null, score: null };
  const [result, after] = pliesOfEnd(end) ?? [end, 0];
  return { wdl: result === 'won' ? 'win' : 'loss', plies: plies === null ? null : after, score: null };
}

export const keyedKind: Omit<BlockFileKind<KeyedHeader>, 'missing'> = {
  magic: MAGIC,
  what: 'published file of a keyed game',
  count: (header) => (Array.isArray(header.values) ? bucketCount(header) : null),
};

async function openValues(store: Store, game: string, metric: Metric): Promise<Values> {
  const { header, block } = await openBlockFile(store, keyedFileName(game, metric), {
    ...keyedKind,
    missing: `${game} is not published for ${metric}`,
  });
  return {
    header,
    async of(key) {
      const found = lookUp(await block(bucketOf(key, header.bucketBits)), key, header.bits);
      // Keys that are nowhere get numbers that no value has.
      return header.values[found] ?? [null, -1];
    },
  };
}
