/**
 * Reads studies and games of chess and checkers: tags, moves and variations, or a position a line. The text is read as tolerantly as it
 * can be without guessing: game-text.ts cuts it into games and tokens, and what is here plays the moves of a game by the rules of its
 * `Notation` (read-pgn.ts, read-pdn.ts). A move that cannot be read ends its line, and nothing else: what came before it is kept, as
 * are other variations. Runs in browsers.
 */
import type { Result } from '../ui/game-tags.js';
import { count } from '../ui/numbers.js';
import { type GameText, gamesOf, MOST_CHARS, type PositionLine, type Token } from './game-text.js';
import type { GamePosition, Notation } from './notation.js';
import { PGN } from './read-pgn.js';
import type { ReadStudy, StudyMove } from './study.js';

export type { ReadStudy, Study, StudyMove } from './study.js';

/** Nobody nests variations as deep; whoever walks through them may recurse. */
const MOST_NESTED = 200;

/** @param path what the lines are called. */
export async function* studiesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  path: string,
  notation: Notation = PGN,
): AsyncGenerator<ReadStudy> {
  const { first, all } = await withFirst(lines);
  if (first !== null && notation.other?.begins(first) === true) {
    yield* notation.other.read(all, path);
    return;
  }
  let number = 0;
  for await (const source of gamesOf(all, notation.words)) {
    if ('position' in source) yield readPosition(source, `${path}, line ${source.line}`, notation);
    else if (source.piece === 'other') yield { problem: null, text: textOf(source.tokens) };
    else yield* readGame(source, `${path}, game ${++number} (line ${source.line})`, notation);
  }
}

/** The first line that is not empty, and all lines again. */
async function withFirst(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<{ readonly first: string | null; readonly all: AsyncIterable<string> }> {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  const read: string[] = [];
  let first: string | null = null;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    read.push(next.value);
    if (next.value.trim() === '') continue;
    first = next.value;
    break;
  }
  async function* all(): AsyncGenerator<string> {
    try {
      yield* read;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first, all: all() };
}

/** The text of tokens, as it was written. */
export const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join('');

function readPosition(source: PositionLine, place: string, notation: Notation): ReadStudy {
  let read: ReturnType<Notation['readPosition']>;
  try {
    read = notation.readPosition(source.position);
    notation.start({ fen: read.fen });
  } catch (error) {
    const text = `${textOf(source.tokens)}${source.position}\n`;
    return { problem: `${place}: ${inLine((error as Error).message)}`, text };
  }
  const { fen, operations } = read;
  const title = operations.id?.join(' ') ?? place;
  return { study: { title, place, fen, tags: {}, moves: [], result: null, operations, remarks: [], source } };
}

function* readGame(source: GameText, place: string, notation: Notation): Generator<ReadStudy> {
  const tags = tagsOf(source.tokens);
  let start: GamePosition;
  try {
    if (source.piece !== undefined) throw new Error(`the game is longer than ${MOST_CHARS} characters`);
    if (!isGame(source.tokens)) throw new Error('it contains neither tags nor moves');
    start = notation.start(
      Object.fromEntries(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value])),
    );
  } catch (error) {
    yield { problem: `${place}: ${inLine((error as Error).message)}`, text: textOf(source.tokens) };
    return;
  }
  const { moves, result, problems } = playedOf(source.tokens, start);
  const [byTag, byEnd] = [resultOf(tags.Result), resultOf(result)];
  const differs = byTag !== null && byEnd !== null && byTag !== byEnd;
  yield {
    study: {
      title: titleOf(tags, place),
      place,
      fen: start.fen,
      tags,
      moves,
      result: byTag ?? byEnd,
      operations: {},
      remarks: differs ? [`the tag Result is ${byTag}, but the moves end with ${byEnd}`] : [],
      source,
    },
  };
  for (const problem of problems) yield { problem: `${place}: ${inLine(problem)}`, text: '' };
}

/** Comments alone are a game without moves; words alone are none. */
function isGame(tokens: readonly Token[]): boolean {
  const has = (wanted: Token['kind']) => tokens.some(({ kind }) => kind === wanted);
  return has('tag') || has('move') || has('result') || has('number') || (has('comment') && !has('other'));
}

/** The last of each name. */
function tagsOf(tokens: readonly Token[]): Record<string, string> {
  return Object.fromEntries(
    tokens.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value!]])),
  );
}

function resultOf(text: string | undefined): Result | null {
  switch (text?.replaceAll('–', '-').replaceAll('½', '1/2')) {
    case '1-0':
    case '2-0':
      return '1-0';
    case '0-1':
    case '0-2':
      return '0-1';
    case '1/2-1/2':
    case '1/2':
    case '1-1':
      return '1/2-1/2';
    default:
      return null;
  }
}

