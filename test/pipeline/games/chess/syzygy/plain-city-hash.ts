/**
 * The checksum at the end of Syzygy's files in plain BigInt, to hold the kernels against: CityHashCrc128 (Pike & Alakuijala 2011,
 * CityHash 1.0.3) over the CityHashCrc256 of each 16 MiB of the file. It agrees with the published sums, and takes forty times the time.
 */

const PIECE = 1 << 24;
const MASK = 0xffff_ffff_ffff_ffffn;
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K3 = 0xc949d7c7509e6557n;
const MIX = 0x9ddfea08eb382d69n;

const wrap = (value: bigint) => value & MASK;
const times = (a: bigint, b: bigint) => (a * b) & MASK;
const rotate = (value: bigint, by: bigint) =>
  by === 0n ? value : wrap((value >> by) | (value << (64n - by)));
const shiftMix = (value: bigint) => value ^ (value >> 47n);

function hash16(a: bigint, b: bigint): bigint {
  const first = shiftMix(times(a ^ b, MIX));
  return times(shiftMix(times(b ^ first, MIX)), MIX);
}

/** CRC-32C of the eight bytes of a value, going on from `crc`; of that the lower 32 bits count. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
function crcOf(crc: bigint, value: bigint): bigint {
  let state = Number(crc & 0xffffffffn);
  let low = Number(value & 0xffffffffn);
  let high = Number(value >> 32n);
  for (let i = 0; i < 4; i++, low >>>= 8) state = (state >>> 8) ^ CRC[(state ^ low) & 255];
  for (let i = 0; i < 4; i++, high >>>= 8) state = (state >>> 8) ^ CRC[(state ^ high) & 255];
  return BigInt(state >>> 0);
}

const fetch = (bytes: DataView, at: number) => bytes.getBigUint64(at, true);

/** CityHashCrc256: four values. */
function crc256(bytes: Uint8Array): bigint[] {
  if (bytes.length >= 240) return crc256Long(bytes, 0n);
  const filled = new Uint8Array(240);
  filled.set(bytes);
  return crc256Long(filled, BigInt(~bytes.length >>> 0));
}

function crc256Long(bytes: Uint8Array, seed: bigint): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = BigInt(bytes.length);
  let a = wrap(fetch(view, 56) + K0);
  let b = wrap(fetch(view, 96) + K0);
  let c = hash16(b, length);
  let d = wrap(times(fetch(view, 120), K0) + length);
  const first = c;
  const second = d;
  let e = wrap(fetch(view, 184) + seed);
  let f = seed;
  let [g, h, i, j] = [0n, 0n, 0n, 0n];
  let t = wrap(c + d);
  let at = 0;
  const mix = (by: bigint, z: bigint) => {
    const old = a;
    a = wrap(times(rotate(b, 41n ^ z), by) + fetch(view, at));
    b = wrap(times(rotate(c, 27n ^ z), by) + fetch(view, at + 8));
    c = wrap(times(rotate(d, 41n ^ z), by) + fetch(view, at + 16));
    d = wrap(times(rotate(e, 33n ^ z), by) + fetch(view, at + 24));
    e = wrap(times(rotate(t, 25n ^ z), by) + fetch(view, at + 32));
    t = old;
    f = crcOf(f, a);
    g = crcOf(g, b);
    h = crcOf(h, c);
    i = crcOf(i, d);
    j = crcOf(j, e);
    at += 40;
  };
  for (let rounds = Math.floor(bytes.length / 240); rounds > 0; rounds--) {
    for (let pair = 0; pair < 3; pair++) {
      mix(1n, 1n);
      mix(K0, 0n);
    }
  }
  while (bytes.length - at >= 40) mix(K0, 0n);
  if (at < bytes.length) {
    at = bytes.length - 40;
    mix(K0, 0n);
  }
  j = wrap(j + (i << 32n));
  a = hash16(a, j);
  h = wrap(h + (g << 32n));
  b = wrap(b + h);
  c = wrap(hash16(c, f) + i);
  d = hash16(d, wrap(e + first));
  j = wrap(j + e);
  i = wrap(i + hash16(h, t));
  e = wrap(hash16(a, d) + j);
  f = wrap(hash16(b, c) + a);
  g = wrap(hash16(j, i) + c);
  const r0 = wrap(e + f + g + h);
  a = wrap(times(shiftMix(times(wrap(a + g), K0)), K0) + b);
  const r1 = wrap(second + a + r0);
  a = wrap(times(shiftMix(times(a, K0)), K0) + c);
  const r2 = wrap(a + r1);
  a = times(shiftMix(times(wrap(a + e), K0)), K0);
  return [r0, r1, r2, wrap(a + r2)];
}

