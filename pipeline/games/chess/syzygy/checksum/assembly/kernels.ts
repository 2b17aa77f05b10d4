/**
 * CityHash 1.0.3 (Pike & Alakuijala 2011): its CityHashCrc256 of a piece of any length, which the host hands over part by part, and its
 * CityHash128 of what fits the buffer. All numbers are of 64 bits.
 */

const K0: u64 = 0xc3a5c85c97cb3127;
const K1: u64 = 0xb492b66fbe98f273;
const K3: u64 = 0xc949d7c7509e6557;
const MIX: u64 = 0x9ddfea08eb382d69;

/** Bytes that {@link rounds} takes at a time, and {@link mixes}. */
const ROUND: usize = 240;
const STEP: usize = 40;

export const BUFFER_BYTES: i32 = 61440;
/** Bytes from the host. */
export const BUFFER: usize = memory.data(61440, 16);
/** u64: up to four words of a sum. */
export const SUM: usize = memory.data(32, 16);
/** u32, table n at n * 1024, by byte: what a byte does to the CRC-32C when n more bytes follow it. */
const CRC: usize = memory.data(8192, 16);

for (let byte: u32 = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  store<u32>(CRC + ((byte as usize) << 2), crc);
}
for (let at: usize = 1024; at < 8192; at += 4) {
  const before = load<u32>(CRC + at - 1024);
  store<u32>(CRC + at, (before >>> 8) ^ load<u32>(CRC + (((before & 255) as usize) << 2)));
}

let a: u64 = 0;
let b: u64 = 0;
let c: u64 = 0;
let d: u64 = 0;
let e: u64 = 0;
let f: u64 = 0;
let g: u64 = 0;
let h: u64 = 0;
let i: u64 = 0;
let j: u64 = 0;
let t: u64 = 0;
let first: u64 = 0;
let second: u64 = 0;

function shiftMix(value: u64): u64 {
  return value ^ (value >> 47);
}

function hash16(low: u64, high: u64): u64 {
  const half = shiftMix((low ^ high) * MIX);
  return shiftMix((high ^ half) * MIX) * MIX;
}

/**
 * CRC-32C of the eight bytes of a value, going on from the lower 32 bits of `crc`: all bytes at a time by eight tables (Kounavis & Berry 2005,
 * "A systematic approach to building high performance, software-based, CRC generators").
 */
function crcOf(crc: u64, value: u64): u64 {
  const low = (crc as u32) ^ (value as u32);
  const high = (value >> 32) as u32;
  return (
    follow(low, 7) ^
    follow(low >>> 8, 6) ^
    follow(low >>> 16, 5) ^
    follow(low >>> 24, 4) ^
    follow(high, 3) ^
    follow(high >>> 8, 2) ^
    follow(high >>> 16, 1) ^
    follow(high >>> 24, 0)
  );
}

/** What the lowest byte of `state` does to the CRC when so many bytes follow it. */
function follow(state: u32, bytes: usize): u32 {
  return load<u32>(CRC + (bytes << 10) + (((state & 255) as usize) << 2));
}

/** Begins the CityHashCrc256 of so many bytes, at least 240: those are in the buffer, and are handed over again afterwards. */
export function begin(length: u64, seed: u64): void {
  a = load<u64>(BUFFER, 56) + K0;
  b = load<u64>(BUFFER, 96) + K0;
  c = hash16(b, length);
  d = load<u64>(BUFFER, 120) * K0 + length;
  first = c;
  second = d;
  e = load<u64>(BUFFER, 184) + seed;
  f = seed;
  g = 0;
  h = 0;
  i = 0;
  j = 0;
  t = c + d;
}

/** Takes so many bytes of the buffer: whole rounds of 240. */
export function rounds(bytes: usize): void {
  for (let at = BUFFER; at < BUFFER + bytes; at += ROUND) {
    for (let pair: usize = 0; pair < ROUND; pair += 2 * STEP) {
      mix(at + pair, 1, 1);
      mix(at + pair + STEP, K0, 0);
    }
  }
}

/** Takes so many bytes of the buffer: whole steps of 40. Those behind the last round, and the last 40 if some would be left. */
export function mixes(bytes: usize): void {
  for (let at = BUFFER; at < BUFFER + bytes; at += STEP) mix(at, K0, 0);
}

function mix(at: usize, by: u64, z: u64): void {
  const old = a;
  a = rotr(b, 41 ^ z) * by + load<u64>(at);
  b = rotr(c, 27 ^ z) * by + load<u64>(at, 8);
  c = rotr(d, 41 ^ z) * by + load<u64>(at, 16);
  d = rotr(e, 33 ^ z) * by + load<u64>(at, 24);
  e = rotr(t, 25 ^ z) * by + load<u64>(at, 32);
  t = old;
  f = crcOf(f, a);
  g = crcOf(g, b);
  h = crcOf(h, c);
  i = crcOf(i, d);
  j = crcOf(j, e);
}

