/** The part of parquetjs-lite that lists of positions use. */
declare module 'parquetjs-lite' {
  export interface ParquetField {
    /** Of what has fields LIST, or nothing. */
    readonly type?: 'INT_16' | 'INT32' | 'INT64' | 'UTF8' | 'LIST';
    readonly optional?: boolean;
    /** A list of values. */
    readonly repeated?: boolean;
    readonly compression?: 'SNAPPY';
    readonly fields?: Record<string, ParquetField>;
  }

  export class ParquetSchema {
    constructor(fields: Record<string, ParquetField>);
  }

  /** Methods of a stream that the writer calls. */
  export interface ParquetTarget {
    write(bytes: Uint8Array, done: (error?: Error | null) => void): void;
    end(done: (error?: Error | null) => void): void;
  }

  export class ParquetWriter {
    static openStream(
      schema: ParquetSchema,
      target: ParquetTarget,
      options: { readonly rowGroupSize: number },
    ): Promise<ParquetWriter>;
    /** Must be awaited before the next: a full row group is written here. */
    appendRow(row: Record<string, unknown>): Promise<void>;
    /** Of the whole file. */
    setMetadata(key: string, value: string): void;
    close(): Promise<void>;
  }
}
