/** Code that works without Node is tested against Node's own. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from '../../../operators/core/bytes-as-text.js';
import * as checksum from '../../../operators/core/checksum.js';
import { portableSha256, sha256 } from '../../../operators/core/sha256.js';

const bytes = fc.uint8Array({ maxLength: 300 });

test('CRC-32 equals that of zlib, at once and in pieces', () => {
  expect(checksum.crc32).toBe(crc32);
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(checksum.portableCrc32(a)).toBe(crc32(a));
      expect(checksum.portableCrc32(b, checksum.portableCrc32(a))).toBe(crc32(b, crc32(a)));
    }),
  );
});

test('base64 and hexadecimal equal those of Buffer', () => {
  fc.assert(
    fc.property(bytes, (a) => {
      const buffer = Buffer.from(a);
      expect(toBase64(a)).toBe(buffer.toString('base64'));
      expect(fromBase64(buffer.toString('base64'))).toEqual(new Uint8Array(a));
      expect(toHex(a)).toBe(buffer.toString('hex'));
      expect(fromHex(buffer.toString('hex'))).toEqual(new Uint8Array(a));
    }),
  );
});

test('SHA-256 equals that of Node for every length up to three blocks and for many blocks', () => {
  const digest = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
  for (let length = 0; length <= 192; length++) {
    const text = new Uint8Array(length).fill(length);
    expect(toHex(portableSha256(text))).toBe(digest(text));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (a) => {
      expect(toHex(portableSha256(a))).toBe(digest(a));
      expect(sha256(a)).toEqual(portableSha256(a));
    }),
  );
});
