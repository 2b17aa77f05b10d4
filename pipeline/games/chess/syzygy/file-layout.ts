/**
 * The bytes of a file: magic number, which sides and files it has, arrangements, and for each subtable its flags, code and
 * symbols. Then come the maps of DTZ values, all sparse indices, all lengths of blocks, and the blocks on multiples of 64
 * bytes. At the end 16 bytes of checksum. All numbers are little-endian. The order of subtables: by file, of each White's
 * then Black's.
 */
import { assert } from '../../../../operators/core/errors.js';
import type { Sink, Store } from '../../../../operators/storage/store.js';
import { type Arrangement, manCodes } from './arrangement.js';
import { bytesOfIndices, eachLength, eachSparse, type FileBlocks } from './blocks.js';
import { newSummer } from './checksum/city-hash.js';
import type { CompressedSubtable } from './compress.js';
import { areWide, FileFlag, type FileKind, Flag, MAGIC } from './format.js';
import { ioBytes, type Kernels } from './kernels.js';
import type { Material } from './material.js';
import { readTape } from './tape.js';

/** A subtable for the file. */
export interface Section {
  readonly side: 0 | 1;
  readonly arrangement: Arrangement;
  readonly compressed: CompressedSubtable;
}

interface FileContent {
  readonly kernels: Kernels;
  /** Where the saved tapes of the sections are. */
  readonly tapes: Store;
  readonly kind: FileKind;
  readonly material: Material;
  /** Of each file of the leading pawn (one without pawns) one subtable (DTZ, or both sides alike) or two, White's first. */
  readonly sections: readonly (readonly Section[])[];
  readonly sink: Pick<Sink, 'write'>;
}

/** Blocks, and all in front of the checksum, end on multiples of so many bytes. */
const ALIGNMENT = 64;

/** Writes a file to its sink, which stays open. Returns how many bytes it has. */
export async function writeFile(content: FileContent): Promise<number> {
  const { kernels, tapes, kind, material, sections, sink } = content;
  const all = sections.flat();
  const bodies = all.flatMap(({ compressed: { body } }) => (body === null ? [] : [body.blocks]));
  const out = byteWriter();
  writeHeads(out, kind, material, sections);
  const heads = out.take();
  const file = newSummedFile(sink, lengthOf(heads.length, bodies));
  await file.write(heads);
  for (const blocks of bodies) {
    eachSparse(kernels, tapes, blocks, (block, offset) => {
      out.u32(block);
      out.u16(offset);
    });
    await file.write(out.take());
  }
  for (const blocks of bodies) {
    eachLength(kernels, tapes, blocks, (length) => out.u16(length - 1));
    await file.write(out.take());
  }
  const buffer = new Uint8Array(ioBytes(kernels));
  for (const { data } of bodies) {
    await file.align();
    for (let at = 0; at < data.length; at += buffer.length) {
      const piece = buffer.subarray(0, Math.min(buffer.length, data.length - at));
      readTape(tapes, data, (tape) => tape.read(at, piece));
      await file.write(piece);
    }
  }
  await file.align();
  return file.end();
}

/** Bytes of a file in front of its checksum. @param heads bytes in front of the sparse indices. */
function lengthOf(heads: number, bodies: readonly FileBlocks[]): number {
  const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  const indices = bodies.reduce((sum, blocks) => sum + bytesOfIndices(blocks), heads);
  return aligned(bodies.reduce((sum, { data }) => aligned(sum) + data.length, indices));
}

/** All that stands before the sparse indices. */
function writeHeads(
  out: ReturnType<typeof byteWriter>,
  kind: FileKind,
  material: Material,
  sections: readonly (readonly Section[])[],
): void {
  const all = sections.flat();
  out.u32(MAGIC[kind]);
  const flags =
    (material.symmetric ? 0 : FileFlag.split) | (material.leadingPawns.length > 0 ? FileFlag.pawns : 0);
  out.u8((material.men.length << 4) | flags);
  for (const ofFile of sections) writeArrangements(out, kind, material, ofFile);
  out.align(2);
  for (const section of all) writeHead(out, kind, section);
  for (const { compressed } of all) {
    const { maps } = compressed.coding;
    if (maps === null) continue;
    const put = areWide(maps) ? out.u16 : out.u8;
    if (areWide(maps)) out.align(2);
    for (const map of maps) for (const number of [map.length, ...map]) put(number);
  }
  out.align(2);
}

