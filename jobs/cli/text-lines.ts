/** The lines of text files that others have written. */
import { createReadStream } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import { fileError } from '../../operators/storage/errno.js';
import { io } from './io.js';
import { decoded } from './text-encoding.js';

/** No piece of a text grows beyond this for want of an end of line. */
const MOST_PIECE = 1 << 22;
const NEWLINE = 0x0a;

/**
 * The text of a file, or of standard input if the path is "-", in pieces. Lines that are not UTF-8 are read as Windows-1252, of which
 * Latin-1 is a part: old files of games have such names.
 */
export async function* textOf(path: string): AsyncGenerator<string> {
  const input: AsyncIterable<Buffer> = path === '-' ? io.in : createReadStream(path);
  let rest: Buffer[] = [];
  let bytes = 0;
  for await (const piece of input) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield decoded(Buffer.concat([...rest, piece.subarray(0, end)]));
      [rest, bytes] = [[], 0];
    }
    rest.push(piece.subarray(end));
    bytes += piece.length - end;
    if (bytes <= MOST_PIECE) continue;
    yield decoded(Buffer.concat(rest));
    [rest, bytes] = [[], 0];
  }
  if (bytes > 0) yield decoded(Buffer.concat(rest));
}

/** A file in UTF-16, read as Latin-1: a byte-order mark, and letters with a zero byte each. */
const UTF16 = /^(?:ÿþ|þÿ).*\0/s;
/** Control characters that text does not have: all but tabs, ends of lines and pages, and the mark that DOS puts at the end of a file. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is counted.
const BINARY = /[\0-\x08\x0e-\x19\x1b-\x1f]/g;
/** More of them than one character in so many are no accidents. */
const MOST_BINARY = 20;

/**
 * The lines of a file of text, as {@link linesOf}; UserError as well for one that is not text, by the control characters at its beginning, or
 * that is UTF-16.
 */
export function linesOfText(
  path: string,
  most: number,
  overlong: 'refuse' | 'cut' = 'refuse',
): AsyncGenerator<string> {
  return linesOf(textAlone(textOf(path), path), path, most, overlong);
}

async function* textAlone(pieces: AsyncIterable<string>, path: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst) requireText(piece, path === '-' ? 'standard input' : path);
    isFirst = false;
    yield piece;
  }
}

function requireText(piece: string, what: string): void {
  if (UTF16.test(piece)) throw new UserError(`${what} is UTF-16: save it as UTF-8 or Latin-1`);
  const binary: readonly string[] = piece.match(BINARY) ?? [];
  if (binary.includes('\0') || binary.length * MOST_BINARY > piece.length)
    throw new UserError(`${what} is not text: it has bytes that no text has`);
}

/**
 * The lines of a text that comes in pieces. A line is held whole, so one that is longer than `most` characters is refused with a
 * UserError or, with 'cut', comes as several lines, cut at spaces. UserError if there is no such file, StorageError if it cannot be read.
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  path: string,
  most: number,
  overlong: 'refuse' | 'cut' = 'refuse',
): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const piece of pieces) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield* overlong === 'cut' ? cutAtSpaces(line, most) : [line];
      if (rest.length <= most) continue;
      if (overlong === 'refuse') throw new UserError(`${path}: a line is longer than ${most} characters`);
      const cut = cutAtSpaces(rest, most);
      rest = cut.pop()!;
      yield* cut;
    }
    yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw fileError(path, 'read', error);
  }
}

/** A line in pieces of at most so many characters. */
function cutAtSpaces(line: string, most: number): string[] {
  const cut: string[] = [];
  let at = 0;
  while (line.length - at > most) {
    const space = line.lastIndexOf(' ', at + most);
    const end = space > at ? space + 1 : at + most;
    cut.push(line.slice(at, end));
    at = end;
  }
  return [...cut, line.slice(at)];
}