/** Writes the four words of the CityHashCrc256 to SUM. */
export function end(): void {
  j += i << 32;
  a = hash16(a, j);
  h += g << 32;
  b += h;
  c = hash16(c, f) + i;
  d = hash16(d, e + first);
  j += e;
  i += hash16(h, t);
  e = hash16(a, d) + j;
  f = hash16(b, c) + a;
  g = hash16(j, i) + c;
  const sum = e + f + g + h;
  store<u64>(SUM, sum);
  a = shiftMix((a + g) * K0) * K0 + b;
  const next = second + a + sum;
  store<u64>(SUM, next, 8);
  a = shiftMix(a * K0) * K0 + c;
  const third = a + next;
  store<u64>(SUM, third, 16);
  a = shiftMix((a + e) * K0) * K0;
  store<u64>(SUM, a + third, 24);
}

/** Writes the two words of the CityHash128 of so many bytes of the buffer, at least 32, to SUM. */
export function city128(length: usize): void {
  const x = load<u64>(BUFFER) ^ K3;
  const y = load<u64>(BUFFER, 8);
  if (length - 16 < 128) murmur(BUFFER + 16, length - 16, x, y);
  else long(BUFFER + 16, length - 16, x, y);
}

function murmur(at: usize, length: usize, x: u64, y: u64): void {
  let z: u64;
  let w: u64;
  if (length > 16) {
    const last = at + length;
    z = hash16(load<u64>(last - 8) + K1, x);
    w = hash16(y + length, z + load<u64>(last - 16));
    x += w;
    for (let from = at; from < last - 16; from += 16) {
      x = (x ^ (shiftMix(load<u64>(from) * K1) * K1)) * K1;
      y ^= x;
      z = (z ^ (shiftMix(load<u64>(from, 8) * K1) * K1)) * K1;
      w ^= z;
    }
  } else {
    x = shiftMix(x * K1) * K1;
    const low = load<u64>(at);
    const high = load<u64>(at + length - 8);
    z = y * K1 + (hash16(low, rotr(high + length, length as u64)) ^ high);
    w = shiftMix(x + low);
  }
  x = hash16(x, z);
  y = hash16(w, y);
  store<u64>(SUM, x ^ y);
  store<u64>(SUM, hash16(y, x), 8);
}

/** What {@link weakHash} returns. */
let weak0: u64 = 0;
let weak1: u64 = 0;

function weakHash(at: usize, x: u64, y: u64): void {
  const start = x + load<u64>(at);
  const third = load<u64>(at, 24);
  const sum = start + load<u64>(at, 8) + load<u64>(at, 16);
  weak0 = sum + third;
  weak1 = rotr(y + start + third, 21) + rotr(sum, 44) + start;
}

function long(at: usize, bytes: usize, x: u64, y: u64): void {
  let length = bytes;
  let z: u64 = (bytes as u64) * K1;
  let v0: u64 = rotr(y ^ K1, 49) * K1 + load<u64>(at);
  let v1: u64 = rotr(v0, 42) * K1 + load<u64>(at, 8);
  let w0: u64 = rotr(y + z, 35) * K1 + x;
  let w1: u64 = rotr(x + load<u64>(at, 88), 53) * K1;
  do {
    for (let half = 0; half < 2; half++, at += 64) {
      x = rotr(x + y + v0 + load<u64>(at, 8), 37) * K1;
      y = rotr(y + v1 + load<u64>(at, 48), 42) * K1;
      x ^= w1;
      y += v0 + load<u64>(at, 40);
      z = rotr(z + w0, 33) * K1;
      weakHash(at, v1 * K1, x + w0);
      v0 = weak0;
      v1 = weak1;
      weakHash(at + 32, z + w1, y + load<u64>(at, 16));
      w0 = weak0;
      w1 = weak1;
      const swapped = z;
      z = x;
      x = swapped;
    }
    length -= 128;
  } while (length >= 128);
  x += rotr(v0 + z, 49) * K0;
  z += rotr(w0, 37) * K0;
  for (let done: usize = 0; done < length; ) {
    done += 32;
    const from = at + length - done;
    y = rotr(x + y, 42) * K0 + v1;
    w0 += load<u64>(from, 16);
    x = x * K0 + w0;
    z += w1 + load<u64>(from);
    w1 += v0;
    weakHash(from, v0 + z, v1);
    v0 = weak0;
    v1 = weak1;
  }
  x = hash16(x, v0);
  y = hash16(y + z, w0);
  store<u64>(SUM, hash16(x + v1, w1) + y);
  store<u64>(SUM, hash16(x + w1, y + v1), 8);
}