function writeArrangements(
  out: ReturnType<typeof byteWriter>,
  kind: FileKind,
  material: Material,
  ofFile: readonly Section[],
): void {
  const [low] = ofFile as [Section];
  const high = ofFile[1] ?? low;
  // The upper halves of the bytes are for the second subtable; DTZ files have one, and leave them free.
  const both = (a: number, b: number) => (kind === 'wdl' ? a | (b << 4) : a);
  const weightOf = ({ arrangement }: Section, group: number) => arrangement.weights.indexOf(group);
  out.u8(both(weightOf(low, 0), weightOf(high, 0)));
  if (material.otherPawns.length > 0) out.u8(both(weightOf(low, 1), weightOf(high, 1)));
  const lowCodes = manCodes(material, low.arrangement);
  const highCodes = manCodes(material, high.arrangement);
  for (const [i, code] of lowCodes.entries()) out.u8(both(code, highCodes[i]));
}

function writeHead(out: ReturnType<typeof byteWriter>, kind: FileKind, { side, compressed }: Section): void {
  const { constant, body, coding } = compressed;
  const exact = (coding.exact.wins ? Flag.winPlies : 0) | (coding.exact.losses ? Flag.lossPlies : 0);
  const plain = kind === 'wdl' ? 0 : (side === 1 ? Flag.black : 0) | exact;
  if (body === null) {
    out.u8(plain | Flag.constant);
    out.u8(constant!);
    return;
  }
  const { pairing, codes, blocks } = body;
  assert(blocks.imaginary < 256, 'few blocks are imaginary');
  const { maps } = coding;
  out.u8(plain | (maps === null ? 0 : Flag.mapped | (areWide(maps) ? Flag.wide : 0)));
  out.u8(blocks.blockBits);
  out.u8(blocks.spanBits);
  out.u8(blocks.imaginary);
  out.u32(blocks.realBlocks);
  out.u8(codes.most);
  out.u8(codes.least);
  for (const offset of codes.offsets) out.u16(offset);
  out.u16(pairing.symbols);
  for (const symbol of codes.symbols) {
    const isLeaf = symbol < pairing.leaves;
    const left = isLeaf ? coding.leaves[symbol] : codes.numbers[pairing.left[symbol]];
    const right = isLeaf ? 0xfff : codes.numbers[pairing.right[symbol]];
    out.bytes([left & 0xff, (left >> 8) | ((right & 15) << 4), right >> 4]);
  }
  out.align(2);
}

/** A file whose checksum is taken while it is written. @param bytes of it in front of the checksum. */
function newSummedFile(sink: Pick<Sink, 'write'>, bytes: number) {
  const sum = newSummer(bytes);
  let length = 0;
  const write = async (bytes: Uint8Array) => {
    sum.add(bytes);
    length += bytes.length;
    await sink.write([bytes]);
  };
  return {
    write,
    async align() {
      const beyond = length % ALIGNMENT;
      if (beyond > 0) await write(new Uint8Array(ALIGNMENT - beyond));
    },
    /** Writes the checksum. Returns how many bytes there are. */
    async end(): Promise<number> {
      const checksum = sum.end();
      await sink.write([checksum]);
      return length + checksum.length;
    },
  };
}

function byteWriter() {
  let buffer = new Uint8Array(1 << 12);
  let length = 0;
  const bytes = (values: ArrayLike<number>) => {
    if (length + values.length > buffer.length) {
      const longer = new Uint8Array(2 * (length + values.length));
      longer.set(buffer.subarray(0, length));
      buffer = longer;
    }
    buffer.set(values, length);
    length += values.length;
  };
  const u8 = (value: number) => bytes([value]);
  const u16 = (value: number) => bytes([value & 0xff, value >>> 8]);
  return {
    bytes,
    u8,
    u16,
    u32(value: number) {
      u16(value & 0xffff);
      u16(value >>> 16);
    },
    /** Before anything was taken. */
    align(to: number) {
      if (length % to > 0) bytes(new Uint8Array(to - (length % to)));
    },
    /** The bytes that were written since the last call; valid until the next write. */
    take(): Uint8Array {
      const taken = buffer.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}
