/** Looks positions of keyed games up in published files (format.ts). */
import { crc32 } from '../../../operators/core/checksum.js';
import { DamageError, UserError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import { readSoundly, type Store } from '../../../operators/storage/store.js';
import type { Side } from '../../contract/game.js';
import type { Metric } from '../../formats/value.js';
import type { KeyWords } from '../../games/keyed/key-words.js';
import type { KeyedRules } from '../../games/keyed/keyed-rules.js';
import { mixWords } from '../../graph/ids.js';
import type { KeyedMove, KeyedProber } from '../../graph/keyed-prober.js';
import { type KeyedValue, metricsOf, valueFor } from '../../graph/keyed-value.js';
import {
  backBytes,
  bucketOf,
  FRONT_BYTES,
  type KeyedHeader,
  keyedFileName,
  lookUp,
  MAGIC,
  type PublishedValue,
} from './format.js';

/** 2^30 positions are the most that a graph has. */
const MOST_BUCKET_BITS = 20;
/** Buckets that are kept, of some kilobytes each. */
const MOST_KEPT = 256;

/** Values by keys. */
interface Values {
  readonly header: KeyedHeader;
  of(key: KeyWords): Promise<PublishedValue>;
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
  const words: KeyWords = { high: 0, low: 0 };

  async function valueAt(side: Side, position: Position): Promise<KeyedValue> {
    game.keyInto(position, words);
    mixWords(words.high, words.low, 0, words);
    const [winner, plies, score = null] = await values.of({ ...words });
    return valueFor(side, { winner, plies, score });
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

/** More is better: more points, wins by fewer plies, draws, losses by more. */
function worth({ wdl, plies, score }: KeyedValue): number {
  if (wdl === 'draw') return 0;
  const least = 1 / (2 + (plies ?? 0));
  return (score ?? 0) + (wdl === 'win' ? least : -least);
}

/** The value of a position without moves. */
function endOf<Position>(game: KeyedRules<Position>, position: Position, metric: Metric): KeyedValue {
  const plies = metric === 'wdl' ? null : 0;
  if (game.score !== null) {
    const points = game.score(position);
    const winner = points === 0 ? null : points > 0 ? 0 : 1;
    const score = metric === 'score' ? Math.abs(points) : null;
    return valueFor(game.mover(position), { winner, plies: winner === null ? null : plies, score });
  }
  const end = game.ended(position) ?? game.stuck;
  if (end === 'drawn') return { wdl: 'draw', plies: null, score: null };
  return { wdl: end === 'won' ? 'win' : 'loss', plies, score: null };
}

async function openValues(store: Store, game: string, metric: Metric): Promise<Values> {
  const name = keyedFileName(game, metric);
  const size = await store.size(name);
  if (size === null)
    throw new UserError(`${game} is not published for ${metric} in ${store.uri}: there is no ${name}`);
  const { header, first } = await readSoundly(store, name, () => readHeader(store, name, size));
  const back = await readSoundly(store, name, () => readBack(store, name, size, header));
  const once = newOnce<number, Uint8Array>(MOST_KEPT);
  const bucket = (number: number) =>
    once(number, () => {
      const from = back.getUint32(4 * number, true);
      const bytes = back.getUint32(4 * number + 4, true) - from;
      return readSoundly(store, name, () => readBucket(store, name, first + from, bytes));
    });

  return {
    header,
    async of(key) {
      const found = lookUp(await bucket(bucketOf(key, header.bucketBits)), key, header.bits);
      // Keys that are nowhere get numbers that no value has.
      return header.values[found] ?? [null, -1];
    },
  };
}

async function readHeader(
  store: Store,
  name: string,
  size: number,
): Promise<{ header: KeyedHeader; first: number }> {
  const front = new Uint8Array(FRONT_BYTES);
  if (size < FRONT_BYTES) throw new DamageError(name, 'is too short');
  await store.read(name, 0, front);
  if (new TextDecoder().decode(front.subarray(0, MAGIC.length)) !== MAGIC)
    throw new DamageError(name, 'is no published file of a keyed game');
  const view = new DataView(front.buffer);
  const length = view.getUint32(8, true);
  if (FRONT_BYTES + length > size) throw new DamageError(name, 'is too short');
  const text = new Uint8Array(length);
  await store.read(name, FRONT_BYTES, text);
  if (crc32(text) !== view.getUint32(12, true)) throw new DamageError(name, 'has a damaged header');
  const header = JSON.parse(new TextDecoder().decode(text)) as KeyedHeader;
  const { bits, bucketBits, values } = header;
  const isWithin = (value: unknown, least: number, most: number) =>
    Number.isInteger(value) && least <= (value as number) && (value as number) <= most;
  if (!isWithin(bits, 1, 16) || !isWithin(bucketBits, 0, MOST_BUCKET_BITS) || !Array.isArray(values))
    throw new DamageError(name, 'has a header that cannot be');
  return { header, first: FRONT_BYTES + length };
}

/** Where buckets begin and end. */
async function readBack(store: Store, name: string, size: number, header: KeyedHeader): Promise<DataView> {
  const bytes = backBytes(header.bucketBits);
  const back = new Uint8Array(bytes);
  if (size < bytes) throw new DamageError(name, 'is too short');
  await store.read(name, size - bytes, back);
  const view = new DataView(back.buffer);
  if (crc32(back.subarray(0, bytes - 4)) !== view.getUint32(bytes - 4, true))
    throw new DamageError(name, 'is damaged at its end');
  return view;
}

async function readBucket(store: Store, name: string, from: number, bytes: number): Promise<Uint8Array> {
  const bucket = new Uint8Array(bytes);
  await store.read(name, from, bucket);
  const view = new DataView(bucket.buffer);
  if (crc32(bucket.subarray(4)) !== view.getUint32(0, true))
    throw new DamageError(name, `is damaged at byte ${from}`);
  return bucket;
}
