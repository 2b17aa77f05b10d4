/** Finds places in a text, for messages: each function reads the text again, up to the place. */
import { readText, type TextInput } from './text.js';
import { newVerifier } from './tokens.js';
import { shown } from './values.js';

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a];

enum Kind {
  inWord,
  between,
  bracket,
  quote,
}

const KINDS = new Uint8Array(256);
for (const sign of ' \t\r\n,:') KINDS[sign.charCodeAt(0)] = Kind.between;
for (const sign of '[]{}') KINDS[sign.charCodeAt(0)] = Kind.bracket;
KINDS[QUOTE] = Kind.quote;

/** Byte at which a token begins, its number counted from 0; the text's length if there are fewer. All up to there is JSON. */
export async function byteOfToken(input: TextInput, token: number): Promise<number> {
  let seen = 0;
  let inString = false;
  let inWord = false;
  let escaped = false;
  let end = 0;
  for await (const { bytes, at } of readText(input)) {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      const kind = KINDS[byte] as Kind;
      const begins = kind !== Kind.between && !(kind === Kind.inWord && inWord);
      if (begins && seen++ === token) return at + i;
      inWord = kind === Kind.inWord;
      inString = kind === Kind.quote;
    }
    end = at + bytes.length;
  }
  return end;
}

interface BadSyntax {
  readonly byte: number;
  readonly what: string;
}

/** First place where the text is no longer JSON. */
export async function badSyntax(input: TextInput): Promise<BadSyntax> {
  const verify = newVerifier();
  let place = null;
  for await (const { text } of readText(input)) if ((place = verify(text)) !== null) break;
  place ??= verify(null);
  if (place === null) throw new Error('text that was no JSON is JSON when it is read again');
  let units = 0;
  let byte = 0;
  for await (const { text, bytes, at } of readText(input)) {
    const within = place.unit - units;
    byte = at + bytes.length;
    if (within < text.length) {
      const found = String.fromCodePoint(text.codePointAt(within)!);
      byte = at + Buffer.byteLength(text.slice(0, within));
      return { byte, what: `expected ${place.expected}, found ${shown(found)}` };
    }
    units += text.length;
  }
  return { byte, what: `the text ends where ${place.expected} is expected` };
}

/** "line 3, byte 120": lines are counted from 1, bytes from 0. */
export async function placeText(input: TextInput, byte: number): Promise<string> {
  let line = 1;
  for await (const { bytes, at } of readText(input)) {
    const before = bytes.subarray(0, Math.max(0, byte - at));
    for (let i = before.indexOf(NEWLINE); i >= 0; i = before.indexOf(NEWLINE, i + 1)) line++;
    if (at + bytes.length > byte) break;
  }
  return `line ${line}, byte ${byte}`;
}