/** CityHash128 of 32 bytes for each piece of a file. */
function city128(bytes: Uint8Array): [bigint, bigint] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seed: [bigint, bigint] = [fetch(view, 0) ^ K3, fetch(view, 8)];
  const rest = new DataView(bytes.buffer, bytes.byteOffset + 16, bytes.byteLength - 16);
  return rest.byteLength < 128 ? murmur(rest, seed) : city128Long(rest, seed);
}

function murmur(view: DataView, seed: [bigint, bigint]): [bigint, bigint] {
  const length = view.byteLength;
  let [a, b] = seed;
  let c: bigint;
  let d: bigint;
  if (length > 16) {
    c = hash16(wrap(fetch(view, length - 8) + K1), a);
    d = hash16(wrap(b + BigInt(length)), wrap(c + fetch(view, length - 16)));
    a = wrap(a + d);
    for (let at = 0; at < length - 16; at += 16) {
      a = times(a ^ times(shiftMix(times(fetch(view, at), K1)), K1), K1);
      b ^= a;
      c = times(c ^ times(shiftMix(times(fetch(view, at + 8), K1)), K1), K1);
      d ^= c;
    }
  } else {
    a = times(shiftMix(times(a, K1)), K1);
    c = wrap(times(b, K1) + hash9to16(view));
    d = shiftMix(wrap(a + fetch(view, 0)));
  }
  a = hash16(a, c);
  b = hash16(d, b);
  return [a ^ b, hash16(b, a)];
}

function hash9to16(view: DataView): bigint {
  const length = view.byteLength;
  const a = fetch(view, 0);
  const b = fetch(view, length - 8);
  return hash16(a, rotate(wrap(b + BigInt(length)), BigInt(length))) ^ b;
}

function weakHash(view: DataView, at: number, a: bigint, b: bigint): [bigint, bigint] {
  const [w, x, y, z] = [0, 8, 16, 24].map((by) => fetch(view, at + by));
  let first = wrap(a + w);
  let second = rotate(wrap(b + first + z), 21n);
  const c = first;
  first = wrap(first + x + y);
  second = wrap(second + rotate(first, 44n));
  return [wrap(first + z), wrap(second + c)];
}

function city128Long(view: DataView, seed: [bigint, bigint]): [bigint, bigint] {
  let length = view.byteLength;
  let [x, y] = seed;
  let z = times(BigInt(length), K1);
  let v: [bigint, bigint] = [wrap(times(rotate(y ^ K1, 49n), K1) + fetch(view, 0)), 0n];
  v[1] = wrap(times(rotate(v[0], 42n), K1) + fetch(view, 8));
  let w: [bigint, bigint] = [
    wrap(times(rotate(wrap(y + z), 35n), K1) + x),
    times(rotate(wrap(x + fetch(view, 88)), 53n), K1),
  ];
  let at = 0;
  do {
    for (let half = 0; half < 2; half++, at += 64) {
      x = times(rotate(wrap(x + y + v[0] + fetch(view, at + 8)), 37n), K1);
      y = times(rotate(wrap(y + v[1] + fetch(view, at + 48)), 42n), K1);
      x ^= w[1];
      y = wrap(y + v[0] + fetch(view, at + 40));
      z = times(rotate(wrap(z + w[0]), 33n), K1);
      v = weakHash(view, at, times(v[1], K1), wrap(x + w[0]));
      w = weakHash(view, at + 32, wrap(z + w[1]), wrap(y + fetch(view, at + 16)));
      [z, x] = [x, z];
    }
    length -= 128;
  } while (length >= 128);
  x = wrap(x + times(rotate(wrap(v[0] + z), 49n), K0));
  z = wrap(z + times(rotate(w[0], 37n), K0));
  for (let done = 0; done < length; ) {
    done += 32;
    const from = at + length - done;
    y = wrap(times(rotate(wrap(x + y), 42n), K0) + v[1]);
    w[0] = wrap(w[0] + fetch(view, from + 16));
    x = wrap(times(x, K0) + w[0]);
    z = wrap(z + w[1] + fetch(view, from));
    w[1] = wrap(w[1] + v[0]);
    v = weakHash(view, from, wrap(v[0] + z), v[1]);
  }
  x = hash16(x, v[0]);
  y = hash16(wrap(y + z), w[0]);
  return [wrap(hash16(wrap(x + v[1]), w[1]) + y), hash16(wrap(x + w[1]), wrap(y + v[1]))];
}

/** The 16 bytes at the end of a file whose other bytes these are. */
export function plainCityCrc128(bytes: Uint8Array): Uint8Array {
  const words: bigint[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) words.push(...crc256(bytes.subarray(at, at + PIECE)));
  const hashes = wordsToBytes(words);
  return wordsToBytes(hashes.length <= 900 ? city128(hashes) : crc256(hashes).slice(2));
}

function wordsToBytes(words: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(8 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setBigUint64(8 * i, word, true);
  return bytes;
}
