/**
 * What Syzygy's files say of positions, as chess programs ask them. What a file holds for a board counts unless a capture (for plies
 * also a move of a pawn) is as good. So such moves are looked at first.
 *
 * A search never waits: values whose blocks are in memory take no promise. What it lacks (a file that is not open, a block that must
 * be read) it notes, and ends; {@link Search.read} reads all of it at once, and the caller begins the search again.
 */
import { DamageError } from '../../../../../operators/core/errors.js';
import { formatFen } from '../../fen.js';
import {
  type ChessBoard,
  type CoordinateMove,
  canMove,
  inCheck,
  isCapture,
  legalMoves,
  PAWN,
  play,
} from '../../rules.js';
import { CLASS_OF, type FileKind, MissingFileError, missingFiles, RULE, SyzygyOutcome } from '../format.js';
import type { SyzygyFile } from './file.js';
import type { StoredSubtable } from './head.js';
import type { Ending, OpenFiles } from './open-files.js';

export interface SyzygyPlies {
  readonly outcome: SyzygyOutcome;
  /** To a zeroing move or mate: 0 of draws, and of positions that are mated. */
  readonly plies: number;
  /** False: there may be one more, for the file gives plies in pairs. */
  readonly precise: boolean;
}

/** A board, and what each of its moves leads to, in the order of `legalMoves`. */
export interface SyzygyMoves {
  readonly own: SyzygyPlies;
  readonly after: readonly SyzygyPlies[];
}

/** The outcome of a board. */
interface Resolved {
  readonly outcome: SyzygyOutcome;
  /** A zeroing move keeps the outcome. */
  readonly zeroing: boolean;
  /** There is no move. */
  readonly over: boolean;
}

/** Ends a search that lacks something. Always the same one: to make an error costs more than a lookup. */
export const WAIT = new Error('something must be read first');

/** By {@link moveKey}: what is known of moves. */
type Known = ReadonlyMap<number, SyzygyPlies>;
const NOTHING: Known = new Map();

/** One probe, which is begun again until it lacks nothing. */
export class Search {
  readonly #files: OpenFiles;
  /** For messages: where the files are. */
  readonly #places: readonly string[];
  /** What the last attempt lacked. */
  #lacks: (() => Promise<unknown>)[] = [];
  /** Values that were read: they stay even if a small cache gives their blocks up. */
  readonly #values = new Map<StoredSubtable, Map<number, number>>();

  constructor(files: OpenFiles, places: readonly string[]) {
    this.#files = files;
    this.#places = places;
  }

  /** Reads what the last attempt lacked. Throws StorageError, or the MissingFileError of all files that it lacked. */
  async read(): Promise<void> {
    const lacks = this.#lacks;
    this.#lacks = [];
    const read = await Promise.allSettled(lacks.map((lack) => lack()));
    const errors: unknown[] = read.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    const missing = errors.filter((error) => error instanceof MissingFileError);
    if (errors.length > missing.length) throw errors.find((error) => !(error instanceof MissingFileError));
    if (missing.length === 0) return;
    throw missingFiles(this.#places, [...new Set(missing.flatMap(({ names }) => names))]);
  }

  /** Throws WAIT, and of a damaged file StorageError, as all that follow. */
  outcome(board: ChessBoard): SyzygyOutcome {
    return this.#resolve(uncounted(board), false, NOTHING).outcome;
  }

  plies(board: ChessBoard): SyzygyPlies {
    return this.#plies(uncounted(board), NOTHING);
  }

  /** The values of the moves are looked up once, and serve for the board, too. */
  withMoves(board: ChessBoard): SyzygyMoves {
    const plain = uncounted(board);
    const moves = legalMoves(plain);
    const after = this.#each(moves, (move) => this.#plies(play(plain, move), NOTHING));
    const known = new Map(moves.map((move, i) => [moveKey(move), after[i]]));
    return { own: this.#plies(plain, known), after };
  }

  #plies(board: ChessBoard, known: Known): SyzygyPlies {
    const { outcome, zeroing, over } = this.#resolve(board, true, known);
    if (outcome === SyzygyOutcome.draw || over) return { outcome, plies: 0, precise: true };
    if (zeroing) return { outcome, plies: beforeZeroing(outcome), precise: true };
    return this.#storedPlies(board, outcome) ?? this.#byMoves(board, outcome, known);
  }

  /**
   * The outcome, and whether a zeroing move wins so much: a capture or, if asked for, a move of a pawn. Where nothing but
   * captures can be played the file counts for nothing, since it knows of no right to capture en passant.
   */
  #resolve(board: ChessBoard, pawns: boolean, known: Known): Resolved {
    const { squares, passant } = board;
    const isTried = (from: number, to: number) =>
      squares[to] !== 0 || (isPawns(board, from) && (pawns || to === passant));
    const tried = legalMoves(board, isTried);
    let best = -1;
    for (const move of tried) {
      const after =
        known.get(moveKey(move))?.outcome ?? this.#resolve(play(board, move), false, NOTHING).outcome;
      best = Math.max(best, SyzygyOutcome.win - after);
      if (best === SyzygyOutcome.win) return { outcome: best, zeroing: true, over: false };
    }
    const isForced = !canMove(board, (from, to) => !isTried(from, to));
    if (isForced && tried.length === 0) return { outcome: stuck(board), zeroing: false, over: true };
    const is = isForced ? best : Math.max(best, this.#storedOutcome(board));
    return {
      outcome: is as SyzygyOutcome,
      zeroing: best === is && (best > SyzygyOutcome.draw || isForced),
      over: false,
    };
  }

  /** For a board whose side to move has no plies in the file: by its moves. */
  #byMoves(board: ChessBoard, outcome: SyzygyOutcome, known: Known): SyzygyPlies {
    const wins = outcome > SyzygyOutcome.draw;
    const replies = this.#each(legalMoves(board), (move) => this.#byMove(board, move, wins, known));
    const best = bestOf(replies, wins);
    if (best === null) {
      throw new DamageError(
        this.#places.join(' and '),
        `no move keeps the win that files state of ${formatFen(board)}`,
      );
    }
    return { ...best, outcome };
  }

