/**
 * Found positions as an Arrow file, some thousand records at a time; lists of moves are lists. A record goes into columns at once: objects
 * that were kept until a batch is full would outlive V8's young generation, and pile up in the old one.
 */
import {
  type Data,
  type DataType,
  Field,
  Int32,
  List,
  makeData,
  Schema,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import type { Sink } from '../../operators/storage/store.js';
import { TextColumn } from '../../pipeline/analysis/texts.js';
import { ArrowFile, nullsOf } from '../export/arrow.js';
import type { PositionRecord, RecordField } from './records.js';

/** Records of a batch. */
const BATCH_ROWS = 1 << 13;

type Cell = PositionRecord[string];

/** The cells of a field, until they are written. */
interface CellColumn {
  readonly type: DataType;
  readonly isOptional: boolean;
  add(cell: Cell): void;
  /** The cells that were added since the last call, in memory that the next ones overwrite. */
  take(): Data;
}

class TextCells implements CellColumn {
  readonly type = new Utf8();
  readonly isOptional = true;
  private readonly texts = new TextColumn(BATCH_ROWS);

  add(cell: Cell): void {
    if (cell === null) this.texts.addNone();
    else this.texts.add(String(cell));
  }

  take(): Data {
    const { bytes: data, ends: valueOffsets, missing } = this.texts.take();
    const length = valueOffsets.length - 1;
    return makeData({ type: this.type, length, ...nullsOf(missing, length), valueOffsets, data });
  }
}

class IntegerCells implements CellColumn {
  readonly type = new Int32();
  readonly isOptional = true;
  private readonly values = new Int32Array(BATCH_ROWS);
  private readonly missing = new Uint8Array(BATCH_ROWS);
  private length = 0;

  add(cell: Cell): void {
    this.values[this.length] = Number(cell);
    this.missing[this.length++] = Number(cell === null);
  }

  take(): Data {
    const { type, length } = this;
    this.length = 0;
    return makeData({
      type,
      length,
      ...nullsOf(this.missing, length),
      data: this.values.subarray(0, length),
    });
  }
}

class ListCells implements CellColumn {
  readonly type = new List(new Field('item', new Utf8(), false));
  readonly isOptional = false;
  private lists: Cell[] = [];

  add(cell: Cell): void {
    this.lists.push(cell);
  }

  take(): Data {
    const { lists } = this;
    this.lists = [];
    return vectorFromArray(lists, this.type).data[0];
  }
}

const CELLS = { text: TextCells, integer: IntegerCells, texts: ListCells };

export async function writeArrowRecords(
  fields: readonly RecordField[],
  records: AsyncIterable<PositionRecord>,
  sink: Pick<Sink, 'write'>,
): Promise<void> {
  const columns = fields.map(({ type }): CellColumn => new CELLS[type]());
  const schema = new Schema(
    fields.map(({ name }, i) => new Field(name, columns[i].type, columns[i].isOptional)),
  );
  const file = new ArrowFile(schema, sink);
  let length = 0;
  const flush = async () => {
    await file.add(
      length,
      columns.map((column) => column.take()),
    );
    length = 0;
  };
  for await (const record of records) {
    for (const [i, { name }] of fields.entries()) columns[i].add(record[name]);
    if (++length === BATCH_ROWS) await flush();
  }
  if (length > 0) await flush();
  await file.end();
}
