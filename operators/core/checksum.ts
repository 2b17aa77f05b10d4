/** CRC-32, as zlib and PNG compute it: by Node's zlib, which is several times as fast, else in JavaScript. */
const zlib = (
  globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
).process?.getBuiltinModule?.('node:zlib') as { crc32?: Crc32 } | undefined;

type Crc32 = (bytes: Uint8Array, before?: number) => number;

/** CRC-32 of `bytes`, carried on from the CRC-32 of the bytes before them. */
export const crc32: Crc32 = zlib?.crc32 ?? portableCrc32;

/** Eight hexadecimal digits. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** The polynomial, bits reflected. */
const POLYNOMIAL = 0xedb88320;

/** Bytes that one turn of the loop takes. */
const SLICES = 8;
let tables: Uint32Array | undefined;

/**
 * The same in JavaScript: eight bytes at a time by eight tables (slicing-by-8). Kounavis & Berry 2005, "A systematic
 * approach to building high performance, software-based, CRC generators".
 */
export function portableCrc32(bytes: Uint8Array, before = 0): number {
  tables ??= newTables();
  const t = tables;
  const { length } = bytes;
  let crc = ~before;
  let i = 0;
  for (; i + SLICES <= length; i += SLICES) {
    const low = crc ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    crc =
      t[0x700 | (low & 255)] ^
      t[0x600 | ((low >>> 8) & 255)] ^
      t[0x500 | ((low >>> 16) & 255)] ^
      t[0x400 | (low >>> 24)] ^
      t[0x300 | bytes[i + 4]] ^
      t[0x200 | bytes[i + 5]] ^
      t[0x100 | bytes[i + 6]] ^
      t[bytes[i + 7]];
  }
  for (; i < length; i++) crc = t[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Table n at n * 256: what a byte does to the CRC when n more bytes follow it. */
function newTables(): Uint32Array {
  const made = new Uint32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    made[byte] = crc;
  }
  for (let i = 256; i < made.length; i++) made[i] = made[made[i - 256] & 255] ^ (made[i - 256] >>> 8);
  return made;
}

let powers: Uint32Array | undefined;

/**
 * The CRC-32 of A followed by B, from those of A and of B and the number of bytes of B. So bytes that count for two checksums (of a record
 * batch and of a column) are read once. A CRC moves on over n zero bytes by multiplication with x^(8n) modulo the CRC polynomial, as in
 * zlib's crc32_combine.
 */
export function joinCrc(a: number, b: number, lengthOfB: number): number {
  powers ??= newPowers();
  let power = 0x80000000;
  let rest = lengthOfB;
  for (let i = 3; rest > 0; i++) {
    if (rest % 2 === 1) power = multiply(powers[i & 31], power);
    rest = Math.floor(rest / 2);
  }
  return (multiply(power, a) ^ b) >>> 0;
}

/** x^(2^i), i = 0…31; the order of x makes the powers repeat after that. */
function newPowers(): Uint32Array {
  const made = new Uint32Array(32);
  made[0] = 0x40000000;
  for (let i = 1; i < 32; i++) made[i] = multiply(made[i - 1], made[i - 1]);
  return made;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= b;
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
  }
  return product >>> 0;
}
