/**
 * Syzygy's files in a folder, asked about positions as chess programs ask. What a file holds for a board counts
 * unless a capture (for plies also a move of a pawn) is as good. So such moves are looked at first.
 */
import { DamageError } from '../../../../../operators/core/errors.js';
import type { Store } from '../../../../../operators/storage/store.js';
import { formatFen } from '../../fen.js';
import {
  type ChessBoard,
  type CoordinateMove,
  exchangeColours,
  inCheck,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../rules.js';
import { inOrder } from '../../shape.js';
import { CLASS_OF, type FileKind, fileName } from '../format.js';
import { BLACK, type Material, materialOf } from '../material.js';
import { RULE, SyzygyOutcome } from '../outcome.js';
import { openSyzygyFile, type SyzygyFile } from './file.js';
import type { StoredSubtable } from './head.js';
import { MissingFileError } from './missing-file.js';
import { newPages, type ReadSizes } from './pages.js';

export interface SyzygyPlies {
  readonly outcome: SyzygyOutcome;
  /** To a zeroing move or mate: 0 of draws, and of positions that are mated. */
  readonly plies: number;
  /** False: there may be one more, for the file gives plies in pairs. */
  readonly precise: boolean;
}

export interface SyzygyTables {
  /** The file of a material; null if there is none. Throws StorageError. */
  file(material: Material, kind: FileKind): Promise<SyzygyFile | null>;
  /** Under the 50-move rule, the last move having been a zeroing one. Throws MissingFileError, StorageError. */
  outcome(board: ChessBoard): Promise<SyzygyOutcome>;
  /** Throws as {@link outcome}. */
  plies(board: ChessBoard): Promise<SyzygyPlies>;
}

/** A board as a file has it. */
interface Place {
  readonly file: SyzygyFile;
  /** Null: the file is of the other side to move. */
  readonly subtable: StoredSubtable | null;
  readonly index: number;
}

/** The files of a folder, and what they hold for boards. */
function openFiles(store: Store, cacheBytes: number, sizes: ReadSizes | undefined) {
  const pages = newPages(store, cacheBytes, sizes);
  const files = new Map<string, Promise<SyzygyFile | null>>();

  function open(material: Material, kind: FileKind): Promise<SyzygyFile | null> {
    const name = fileName(material, kind);
    let found = files.get(name);
    if (found === undefined) {
      found = openSyzygyFile(store, pages, name, kind, material);
      files.set(name, found);
      const forget = () => files.delete(name);
      // A file that is missing now may be there the next time.
      found.then((file) => file ?? forget(), forget);
    }
    return found;
  }

  async function find(board: ChessBoard, kind: FileKind): Promise<Place> {
    const [white, black] = lettersOf(board);
    const straight = await open(materialOf(white, black), kind);
    const file = straight ?? (await open(materialOf(black, white), kind));
    if (file === null) {
      const name = fileName(materialOf(white, black), kind);
      throw new MissingFileError(`${store.uri} has no file ${name}, nor K${black}vK${white}`);
    }
    // Files of like sides hold White's moves alone.
    const isTurned = straight === null || (file.material.symmetric && board.side === 1);
    return placeOf(file, isTurned ? exchangeColours(board) : board);
  }

  async function outcome(board: ChessBoard): Promise<SyzygyOutcome> {
    if (lettersOf(board).join('') === '') return SyzygyOutcome.draw;
    const { file, subtable, index } = await find(board, 'wdl');
    const value = await file.value(subtable!, index);
    if (value > SyzygyOutcome.win)
      throw new DamageError(file.object, `has no outcome for ${formatFen(board)}`);
    return value as SyzygyOutcome;
  }

  /** Null if the file is of the other side to move. */
  async function plies(board: ChessBoard, is: SyzygyOutcome): Promise<SyzygyPlies | null> {
    const { file, subtable, index } = await find(board, 'dtz');
    if (subtable === null) return null;
    const found = storedPlies(subtable, is, await file.value(subtable, index));
    if (found === null) throw new DamageError(file.object, `has no plies for ${formatFen(board)}`);
    return found;
  }

  return { open, outcome, plies };
}

/** @param cacheBytes what pages of larger files may take. Nothing is read before it is asked. */
export function openSyzygyTables(store: Store, cacheBytes: number, sizes?: ReadSizes): SyzygyTables {
  const stored = openFiles(store, cacheBytes, sizes);

  /**
   * The outcome, and whether a zeroing move wins so much: a capture or, if asked for, a move of a pawn. Where nothing but
   * captures can be played the file counts for nothing, since it knows of no right to capture en passant.
   */
  async function search(
    board: ChessBoard,
    pawns: boolean,
  ): Promise<{ outcome: SyzygyOutcome; zeroing: boolean }> {
    const moves = legalMoves(board);
    const tried = moves.filter((move) => isCapture(board, move) || (pawns && isPawns(board, move.from)));
    let best = -1;
    for (const move of tried) {
      const after = await search(play(board, move), false);
      best = Math.max(best, SyzygyOutcome.win - after.outcome);
      if (best === SyzygyOutcome.win) break;
    }
    if (moves.length === 0) return { outcome: stuck(board), zeroing: false };
    const isForced = tried.length === moves.length;
    const is = isForced ? best : Math.max(best, await stored.outcome(board));
    return { outcome: is as SyzygyOutcome, zeroing: best === is && (best > SyzygyOutcome.draw || isForced) };
  }

  async function plies(board: ChessBoard): Promise<SyzygyPlies> {
    const { outcome, zeroing } = await search(board, true);
    if (outcome === SyzygyOutcome.draw) return { outcome, plies: 0, precise: true };
    if (zeroing) return { outcome, plies: beforeZeroing(outcome), precise: true };
    if (legalMoves(board).length === 0) return { outcome, plies: 0, precise: true };
    return (await stored.plies(board, outcome)) ?? byMoves(board, outcome);
  }

  /** For a board whose side to move has no plies in the file: by its moves. */
  async function byMoves(board: ChessBoard, outcome: SyzygyOutcome): Promise<SyzygyPlies> {
    const wins = outcome > SyzygyOutcome.draw;
    // All are asked for at once, so that what is read for them can be read together.
    const replies = await Promise.all(legalMoves(board).map((move) => byMove(board, move, wins)));
    const best = bestOf(replies, wins);
    if (best === null) {
      throw new DamageError(store.uri, `no move keeps the win that files state of ${formatFen(board)}`);
    }
    return { ...best, outcome };
  }

  /** Plies if this move is played; null if it does not keep the outcome, or is one that {@link search} looked at. */
  async function byMove(board: ChessBoard, move: CoordinateMove, wins: boolean): Promise<SyzygyPlies | null> {
    const after = play(board, move);
    if (!isCapture(board, move) && !isPawns(board, move.from)) {
      const next = await plies(after);
      return wins === next.outcome < SyzygyOutcome.draw ? { ...next, plies: next.plies + 1 } : null;
    }
    // Zeroing moves that win have been looked at.
    if (wins) return null;
    const next = await search(after, false);
    return { ...next, plies: beforeZeroing(SyzygyOutcome.win - next.outcome), precise: true };
  }

  return { file: stored.open, outcome: async (board) => (await search(board, false)).outcome, plies };
}

/** Letters of White's men and of Black's beside the kings, in order. */
function lettersOf({ squares }: ChessBoard): [string, string] {
  const of = (sign: number) =>
    inOrder(
      Array.from(squares)
        .filter((man) => man * sign > 1)
        .map((man) => LETTERS[Math.abs(man)])
        .join(''),
    );
  return [of(1), of(-1)];
}

function placeOf(file: SyzygyFile, { squares, side }: ChessBoard): Place {
  const places = new Map<number, number[]>();
  for (let square = 0; square < 64; square++) {
    const man = squares[square];
    if (man === 0) continue;
    // From the king to the pawn the codes of the files go down, those of boards up.
    const code = PAWN + 1 - Math.abs(man) + (man < 0 ? BLACK : 0);
    places.set(code, [...(places.get(code) ?? []), square]);
  }
  const men = Uint8Array.from(file.material.men, (code) => places.get(code)!.shift()!);
  for (const subtables of file.subtables) {
    const index = subtables[0].index.encode(men);
    if (index < 0) continue;
    const subtable = subtables.find((one) => one.side === side) ?? null;
    return { file, subtable, index: subtable?.index.encode(men) ?? index };
  }
  throw new Error('a legal board has an index');
}

function isPawns({ squares }: ChessBoard, from: number): boolean {
  return Math.abs(squares[from]) === PAWN;
}

/** Who has no move is mated or drawn. */
function stuck({ squares, side }: ChessBoard): SyzygyOutcome {
  return inCheck(squares, side) ? SyzygyOutcome.loss : SyzygyOutcome.draw;
}

/** Plies of who zeroes the counter with the next move: one, or where the 50-move rule draws what follows, beyond the rule. */
function beforeZeroing(outcome: number): number {
  return outcome === SyzygyOutcome.win || outcome === SyzygyOutcome.loss ? 1 : RULE + 1;
}

/** The fewest plies of who wins, or the most of who loses; null without any. Null among moves: one that does not count. */
function bestOf(
  moves: readonly (SyzygyPlies | null)[],
  wins: boolean,
): Pick<SyzygyPlies, 'plies' | 'precise'> | null {
  const found = moves.filter((move) => move !== null);
  const counts = found.map((move) => move.plies);
  const plies = wins ? Math.min(...counts) : Math.max(...counts);
  const asGood = found.filter((move) => move.plies === plies);
  const precise = wins ? asGood.some((move) => move.precise) : asGood.every((move) => move.precise);
  return found.length === 0 ? null : { plies, precise };
}

/** The meaning of a file's value for a position that is won or lost; null if it says nothing. */
export function storedPlies(
  { maps, exact }: StoredSubtable,
  outcome: SyzygyOutcome,
  value: number,
): SyzygyPlies | null {
  const plain = maps === null ? value : maps[CLASS_OF[outcome]][value];
  if (plain === undefined) return null;
  const precise =
    (outcome === SyzygyOutcome.win && exact.wins) || (outcome === SyzygyOutcome.loss && exact.losses);
  const isCursed = outcome === SyzygyOutcome.cursedWin || outcome === SyzygyOutcome.blessedLoss;
  return { outcome, plies: (precise ? plain : 2 * plain) + 1 + (isCursed ? RULE : 0), precise };
}
