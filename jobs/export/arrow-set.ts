/** Exports as Arrow IPC files; words that repeat are dictionaries. */
import {
  type Data,
  Dictionary,
  Field,
  Int8,
  Int16,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { StorageError } from '../../operators/core/errors.js';
import type { Colour } from '../../pipeline/contract/game.js';
import { type ColumnBatch, NO_PLIES } from '../../pipeline/export/columns.js';
import { footerValue } from './arrow-about.js';
import { ArrowFileWriter } from './arrow-file.js';
import { Emitted } from './emitted.js';
import type { SetColumn } from './format.js';
import { ABOUT, type About, type SetFormat } from './set-file.js';

const COLOURS: readonly Colour[] = ['white', 'black'];

/** A column of words: a byte a row, and the words once a file. */
interface Words {
  readonly type: Dictionary<Utf8, Int8>;
  readonly values: Vector<Utf8>;
}

function newWords(id: number, values: readonly string[]): Words {
  return {
    type: new Dictionary(new Utf8(), new Int8(), id, false),
    values: vectorFromArray(values, new Utf8()),
  };
}

function wordColumn({ type, values }: Words, places: Int8Array): Data {
  return makeData({ type, length: places.length, nullCount: 0, data: places, dictionary: values });
}

/** The length of the footer, and the magic behind it. */
const TAIL_BYTES = 10;

export const arrowSet: SetFormat = {
  suffix: 'arrow',
  async write({ words, batches }, about, sink) {
    const dictionaries = {
      slice: newWords(0, [about.slice]),
      side: newWords(1, COLOURS),
      wdl: newWords(2, words),
    };
    const schema = schemaOf(about, dictionaries);
    const emitted = new Emitted();
    const writer = new ArrowFileWriter();
    writer.reset(emitted, schema);
    for await (const batch of batches) {
      const length = batch.index.length;
      const children = about.columns.map((name) => columnOf(name, batch, dictionaries));
      writer.write(
        new RecordBatch(
          schema,
          makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
        ),
      );
      await sink.write(emitted.take());
    }
    writer.close();
    await sink.write(emitted.take());
  },
  async readAbout(store, name, bytes) {
    try {
      // Only the footer is read: it has the schema, and the schema has the text.
      if (bytes < TAIL_BYTES) return null;
      const tail = new Uint8Array(TAIL_BYTES);
      await store.read(name, bytes - TAIL_BYTES, tail);
      const length = new DataView(tail.buffer).getInt32(0, true);
      if (length < 0 || length > bytes - TAIL_BYTES) return null;
      const footer = new Uint8Array(length);
      await store.read(name, bytes - TAIL_BYTES - length, footer);
      return footerValue(footer, ABOUT);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      return null;
    }
  },
};

type Dictionaries = Readonly<Record<'slice' | 'side' | 'wdl', Words>>;

function schemaOf(about: About, { slice, side, wdl }: Dictionaries): Schema {
  const fields: Readonly<Record<SetColumn, Field>> = {
    slice: new Field('slice', slice.type, false),
    side: new Field('side', side.type, false),
    index: new Field('index', new Int64(), false),
    fen: new Field('fen', new Utf8(), false),
    wdl: new Field('wdl', wdl.type, false),
    plies: new Field('plies', new Int16(), true),
  };
  const named = about.columns.map((name) => fields[name]);
  return new Schema(named, new Map([[ABOUT, JSON.stringify(about)]]));
}

function columnOf(name: SetColumn, batch: ColumnBatch, dictionaries: Dictionaries): Data {
  const length = batch.index.length;
  if (name === 'slice') return wordColumn(dictionaries.slice, new Int8Array(length));
  if (name === 'side')
    return wordColumn(dictionaries.side, new Int8Array(length).fill(COLOURS.indexOf(batch.side)));
  if (name === 'wdl') return wordColumn(dictionaries.wdl, batch.wdl);
  if (name === 'index') return makeData({ type: new Int64(), length, nullCount: 0, data: batch.index });
  if (name === 'fen') {
    const { bytes: data, ends: valueOffsets } = batch.fen!;
    return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
  }
  return distances(batch.plies);
}

function distances(plies: Int16Array): Data<Int16> {
  const length = plies.length;
  const known = new Uint8Array(Math.ceil(length / 8));
  let unknown = 0;
  for (let i = 0; i < length; i++) {
    if (plies[i] === NO_PLIES) unknown++;
    else known[i >> 3] |= 1 << (i & 7);
  }
  return makeData({ type: new Int16(), length, nullCount: unknown, nullBitmap: known, data: plies });
}