  /** Plies if this move is played; null if it does not keep the outcome, or is one that {@link #resolve} looked at. */
  #byMove(board: ChessBoard, move: CoordinateMove, wins: boolean, known: Known): SyzygyPlies | null {
    const isZeroing = isCapture(board, move) || isPawns(board, move.from);
    // Zeroing moves that win have been looked at.
    if (isZeroing && wins) return null;
    const after = known.get(moveKey(move));
    if (isZeroing) {
      const outcome = after?.outcome ?? this.outcome(play(board, move));
      return { outcome, plies: beforeZeroing(SyzygyOutcome.win - outcome), precise: true };
    }
    const next = after ?? this.plies(play(board, move));
    return wins === next.outcome < SyzygyOutcome.draw ? { ...next, plies: next.plies + 1 } : null;
  }

  #storedOutcome(board: ChessBoard): SyzygyOutcome {
    const ending = this.#files.endingOf(board);
    if (ending === null) return SyzygyOutcome.draw;
    const opened = ending.wdl ?? this.#lackFile(ending, 'wdl');
    const { file, subtable, index } = this.#files.placeOf(opened, board.side);
    const value = this.#value(file, subtable!, index);
    if (value > SyzygyOutcome.win)
      throw new DamageError(file.object, `has no outcome for ${formatFen(board)}`);
    return value as SyzygyOutcome;
  }

  /** Null if the file is of the other side to move. */
  #storedPlies(board: ChessBoard, outcome: SyzygyOutcome): SyzygyPlies | null {
    const ending = this.#files.endingOf(board)!;
    const opened = ending.dtz ?? this.#lackFile(ending, 'dtz');
    const { file, subtable, index } = this.#files.placeOf(opened, board.side);
    if (subtable === null) return null;
    const found = storedPlies(subtable, outcome, this.#value(file, subtable, index));
    if (found === null) throw new DamageError(file.object, `has no plies for ${formatFen(board)}`);
    return found;
  }

  #value(file: SyzygyFile, subtable: StoredSubtable, index: number): number {
    const value = file.valueAtHand(subtable, index);
    if (value >= 0) return value;
    let values = this.#values.get(subtable);
    const read = values?.get(index);
    if (read !== undefined) return read;
    if (values === undefined) this.#values.set(subtable, (values = new Map()));
    const into = values;
    this.#lacks.push(async () => into.set(index, await file.value(subtable, index)));
    throw WAIT;
  }

  #lackFile(ending: Ending, kind: FileKind): never {
    this.#lacks.push(() => this.#files.openEnding(ending, kind));
    throw WAIT;
  }

  /** Looks at all before it waits, so that what is lacking is read together: over a network each read takes a round trip. */
  #each<T, Found>(all: readonly T[], look: (one: T) => Found): Found[] {
    const found: Found[] = [];
    let waits = false;
    for (const one of all) {
      try {
        found.push(look(one));
      } catch (error) {
        if (error !== WAIT) throw error;
        waits = true;
      }
    }
    if (waits) throw WAIT;
    return found;
  }
}

/** The same position without counters, so that moves need not count on. */
function uncounted({ squares, side, passant }: ChessBoard): ChessBoard {
  return passant === undefined ? { squares, side } : { squares, side, passant };
}

function moveKey({ from, to, promotion = 0 }: CoordinateMove): number {
  return (promotion * 64 + to) * 64 + from;
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
