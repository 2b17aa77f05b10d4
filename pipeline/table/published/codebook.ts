/**
 * A codebook as an object of a store: what a codec was trained to, stored once for a whole publication.
 *
 * "MMC", format version, number of the codec, length of the payload (4 bytes), the payload deflated, CRC-32 of all that
 * (4 bytes); little endian.
 */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { assert, DamageError, StorageError } from '../../../operators/core/errors.js';
import { objectName } from '../../../operators/storage/names.js';
import { readAll, readSoundly, type Store } from '../../../operators/storage/store.js';
import { type Codebook, type CodecName, codecs, type Shape, type Training } from './codec.js';
import { huffmanCoder } from './huffman/coder.js';
import { newHuffmanTraining } from './huffman/training.js';
import { rowsCoder } from './rows/coder.js';
import { newRowsTraining } from './rows/training.js';

export type TrainedCodec = Exclude<CodecName, 'packed'>;

const MAGIC = 0x434d4d;
const VERSION = 1;
const HEAD_BYTES = 9;
const CRC_BYTES = 4;
/** Far more than any payload has. */
const MOST_PAYLOAD = 1 << 24;

const TRAINED = {
  huffman: { training: newHuffmanTraining, coder: huffmanCoder },
  rows: { training: newRowsTraining, coder: rowsCoder },
} as const;

/** The training pass of a publication: the symbols of its files, or of a fair sample of them. */
export interface Trainer {
  /** Begins a file: the symbols added from now on are its. */
  file(shape: Shape): void;
  /** The next symbols of the file, in index order. Returns the trainer. */
  add(symbols: Uint8Array): Trainer;
  /** Made for all that was added. */
  codebook(): Codebook;
}

export function newTrainer(codec: TrainedCodec): Trainer {
  const training: Training = TRAINED[codec].training();
  let file = training.file({ dominant: 1, rows: [] });
  const trainer: Trainer = {
    file(shape) {
      file.end();
      file = training.file(shape);
    },
    add(symbols) {
      file.add(symbols);
      return trainer;
    },
    codebook() {
      file.end();
      const book = newCodebook(codec, training.payload());
      assert(book !== null, 'what was trained is a code');
      return book;
    },
  };
  return trainer;
}

function newCodebook(codec: TrainedCodec, payload: Uint8Array): Codebook | null {
  const digest = createHash('sha256').update(codec).update(payload).digest('hex').slice(0, 8);
  const coder = TRAINED[codec].coder(digest, payload);
  return coder && { ...coder, payload };
}

export function codebookBytes({ codec, payload }: Codebook): Uint8Array {
  const deflated = deflateRawSync(payload, { level: 9 });
  const bytes = new Uint8Array(HEAD_BYTES + deflated.length + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC | (VERSION << 24), true);
  bytes[4] = codecs.indexOf(codec);
  view.setUint32(5, payload.length, true);
  bytes.set(deflated, HEAD_BYTES);
  view.setUint32(bytes.length - CRC_BYTES, crc32(bytes.subarray(0, -CRC_BYTES)), true);
  return bytes;
}

/** Publishes the codebook, unless there is one of this name, which is left as it is: false. */
export function writeCodebook(store: Store, name: string, book: Codebook): Promise<boolean> {
  return store.putIfAbsent(name, codebookBytes(book));
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

function parseCodebook(bytes: Uint8Array, object: string): Codebook {
  if (bytes.length < HEAD_BYTES + CRC_BYTES) throw new DamageError(object, 'codebook is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = view.getUint32(0, true);
  if ((head & 0xffffff) !== MAGIC) throw new DamageError(object, 'is no codebook');
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
  const book = newCodebook(
    codec,
    inflate(bytes.subarray(HEAD_BYTES, -CRC_BYTES), view.getUint32(5, true), object),
  );
  if (book === null) throw new DamageError(object, `its content is no codebook of codec ${codec}`);
  return book;
}

function inflate(deflated: Uint8Array, length: number, object: string): Uint8Array {
  try {
    const payload = inflateRawSync(deflated, { maxOutputLength: MOST_PAYLOAD });
    if (payload.length === length) return payload;
  } catch (error) {
    throw new DamageError(object, 'codebook cannot be inflated', { cause: error });
  }
  throw new DamageError(object, `codebook does not inflate to ${length} bytes`);
}
