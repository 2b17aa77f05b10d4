/** Arrow IPC files that are a stream as well, from byte 8 on. */
import { Message, RecordBatchFileWriter, type Schema } from 'apache-arrow';

/** The magic and its padding: behind these bytes an Arrow file is an Arrow stream. */
export const STREAM_BEGINS = 8;

/**
 * A writer of the file format (Apache Arrow columnar format, "IPC File Format"): magic, then all of the streaming format, then the footer.
 * The library's own writer leaves the stream's schema out, so that only readers of the footer can read its files.
 */
export class ArrowFileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema));
  }
}
