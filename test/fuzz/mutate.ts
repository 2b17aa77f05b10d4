/** Inputs near those of a corpus: a few random changes to one of its files. */
import fc from 'fast-check';

interface Change {
  readonly how: 'flip' | 'set' | 'delete' | 'repeat' | 'insert' | 'number' | 'splice';
  /** Beginning of the change, from 0 to 1, and its end. */
  readonly at: number;
  readonly to: number;
  readonly value: number;
}

/** Words at which readers stumble. */
const WORDS = [
  ...[
    '',
    '-1',
    '0',
    '1e999',
    '99999999999999999999',
    '4294967296',
    'null',
    'true',
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
  ],
  ...[
    '__proto__',
    '../',
    '\u0000',
    '\ufeff',
    '\ud800',
    '\r\n',
    '%00',
    '%zz',
    '/',
    '\\u0000',
    'K',
    '8',
    ' - ',
  ],
];

export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    how: fc.constantFrom('flip', 'set', 'delete', 'repeat', 'insert', 'number', 'splice'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(2 ** 31 - 1),
  }),
  { minLength: 0, maxLength: 6 },
);

/** `from` with the changes made; pieces are taken from `other`. */
export function changed(from: Uint8Array, other: Uint8Array, list: readonly Change[]): Uint8Array {
  let bytes = Buffer.from(from);
  for (const { how, at, to, value } of list) {
    const place = Math.floor(at * bytes.length);
    const end = Math.min(bytes.length, place + 1 + Math.floor(to * to * 64));
    const [before, within, after] = [
      bytes.subarray(0, place),
      bytes.subarray(place, end),
      bytes.subarray(end),
    ];
    if (how === 'flip' || how === 'set') {
      bytes = Buffer.from(bytes);
      if (place < bytes.length) bytes[place] = how === 'set' ? value : bytes[place] ^ (1 << (value % 8));
    } else if (how === 'delete') bytes = Buffer.concat([before, after]);
    else if (how === 'repeat')
      bytes = Buffer.concat([before, ...Array<Buffer>(1 + (value % 20)).fill(within), after]);
    else if (how === 'insert')
      bytes = Buffer.concat([before, Buffer.from(WORDS[value % WORDS.length]), within, after]);
    else if (how === 'number') {
      bytes = Buffer.from(bytes);
      // Lengths and offsets of binary files.
      if (place + 4 <= bytes.length)
        bytes.writeUInt32LE([0, 1, 255, 2 ** 31, 2 ** 32 - 1, value][value % 6], place);
    } else {
      const piece = Math.floor(to * other.length);
      bytes = Buffer.concat([before, other.subarray(piece, piece + (value % 200)), after]);
    }
  }
  return bytes;
}
