/**
 * SHA-256 (FIPS 180-4) of small objects, in Node and in browsers. Node's own implementation is used where there is one, else
 * JavaScript: browsers offer theirs only to pages served by HTTPS.
 */
interface Hash {
  update(bytes: Uint8Array): Hash;
  digest(): Uint8Array;
}

const BLOCK = 64;

/** The first `count` primes. */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits of the fractional part. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

let digest: ((bytes: Uint8Array) => Uint8Array) | undefined;

export function sha256(bytes: Uint8Array): Uint8Array {
  // Loaded when first needed, because loading takes as long as hashing some hundred records.
  digest ??= nativeSha256() ?? portableSha256;
  return digest(bytes);
}

function nativeSha256(): ((bytes: Uint8Array) => Uint8Array) | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const crypto = process?.getBuiltinModule?.('node:crypto') as { createHash(name: string): Hash } | undefined;
  return crypto && ((bytes) => new Uint8Array(crypto.createHash('sha256').update(bytes).digest()));
}

/** The same in JavaScript. */
export function portableSha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);

  const hash = START.slice();
  const schedule = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) schedule[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const early = schedule[i - 15];
      const late = schedule[i - 2];
      const a = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const b = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      schedule[i] = schedule[i - 16] + a + schedule[i - 7] + b;
    }
    mix(hash, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** The 64 rounds of a block. */
function mix(hash: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const sumE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + sumE + choice + ROUND[i] + schedule[i]) | 0;
    const sumA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + sumA + majority) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) hash[i] += mixed[i];
}