/** Composer or players, event and year. Collections of studies have the composer in `White`, and in `Black` a code of the men: "(+0400.10)". */
function titleOf(tags: Readonly<Record<string, string>>, place: string): string {
  const { White, Black, Composer, Event, Date: date = '' } = tags;
  const players = [White, Black].filter((name) => isKnown(name) && !/^\([+=]?\d{4}/.test(name)).join(' - ');
  const words = [isKnown(Composer) ? Composer : players, Event, date.slice(0, 4)].filter(isKnown);
  return words.length === 0 ? place : words.join(', ');
}

const isKnown = (text: string | undefined): boolean => text !== undefined && !/^[?.\s]*$/.test(text);

type OpenMove = StudyMove & {
  readonly variations: (readonly StudyMove[])[];
  readonly comments: string[];
  readonly glyphs: string[];
};

/** What ends a line, and the variations that begin behind it: nobody knows from which position. */
interface Fault {
  readonly what: string;
  /** The line of the text, of a fault in a variation that does not stand in the first line of its game; else null. */
  readonly line: number | null;
  lost: number;
}

/** A line that is being read. */
interface Line {
  readonly moves: OpenMove[];
  /** The position before the last move, and the one after it. */
  before: GamePosition;
  at: GamePosition;
  /** The position before the move whose words are being read. */
  atMove: GamePosition;
  /** True behind a move that cannot be played. */
  isOver: boolean;
  /** What is wrong with it; null if nothing is. */
  fault: Fault | null;
  /** Brackets that opened before its first move, and so begin nothing. */
  superfluous: number;
}

/** @param fault of the line that it is a variation of, if that has come to its end. */
const lineFrom = (at: GamePosition, fault: Fault | null): Line => ({
  moves: [],
  before: at,
  at,
  atMove: at,
  isOver: fault !== null,
  fault,
  superfluous: 0,
});

/** Faults of a game that are named; more are counted. */
const MOST_FAULTS = 20;

function playedOf(
  tokens: readonly Token[],
  start: GamePosition,
): {
  readonly moves: readonly StudyMove[];
  readonly result: string | undefined;
  readonly problems: readonly string[];
} {
  const main = lineFrom(start, null);
  const lines = [main];
  const faults: Fault[] = [];
  let result: string | undefined;
  let isTooDeep = false;
  /** Brackets that close nothing, and the line of the first. */
  let closings = 0;
  let firstClosing = 0;
  const firstLine = tokens.find(({ kind }) => kind !== 'space')?.line;

  /** @param at the line of the text, which the place of the game tells of its main line. */
  function faulty(what: string, at: number): Fault {
    const fault = { what, line: lines.length === 1 || at === firstLine ? null : at, lost: 0 };
    faults.push(fault);
    return fault;
  }

  /** Ends the innermost line, whose last move may go on in a word that never comes. */
  function finish({ at, isOver }: Line, line: number): void {
    if (at.begun !== null && !isOver) faulty(`${at.number} ${at.begun} is only part of a capture`, line);
  }

  for (const [token, { kind, text, isOpen, line: at }] of tokens.entries()) {
    const line = lines.at(-1)!;
    const last = line.moves.at(-1);
    if (kind === 'move' && !line.isOver) {
      const { number } = line.at;
      try {
        const { san, uci, after } = line.at.play(text);
        if (line.at.begun === null) line.atMove = line.at;
        if (after.begun === null) {
          line.moves.push({
            number,
            san,
            uci,
            before: line.at.fen,
            after: after.fen,
            variations: [],
            comments: [],
            glyphs: [],
            token,
          });
          line.before = line.atMove;
        }
        line.at = after;
      } catch (error) {
        line.fault = faulty(`${number} ${(error as Error).message}`, at);
        line.isOver = true;
      }
    } else if (kind === 'comment') {
      if (isOpen === true) faulty(`the comment that begins in line ${at} does not end`, at);
      if (!line.isOver) last?.comments.push(text.replace(/^[{;]|\}$/g, '').trim());
    } else if (kind === 'glyph' && !line.isOver) last?.glyphs.push(text);
    else if (kind === 'result' && lines.length === 1) result = text;
    else if (kind === 'open') {
      if (last === undefined && !line.isOver) line.superfluous++;
      else {
        let { fault } = line;
        if (fault !== null) fault.lost++;
        else if (lines.length > MOST_NESTED) {
          const what = `variations nest deeper than ${MOST_NESTED}`;
          fault = isTooDeep ? { what, line: null, lost: 0 } : faulty(what, at);
          isTooDeep = true;
        }
        const variation = lineFrom(line.before, fault);
        if (fault === null) last!.variations.push(variation.moves);
        lines.push(variation);
      }
    } else if (kind === 'close') {
      if (line.superfluous > 0) line.superfluous--;
      else if (lines.length > 1) {
        finish(line, at);
        lines.pop();
      } else if (closings++ === 0) firstClosing = at;
    }
  }
  const open = lines.length - 1;
  const lastLine = tokens.at(-1)?.line ?? 0;
  for (; lines.length > 0; lines.pop()) finish(lines[lines.length - 1], lastLine);
  return {
    moves: main.moves,
    result,
    problems: [
      ...problemsOf(faults),
      ...(closings > 0
        ? [`${count(closings, 'closing bracket')} too many, the first in line ${firstClosing}`]
        : []),
      ...(open > 0 ? [`${count(open, 'variation')} without a closing bracket`] : []),
    ],
  };
}

/** Where a game has one fault, its move and number say where that is. */
function problemsOf(faults: readonly Fault[]): string[] {
  const named = faults.slice(0, MOST_FAULTS).map(({ what, line, lost }) => {
    const where = line === null || faults.length === 1 ? '' : ` (in a variation, line ${line})`;
    const behind = lost === 0 ? '' : `; ${count(lost, 'variation')} behind it cannot be read`;
    return `${what}${where}${behind}`;
  });
  const more = faults.length - named.length;
  return more === 0 ? named : [...named, `${more} more moves or comments cannot be read`];
}

const inLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 300);
