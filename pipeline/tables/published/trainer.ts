/** Makes codebooks, and writes them as codebook.ts reads them. */
import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../../operators/core/checksum.js';
import { assert } from '../../../operators/core/errors.js';
import { type Codebook, codecs, type FileFacts, type Training } from '../codec/codec.js';
import { newHuffmanTraining } from '../codec/huffman/training.js';
import { newRowsTraining } from '../codec/rows/training.js';
import { BYTE_VALUES, WDL_VALUES } from '../codec/symbols.js';
import { CRC_BYTES, HEAD_BYTES, MAGIC, newCodebook, type TrainedCodec, VERSION } from './codebook.js';

const TRAININGS: Readonly<Record<TrainedCodec, () => Training>> = {
  huffman: newHuffmanTraining,
  rows: () => newRowsTraining(WDL_VALUES),
  bytes: () => newRowsTraining(BYTE_VALUES),
};

/** The training pass of a publication: the symbols of its files, or of a fair sample of them. */
export interface Trainer {
  /** Begins a file: the symbols added from now on are its. */
  file(shape: FileFacts): void;
  /** The next symbols of the file, in index order. Returns the trainer. */
  add(symbols: Uint8Array): Trainer;
  /** Made for all that was added. */
  codebook(): Codebook;
}

export function newTrainer(codec: TrainedCodec): Trainer {
  const training = TRAININGS[codec]();
  let file = training.file({ dominant: 1, periods: [] });
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
