/** The head of a file, as file-layout.ts writes it: of each subtable the index, the code, and where its pieces lie. */
import { DamageError } from '../../../../../operators/core/errors.js';
import type { Side } from '../../../../game/game.js';
import { type Arrangement, leadersIn, shapeOfIndex, singleMen } from '../arrangement.js';
import { CHECKSUM_BYTES, FileFlag, type FileKind, Flag, MAGIC } from '../format.js';
import type { Material } from '../material.js';
import { type Code, newCode } from './code.js';

/** The compressed part of a subtable. `sparse`, `lengths` and `data` are offsets in the file. */
export interface Body {
  /** Bytes of a block, and values of a stretch of the sparse index: 2 to these powers. */
  readonly blockBits: number;
  readonly spanBits: number;
  readonly blocks: number;
  /** Blocks and imaginary blocks. */
  readonly lengthCount: number;
  readonly code: Code;
  readonly sparse: number;
  readonly lengths: number;
  readonly data: number;
}

export interface StoredSubtable {
  readonly side: Side;
  /** The file of the leading pawn, 0 to 3; 0 without pawns. */
  readonly file: number;
  readonly arrangement: Arrangement;
  /** Of how many indices it holds values. */
  readonly size: number;
  /** The value at every index; null where there is a body. */
  readonly constant: number | null;
  readonly body: Body | null;
  /** DTZ: whether plies of wins, and of losses, are exact rather than in pairs. */
  readonly exact: { readonly wins: boolean; readonly losses: boolean };
  /** DTZ: for wins, losses, cursed wins and blessed losses, what values stand for; null if for themselves. */
  readonly maps: readonly Uint16Array[] | null;
}

/** No head is longer: twelve thousand bytes of symbols a subtable, and of DTZ 131,000 of maps. */
const MOST_HEAD = 1 << 18;

/** By file of the leading pawn (one without pawns) one subtable, or White's and Black's. */
export type StoredSubtables = readonly (readonly StoredSubtable[])[];

export interface HeadOptions {
  readonly kind: FileKind;
  readonly material: Material;
  /** Bytes of the file. */
  readonly size: number;
  /** For messages: the name of the file, and where it is. */
  readonly object: string;
}

/** @param bytes the beginning of the file. Null if the head goes on behind them. Throws DamageError. */
export function readHead(bytes: Uint8Array, options: HeadOptions): StoredSubtables | null {
  try {
    return parse(bytes, options);
  } catch (error) {
    // DataView says so of a place behind its end.
    if (!(error instanceof RangeError)) throw error;
    if (bytes.length >= Math.min(options.size, MOST_HEAD))
      throw new DamageError(options.object, 'ends before its head does');
    return null;
  }
}

function parse(bytes: Uint8Array, { kind, material, size, object }: HeadOptions): StoredSubtables {
  const damaged = (what: string) => new DamageError(object, what);
  const from = cursor(bytes);
  if (from.u32() !== MAGIC[kind]) throw damaged(`does not begin as a Syzygy file of ${kind.toUpperCase()}`);
  const pawns = material.leadingPawns.length > 0;
  const flags = (material.symmetric ? 0 : FileFlag.split) | (pawns ? FileFlag.pawns : 0);
  // Files of some generators leave the number of men out.
  if ((from.u8() & 15) !== flags) throw damaged(`is not of the men of ${material.name}`);
  const sides: Side[] = kind === 'wdl' && !material.symmetric ? [0, 1] : [0];
  const places = (pawns ? [0, 1, 2, 3] : [0]).flatMap((file) =>
    readArrangements(from, material, sides.length).map((arrangement, side) => {
      if (arrangement === null) throw damaged(`is not of the men of ${material.name}`);
      const { size } = shapeOfIndex(material, arrangement, file);
      return { file, side: side as Side, arrangement, size };
    }),
  );
  from.align(2);
  const parts = places.map(({ file, side, arrangement, size }) => {
    const part = readPart(from, kind);
    if (part === null) throw damaged('has an unknown code');
    return {
      ...part,
      file,
      arrangement,
      size,
      side: kind === 'dtz' && (part.flags & Flag.black) > 0 ? 1 : side,
    };
  });
  const maps = parts.map(({ flags }) =>
    kind === 'dtz' && (flags & Flag.mapped) > 0 ? readMaps(from, (flags & Flag.wide) > 0) : null,
  );
  from.align(2);
  const bodies = placeBodies(from.at(), parts, size);
  if (bodies === null) throw damaged(`has ${size} bytes, its head states another number`);
  const subtables = parts.map(({ side, file, arrangement, size, flags, constant }, i): StoredSubtable => {
    const exact = { wins: (flags & Flag.winPlies) > 0, losses: (flags & Flag.lossPlies) > 0 };
    return { side: side as Side, file, arrangement, size, constant, body: bodies[i], exact, maps: maps[i] };
  });
  return Array.from({ length: pawns ? 4 : 1 }, (_, file) => subtables.filter((one) => one.file === file));
}

