/**
 * Metadata in the footer of an Arrow IPC file, read where it lies (Apache Arrow columnar format, File.fbs and Schema.fbs). The file
 * may be anybody's, and damaged: libraries that believe its lengths fill the memory.
 */

/** Numbers of the fields of the tables Footer, Schema and KeyValue. */
const SCHEMA = 1;
const CUSTOM_METADATA = 2;
const [KEY, VALUE] = [0, 1];

/** The value of a key of the schema's metadata; null if there is none. Throws RangeError if the bytes are no footer. */
export function footerValue(footer: Uint8Array, wanted: string): string | null {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.length);
  const target = (at: number) => at + view.getUint32(at, true);

  /** Place of a field of the table; null if the table does not have it. */
  function field(table: number, number: number): number | null {
    const vtable = table - view.getInt32(table, true);
    const place = 4 + 2 * number;
    if (place + 2 > view.getUint16(vtable, true)) return null;
    const offset = view.getUint16(vtable + place, true);
    return offset === 0 ? null : table + offset;
  }

  function text(table: number, number: number): string | null {
    const at = field(table, number);
    if (at === null) return null;
    const begins = target(at);
    const length = view.getUint32(begins, true);
    if (begins + 4 + length > footer.length) throw new RangeError('text beyond the end');
    return new TextDecoder().decode(footer.subarray(begins + 4, begins + 4 + length));
  }

  const schema = field(target(0), SCHEMA);
  const pairs = schema === null ? null : field(target(schema), CUSTOM_METADATA);
  if (pairs === null) return null;
  const first = target(pairs);
  const count = view.getUint32(first, true);
  // Each has an offset of its own in the vector: beyond the end the view throws.
  for (let i = 0; i < count; i++) {
    const pair = target(first + 4 + 4 * i);
    if (text(pair, KEY) === wanted) return text(pair, VALUE);
  }
  return null;
}
