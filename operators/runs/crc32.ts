/**
 * Computes the CRC-32 of a concatenation from the CRCs of its parts, so that bytes that count for two checksums (of a record batch and
 * of a column) are read once. The polynomial arithmetic is that of zlib's crc32_combine. A CRC moves on over n zero
 * bytes by multiplication with x^(8n) modulo the CRC polynomial (bits reflected).
 */
const POLYNOMIAL = 0xedb88320;

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= b;
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
  }
  return product >>> 0;
}

/** x^(2^i), i = 0…31; the order of x makes the powers repeat after that. */
const POWERS = new Uint32Array(32);
POWERS[0] = 0x40000000;
for (let i = 1; i < 32; i++) POWERS[i] = multiply(POWERS[i - 1], POWERS[i - 1]);

/** The CRC-32 of A followed by B, from those of A and of B and the number of bytes of B. */
export function joinCrc(a: number, b: number, lengthOfB: number): number {
  let power = 0x80000000;
  let rest = lengthOfB;
  for (let i = 3; rest > 0; i++) {
    if (rest % 2 === 1) power = multiply(POWERS[i & 31], power);
    rest = Math.floor(rest / 2);
  }
  return (multiply(power, a) ^ b) >>> 0;
}

/** Eight hexadecimal digits. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