/** The arrangements of White's subtable, and of Black's; null of men that are not the material's. */
function readArrangements(from: Cursor, material: Material, sides: number): (Arrangement | null)[] {
  const first = from.u8();
  const second = material.otherPawns.length > 0 ? from.u8() : 0xff;
  const codes = Array.from(material.men, () => from.u8());
  return [0, 4].slice(0, sides).map((shift) => {
    const half = (byte: number) => (byte >> shift) & 15;
    return arrangementOf(material, half(first), half(second), codes.map(half));
  });
}

/** @param first the weight of the leading group, and `second` of the other side's pawns; others follow in order. */
function arrangementOf(
  material: Material,
  first: number,
  second: number,
  codes: readonly number[],
): Arrangement | null {
  const free = [...material.men.keys()];
  const men = codes.map((code) => {
    const found = free.findIndex((man) => material.men[man] === code);
    return found < 0 ? -1 : free.splice(found, 1)[0];
  });
  if (men.includes(-1)) return null;
  const leading = leadersIn(material);
  const groups = [men.slice(0, leading)];
  for (const [i, man] of men.entries()) {
    if (i < leading) continue;
    if (i > leading && codes[i] === codes[i - 1]) groups.at(-1)!.push(man);
    else groups.push([man]);
  }
  const others = material.otherPawns;
  if (!fits(material, groups[0]) || (others.length > 0 && !sameMen(groups[1], others))) return null;
  const fixed = others.length > 0 ? [first, second] : [first];
  if (new Set(fixed).size < fixed.length || fixed.some((weight) => weight >= groups.length)) return null;
  let next = fixed.length;
  const weights = groups.map((_, weight) => (fixed.includes(weight) ? fixed.indexOf(weight) : next++));
  return { groups, weights };
}

/** Whether men can lead an index: the leading pawns, three single men, or the kings. */
function fits(material: Material, leaders: readonly number[]): boolean {
  if (material.leadingPawns.length > 0) return sameMen(leaders, material.leadingPawns);
  const single = singleMen(material);
  return leaders.every((man) => single.includes(man));
}

function sameMen(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((man) => others.includes(man));
}

interface Part {
  readonly flags: number;
  readonly constant: number | null;
  readonly blockBits: number;
  readonly spanBits: number;
  readonly blocks: number;
  readonly lengthCount: number;
  readonly code: Code | null;
}

/** Null if the code is none. */
function readPart(from: Cursor, kind: FileKind): Part | null {
  const flags = from.u8();
  const blockBits = from.u8();
  if (flags & Flag.constant) {
    // In DTZ files, programs that probe take 0 for the constant.
    const constant = kind === 'wdl' ? blockBits : 0;
    return { flags, constant, blockBits: 0, spanBits: 0, blocks: 0, lengthCount: 0, code: null };
  }
  const spanBits = from.u8();
  const imaginary = from.u8();
  const blocks = from.u32();
  const most = from.u8();
  const least = from.u8();
  if (most < least) return null;
  const offsets = Uint16Array.from({ length: most - least + 1 }, () => from.u16());
  const symbols = from.u16();
  const left = new Uint16Array(symbols);
  const right = new Uint16Array(symbols);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const [a, b, c] = [from.u8(), from.u8(), from.u8()];
    left[symbol] = a | ((b & 15) << 8);
    right[symbol] = (b >> 4) | (c << 4);
  }
  from.align(2);
  const code = newCode(least, offsets, left, right);
  if (code === null || blockBits > 16 || spanBits < 1 || spanBits > 31) return null;
  return { flags, constant: null, blockBits, spanBits, blocks, lengthCount: blocks + imaginary, code };
}

function readMaps(from: Cursor, wide: boolean): Uint16Array[] {
  if (wide) from.align(2);
  const number = wide ? from.u16 : from.u8;
  return [0, 1, 2, 3].map(() => Uint16Array.from({ length: number() }, number));
}

/** Where the pieces of the parts lie, from `start` on; null if the file does not have so many bytes. */
function placeBodies(
  start: number,
  parts: readonly (Part & { readonly size: number })[],
  bytes: number,
): (Body | null)[] | null {
  let at = start;
  const take = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const align = () => take((64 - (at % 64)) % 64);
  const sparse = parts.map(({ code, size, spanBits }) =>
    take(code === null ? 0 : 6 * Math.ceil(size / 2 ** spanBits)),
  );
  const lengths = parts.map(({ lengthCount }) => take(2 * lengthCount));
  const data = parts.map(({ code, blocks, blockBits }) => {
    if (code !== null) align();
    return take(blocks * 2 ** blockBits);
  });
  align();
  if (at + CHECKSUM_BYTES !== bytes) return null;
  return parts.map(({ code, blockBits, spanBits, blocks, lengthCount }, i) => {
    if (code === null) return null;
    const places = { sparse: sparse[i], lengths: lengths[i], data: data[i] };
    return { blockBits, spanBits, blocks, lengthCount, code, ...places };
  });
}

type Cursor = ReturnType<typeof cursor>;

/** Reads numbers one after another; RangeError past the end. */
function cursor(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const u8 = () => view.getUint8(at++);
  const u16 = () => {
    at += 2;
    return view.getUint16(at - 2, true);
  };
  return {
    u8,
    u16,
    u32: () => {
      at += 4;
      return view.getUint32(at - 4, true);
    },
    align: (to: number) => {
      at += (to - (at % to)) % to;
    },
    at: () => at,
  };
}
