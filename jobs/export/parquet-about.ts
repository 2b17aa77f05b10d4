/**
 * Metadata in the footer of a Parquet file, which is in Thrift's compact protocol (parquet.thrift, FileMetaData; Apache Thrift,
 * thrift-compact-protocol.md). The file may be anybody's, and damaged: libraries that believe its lengths fill the memory.
 */

/** Numbers of fields of FileMetaData and KeyValue. */
const KEY_VALUE_METADATA = 5;
const [KEY, VALUE] = [1, 2];

/** Types of values as the protocol numbers them. */
const Type = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i64: 6,
  double: 7,
  binary: 8,
  set: 10,
  map: 11,
  struct: 12,
};
const LIST = 9;
/** Structs in structs; no footer has nearly as many. */
const MOST_DEEP = 32;

/** The value of a key of the file's metadata; null if there is none. Throws RangeError if the bytes are no footer. */
export function metadataValue(footer: Uint8Array, wanted: string): string | null {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.length);
  let at = 0;
  const byte = () => view.getUint8(at++);

  function varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
  }

  function binary(): Uint8Array {
    const length = varint();
    if (length > footer.length - at) throw new RangeError('text beyond the end');
    at += length;
    return footer.subarray(at - length, at);
  }

  /** Each element has a byte at least, so a false count comes to the end of the footer. */
  function elements(deep: number, read: (type: number) => void): void {
    if (deep > MOST_DEEP) throw new RangeError('too deep');
    const head = byte();
    const count = head >> 4 === 15 ? varint() : head >> 4;
    for (let i = 0; i < count; i++) read(head & 15);
  }

  function skip(type: number, deep: number): void {
    if (type === Type.double) at += 8;
    else if (type === Type.binary) binary();
    else if (type === Type.struct) struct(deep + 1, (_, inner) => skip(inner, deep + 1));
    else if (type === LIST || type === Type.set)
      elements(deep + 1, (inner) => (inner <= Type.byte ? byte() : skip(inner, deep + 1)));
    else if (type === Type.map) throw new RangeError('no footer has a map');
    else if (type === Type.byte) byte();
    else if (type > Type.byte && type <= Type.i64) varint();
    else if (type !== Type.true && type !== Type.false) throw new RangeError('no such type');
  }

  function struct(deep: number, read: (field: number, type: number) => void): void {
    if (deep > MOST_DEEP) throw new RangeError('too deep');
    for (let field = 0; ; ) {
      const head = byte();
      if (head === Type.stop) return;
      const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
      field = head >> 4 === 0 ? unzigzag(varint()) : field + (head >> 4);
      read(field, head & 15);
    }
  }

  let found: string | null = null;
  function pair(): void {
    const texts = new Map<number, string>();
    struct(2, (field, type) => {
      if ((field === KEY || field === VALUE) && type === Type.binary)
        texts.set(field, new TextDecoder().decode(binary()));
      else skip(type, 2);
    });
    if (texts.get(KEY) === wanted) found ??= texts.get(VALUE) ?? null;
  }

  struct(0, (field, type) => {
    if (field === KEY_VALUE_METADATA && type === LIST)
      elements(1, (inner) => (inner === Type.struct ? pair() : skip(inner, 1)));
    else skip(type, 0);
  });
  return found;
}
