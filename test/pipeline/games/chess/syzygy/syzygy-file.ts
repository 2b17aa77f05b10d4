/** Reads Syzygy's files for tests: the head of a file, and the value at an index, its block decoded bit by bit. */
import { type Part, placesOfGroup } from './syzygy-index.js';

export interface DecodedFile {
  /** White's and Black's parts by file of the leading pawn. */
  readonly parts: readonly (readonly Part[])[];
  readonly bytes: DataView;
}

/** Reads the head of a file; `name` such as "KQvKR". */
export function readSyzygy(file: Uint8Array, name: string): DecodedFile {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const u16 = (at: number) => bytes.getUint16(at, true);
  const u32 = (at: number) => bytes.getUint32(at, true);
  const magic = u32(0);
  const isWdl = magic === 0x5d23e871;
  if (!isWdl && magic !== 0xa50c66d7) throw new Error('no Syzygy file');
  if (file.length % 64 !== 16) throw new Error('a file ends with 16 bytes of checksum');
  const men = name.length - 1;
  const [white, black] = name.split('v');
  const pawnsOf = (letters: string) => letters.split('P').length - 1;
  const hasPawns = name.includes('P');
  const bothPawns = pawnsOf(white) > 0 && pawnsOf(black) > 0;
  const flags = bytes.getUint8(4);
  if (((flags & 1) !== 0) !== (white !== black) || ((flags & 2) !== 0) !== hasPawns) throw new Error('flags');
  const sides = isWdl && white !== black ? 2 : 1;
  const files = hasPawns ? 4 : 1;
  let at = 5;
  const parts: Part[][] = [];
  for (let f = 0; f < files; f++) {
    const head = Array.from({ length: men + 1 + (bothPawns ? 1 : 0) }, (_, i) => bytes.getUint8(at + i));
    at += head.length;
    parts.push(
      Array.from({ length: sides }, (_, side) => {
        const halves = head.map((byte) => (side === 0 ? byte & 15 : byte >> 4));
        const pieces = halves.slice(bothPawns ? 2 : 1);
        const groups: number[][] = [];
        const single = new Set(pieces.filter((p) => pieces.filter((q) => q === p).length === 1)).size;
        const first = hasPawns ? 1 : single >= 3 ? 3 : 2;
        for (let i = 0; i < men; i++) {
          if (i > 0 && ((!hasPawns && i < first) || pieces[i] === pieces[i - 1])) groups.at(-1)!.push(i);
          else groups.push([i]);
        }
        const weights: number[] = [];
        let next = bothPawns ? 2 : 1;
        for (let k = 0; k < groups.length; k++) {
          if (k === halves[0]) weights.push(0);
          else if (bothPawns && k === halves[1]) weights.push(1);
          else weights.push(next++);
        }
        const part = { pieces, groups, weights } as Part;
        part.sizes = groups.map((_, g) => placesOfGroup(part, g, name, f).size);
        part.size = part.sizes.reduce((product, size) => product * size, 1);
        return part;
      }),
    );
  }
  at += at % 2;
  for (const part of parts.flat()) {
    part.flags = bytes.getUint8(at);
    part.constant = null;
    part.maps = null;
    part.blocks = part.lengthCount = 0;
    if (part.flags & 128) {
      part.constant = isWdl ? bytes.getUint8(at + 1) : 0;
      at += 2;
      continue;
    }
    part.blockBits = bytes.getUint8(at + 1);
    part.spanBits = bytes.getUint8(at + 2);
    part.blocks = u32(at + 4);
    part.lengthCount = part.blocks + bytes.getUint8(at + 3);
    const most = bytes.getUint8(at + 8);
    part.least = bytes.getUint8(at + 9);
    at += 10;
    part.offsets = Array.from({ length: most - part.least + 1 }, (_, i) => u16(at + 2 * i));
    at += 2 * part.offsets.length;
    const symbols = u16(at);
    at += 2;
    part.pairs = Array.from({ length: symbols }, (_, i) => {
      const three = u16(at + 3 * i) + 65536 * bytes.getUint8(at + 3 * i + 2);
      return [three % 4096, Math.floor(three / 4096)];
    });
    at += 3 * symbols;
    at += at % 2;
  }
  for (const part of parts.flat()) {
    if ((part.flags & 2) === 0) continue;
    part.maps = [];
    for (let i = 0; i < 4; i++) {
      const length = bytes.getUint8(at++);
      part.maps.push(Array.from({ length }, () => bytes.getUint8(at++)));
    }
  }
  at += at % 2;
  const compressed = parts.flat().filter((part) => part.constant === null);
  for (const part of compressed) {
    part.sparse = at;
    at += 6 * Math.ceil(part.size / 2 ** part.spanBits);
  }
  for (const part of compressed) {
    part.lengths = at;
    at += 2 * part.lengthCount;
  }
  for (const part of compressed) {
    at = Math.ceil(at / 64) * 64;
    part.data = at;
    at += part.blocks * 2 ** part.blockBits;
  }
  if (Math.ceil(at / 64) * 64 + 16 !== file.length) throw new Error('bytes too many, or too few');
  return { parts, bytes };
}

/** The value at an index of a part. */
export function valueAt({ bytes }: DecodedFile, part: Part, index: number): number {
  if (part.constant !== null) return part.constant;
  const span = 2 ** part.spanBits;
  const item = part.sparse + 6 * Math.floor(index / span);
  const lengthOf = (block: number) => bytes.getUint16(part.lengths + 2 * block, true) + 1;
  let block = bytes.getUint32(item, true);
  let offset = bytes.getUint16(item + 4, true) + (index % span) - span / 2;
  while (offset < 0) offset += lengthOf(--block);
  while (offset >= lengthOf(block)) offset -= lengthOf(block++);
  if (block >= part.blocks) throw new Error('a block that is not there');
  let bit = (part.data + block * 2 ** part.blockBits) * 8;
  const most = part.least + part.offsets.length - 1;
  /** The least code of each length. */
  const bases: number[] = [];
  bases[most] = 0;
  for (let length = most - 1; length >= part.least; length--) {
    const of = (l: number) => part.offsets[l - part.least];
    bases[length] = (bases[length + 1] + of(length) - of(length + 1)) / 2;
  }
  for (;;) {
    let code = 0;
    let length = 0;
    do {
      code = 2 * code + ((bytes.getUint8(bit >> 3) >> (7 - (bit & 7))) & 1);
      bit++;
      length++;
    } while (length < part.least || code < bases[length]);
    const symbol = part.offsets[length - part.least] + code - bases[length];
    const values = expand(part, symbol);
    if (offset < values.length) return values[offset];
    offset -= values.length;
  }
}

const expanded = new WeakMap<Part, Map<number, number[]>>();
function expand(part: Part, symbol: number): number[] {
  let known = expanded.get(part);
  if (!known) expanded.set(part, (known = new Map()));
  let values = known.get(symbol);
  if (!values) {
    const [left, right] = part.pairs[symbol];
    values = right === 0xfff ? [left] : [...expand(part, left), ...expand(part, right)];
    known.set(symbol, values);
  }
  return values;
}
