/** Bytes as base64 and hexadecimal text, in plain JavaScript: Node's Buffer is missing in browsers, and this code runs in both. */
import { assert } from './errors.js';

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = '='.charCodeAt(0);
/** The value of each base64 digit, by character code; other characters count as 0. */
const DIGIT = new Uint8Array(256);
ALPHABET.forEach((character, digit) => {
  DIGIT[character] = digit;
});

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let shift = 18; shift >= 0; shift -= 6) text[at++] = ALPHABET[(word >> shift) & 63];
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  text.fill(PAD, text.length - missing);
  return new TextDecoder().decode(text);
}

/** The bytes of base64 with padding, as {@link toBase64} writes it. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(base64);
  assert(text.length % 4 === 0, 'base64 comes in fours');
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const word =
      (DIGIT[text[i]] << 18) | (DIGIT[text[i + 1]] << 12) | (DIGIT[text[i + 2]] << 6) | DIGIT[text[i + 3]];
    // The array drops bytes beyond its end.
    bytes[at++] = word >> 16;
    bytes[at++] = word >> 8;
    bytes[at++] = word;
  }
  return bytes;
}

/** Two hexadecimal digits a byte. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** The inverse of {@link toHex}. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}
