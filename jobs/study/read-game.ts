/**
 * Reads studies and games: PGN with variations, or a position a line (FEN or EPD); of checkers PDN (read-pdn.ts). Text is read a game
 * at a time; chess.js plays the moves, so games from the first position on are read, too, with castling. Runs in browsers.
 */
import { parseGame } from '@mliebelt/pgn-parser';
import { Chess } from 'chess.js';
import { UserError } from '../../operators/core/errors.js';

/** A move of a game. */
export interface StudyMove {
  /** "12." or "12..." */
  readonly number: string;
  readonly san: string;
  readonly uci: string;
  /** The positions before and after it, as FEN. */
  readonly before: string;
  readonly after: string;
  /** Lines that begin with another move in its place. */
  readonly variations: readonly (readonly StudyMove[])[];
}

export interface Study {
  /** The text of its tags: "Réti 1921"; or its place in the file. */
  readonly title: string;
  readonly fen: string;
  /** As they are in the file; none of a position without moves. */
  readonly tags: Readonly<Record<string, string>>;
  readonly moves: readonly StudyMove[];
  /** What the tag Result says, else what the moves end with; null where neither names a result. */
  readonly result: Result | null;
  /** Operations of EPD by their opcode: `bm` gives ["Ke5", "Kd5"], `dm` ["5"], `id` ["a title"]. Empty for games. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
}

export type Result = '1-0' | '0-1' | '1/2-1/2';

/** A study, or why it cannot be read, with its place in the file. */
export type ReadStudy = { readonly study: Study } | { readonly problem: string };

/** How the positions and games of a game are written. */
export interface Notation {
  /** Whether a line looks like a position, and its FEN. */
  isPosition(line: string): boolean;
  fenOf(line: string): string;
  /** @param fen as the tag of the game has it; undefined if it begins with the first position. @throws Error with the reason why the game cannot be read. */
  played(
    text: string,
    fen: string | undefined,
  ): { readonly fen: string; readonly moves: readonly StudyMove[] };
}

/** A comment may begin a line with a bracket, too. */
const TAG = /^\[(\w+)\s+"((?:[^"\\]|\\.)*)"/;
/** No game is nearly as long. */
export const MOST_CHARS = 1 << 20;
/** A move as the parser returns it. */
interface ParsedMove {
  readonly notation: { readonly notation: string };
  readonly variations: readonly (readonly ParsedMove[])[] | null;
}

/** @param path what the lines are called. @throws UserError if they hold a text that is longer than any game. */
export async function* studiesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  path: string,
  notation: Notation = PGN,
): AsyncGenerator<ReadStudy> {
  let text: string[] = [];
  let began = 0;
  let chars = 0;
  let inMoves = false;
  let number = 0;
  let at = 0;
  for await (const untrimmed of lines) {
    at++;
    const line = untrimmed.trim();
    const isTag = TAG.test(line);
    const isPosition = text.length === 0 && !isTag && line !== '' && notation.isPosition(line);
    if (isPosition) {
      yield {
        study: {
          title: `${path}, line ${at}`,
          fen: notation.fenOf(line),
          tags: {},
          moves: [],
          result: null,
          operations: {},
        },
      };
      continue;
    }
    if (isTag && inMoves) {
      yield game(text.join('\n'), `${path}, game ${++number} (line ${began})`, notation);
      [text, chars, inMoves] = [[], 0, false];
    }
    if (text.length === 0 && line === '') continue;
    if (text.length === 0) began = at;
    text.push(line);
    chars += line.length;
    if (chars > MOST_CHARS)
      throw new UserError(`${path}, line ${began}: a game is longer than ${MOST_CHARS} characters`);
    inMoves ||= !isTag && line !== '';
  }
  if (text.length > 0) yield game(text.join('\n'), `${path}, game ${++number} (line ${began})`, notation);
}

/** A line that looks like eight ranks. */
function isFen(line: string): boolean {
  return /^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}[ _]/.test(line);
}

const PGN: Notation = {
  isPosition: isFen,
  fenOf,
  played(text, given) {
    const { moves } = parseGame(text, { startRule: 'game' });
    const fen = new Chess(given).fen();
    return { fen, moves: played(moves as readonly ParsedMove[], fen) };
  },
};

function fenOf(line: string): string {
  // In EPD, operations follow the fourth field.
  const fields = line.replaceAll('_', ' ').split(/\s+/);
  const clocks = /^\d+$/.test(fields[4] ?? '') ? fields.slice(4, 6) : [];
  return [...fields.slice(0, 4), ...clocks].join(' ');
}

function game(text: string, place: string, notation: Notation): ReadStudy {
  try {
    const tags = tagsOf(text);
    return {
      study: {
        title: titleOf(tags, place),
        tags,
        result: null,
        operations: {},
        ...notation.played(text, tags.FEN),
      },
    };
  } catch (error) {
    return { problem: `${place}: ${firstLine((error as Error).message)}` };
  }
}

function tagsOf(text: string): Record<string, string> {
  const found = text.split('\n').map((line) => TAG.exec(line));
  return Object.fromEntries(
    found.flatMap((tag) => (tag === null ? [] : [[tag[1], tag[2].replace(/\\(.)/g, '$1')]])),
  );
}

function titleOf({ White, Black, Event, Date: date }: Record<string, string>, place: string): string {
  const known = (name: string | undefined) => name !== undefined && !/^[?.\s]*$/.test(name);
  const players = [White, Black].filter(known).join(' - ');
  const year = known(date) ? date.slice(0, 4) : '';
  const words = [players !== '' ? players : known(Event) ? Event : '', year].filter((word) => word !== '');
  return words.length === 0 ? place : words.join(', ');
}

/** @throws Error for a move that is not legal, with its number. */
function played(moves: readonly ParsedMove[], from: string): StudyMove[] {
  const chess = new Chess(from);
  return moves.map(({ notation: { notation }, variations }) => {
    const before = chess.fen();
    const number = `${chess.moveNumber()}${chess.turn() === 'w' ? '.' : '...'}`;
    const lines = (variations ?? []).map((line) => played(line, before));
    let move: ReturnType<Chess['move']>;
    try {
      move = chess.move(notation);
    } catch {
      throw new Error(`${number} ${notation} is no legal move`);
    }
    return { number, san: move.san, uci: move.lan, before, after: chess.fen(), variations: lines };
  });
}

const firstLine = (text: string) => text.split('\n')[0];
