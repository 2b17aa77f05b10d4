/**
 * A codebook as an object of a store: what a codec was trained to, stored once for a whole publication.
 *
 * "MMC", format version, number of the codec, length of the payload (4 bytes), the payload deflated, CRC-32 of all that
 * (4 bytes); little endian. It is written by trainer.ts.
 */
import { toHex } from '../../../operators/core/bytes-as-text.js';
import { crc32 } from '../../../operators/core/checksum.js';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import { sha256 } from '../../../operators/core/sha256.js';
import { objectName } from '../../../operators/storage/object-names.js';
import { readAll, readSoundly, type Store } from '../../../operators/storage/store.js';
import { type Codebook, type CodecName, type Coder, codecs } from '../codec/codec.js';
import { huffmanCoder } from '../codec/huffman/coder.js';
import { rowsCoder } from '../codec/rows/coder.js';

export type TrainedCodec = Exclude<CodecName, 'packed'>;

export const MAGIC = 0x434d4d;
export const VERSION = 1;
export const HEAD_BYTES = 9;
export const CRC_BYTES = 4;
/** A limit far above the size of any payload. */
const MOST_PAYLOAD = 1 << 24;
const DIGEST_BYTES = 4;

const CODERS: Readonly<Record<TrainedCodec, (digest: string, payload: Uint8Array) => Coder | null>> = {
  huffman: huffmanCoder,
  rows: (digest, payload) => rowsCoder('rows', digest, payload),
  bytes: (digest, payload) => rowsCoder('bytes', digest, payload),
};

/** The codebook of a payload; null if the payload is not one of that codec. */
export function newCodebook(codec: TrainedCodec, payload: Uint8Array): Codebook | null {
  const name = new TextEncoder().encode(codec);
  const named = new Uint8Array(name.length + payload.length);
  named.set(name);
  named.set(payload, name.length);
  const coder = CODERS[codec](toHex(sha256(named).subarray(0, DIGEST_BYTES)), payload);
  return coder && { ...coder, payload };
}

/** @throws DamageError if the object is damaged or not there, StorageError if it is of another version. */
export async function readCodebook(store: Store, name: string): Promise<Codebook> {
  return readSoundly(store, name, async () => {
    const object = objectName(store, name);
    const bytes = await readAll(store, name);
    if (bytes === null) throw new DamageError(object, 'no such codebook');
    return parseCodebook(bytes, object);
  });
}

async function parseCodebook(bytes: Uint8Array, object: string): Promise<Codebook> {
  if (bytes.length < HEAD_BYTES + CRC_BYTES) throw new DamageError(object, 'codebook is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = view.getUint32(0, true);
  if ((head & 0xffffff) !== MAGIC) throw new DamageError(object, 'is not a codebook');
  if (crc32(bytes.subarray(0, -CRC_BYTES)) !== view.getUint32(bytes.length - CRC_BYTES, true)) {
    throw new DamageError(object, 'codebook is damaged: its CRC-32 is wrong');
  }
  if (head >>> 24 !== VERSION) {
    throw new StorageError(
      object,
      `codebook of format version ${head >>> 24}; this program reads version ${VERSION}`,
    );
  }
  const codec = codecs[bytes[4]];
  if (codec === undefined || codec === 'packed') {
    throw new StorageError(object, `codebook of an unknown codec, number ${bytes[4]}`);
  }
  const deflated = bytes.slice(HEAD_BYTES, -CRC_BYTES);
  const book = newCodebook(codec, await inflate(deflated, view.getUint32(5, true), object));
  if (book === null) throw new DamageError(object, `its content is not a codebook of codec ${codec}`);
  return book;
}

async function inflate(
  deflated: Uint8Array<ArrayBuffer>,
  length: number,
  object: string,
): Promise<Uint8Array> {
  if (length > MOST_PAYLOAD) throw new DamageError(object, `codebook of ${length} bytes is too large`);
  const payload = new Uint8Array(length);
  let inflated = 0;
  try {
    const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (inflated + value.length <= length) payload.set(value, inflated);
      inflated += value.length;
      if (inflated > length) {
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    throw new DamageError(object, 'codebook cannot be inflated', { cause: error });
  }
  if (inflated === length) return payload;
  throw new DamageError(object, `codebook does not inflate to ${length} bytes`);
}
