/**
 * A second opinion on Syzygy's files: probes positions as chess programs do. Shares nothing with the writer but the plain
 * rules of the game.
 */
import {
  type ChessBoard,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../../../../pipeline/games/chess/rules.js';
import { type DecodedFile, readSyzygy, valueAt } from './syzygy-file.js';
import { fileOf, flipRank, indexOf, leadingNumber, type Part, SQUARES } from './syzygy-index.js';

/** Codes of the format: pawn 1 ... king 6, black 8 more. */
function pieceCode(man: number): number {
  return 'PNBRQK'.indexOf(LETTERS[Math.abs(man)]) + 1 + (man < 0 ? 8 : 0);
}

const ORDER = 'KQRBNP';
function materialOf(squares: Int8Array, sign: number): string {
  const letters = Array.from(squares)
    .filter((man) => man * sign > 0)
    .map((man) => LETTERS[Math.abs(man)]);
  return letters.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join('');
}

/** Finds the bytes of a file such as "KQvKR.rtbw"; null if it is not there. */
export type FindFile = (name: string) => Uint8Array | null;

/** Both files of all endings, as programs probe them. */
export function syzygyProber(find: FindFile) {
  const files = new Map<string, DecodedFile | null>();
  const open = (name: string, extension: string): DecodedFile | null => {
    const key = `${name}.${extension}`;
    if (!files.has(key)) {
      const bytes = find(key);
      files.set(key, bytes === null ? null : readSyzygy(bytes, name));
    }
    return files.get(key)!;
  };

  /** Value of a board in a file; `elsewhere` if the file holds the other side to move. */
  function look(board: ChessBoard, extension: 'rtbw' | 'rtbz'): { value: number; part: Part } | 'elsewhere' {
    const [white, black] = [materialOf(board.squares, 1), materialOf(board.squares, -1)];
    const straight = open(`${white}v${black}`, extension);
    const flip = straight === null || (white === black && board.side === 1);
    const name = flip ? `${black}v${white}` : `${white}v${black}`;
    const file = straight ?? open(name, extension);
    if (!file) throw new Error(`no file for ${white}v${black}`);
    const men = SQUARES.filter((square) => board.squares[square] !== 0).map((square) => ({
      piece: pieceCode(board.squares[square]) ^ (flip ? 8 : 0),
      square: flip ? flipRank(square) : square,
    }));
    const side = flip ? 1 - board.side : board.side;
    let file4 = 0;
    if (name.includes('P')) {
      const leading = men.filter((man) => man.piece === file.parts[0][0].pieces[0]);
      const leader = leading
        .map((man) => man.square)
        .reduce((a, b) => (leadingNumber(b) > leadingNumber(a) ? b : a));
      file4 = Math.min(fileOf(leader), 7 - fileOf(leader));
    }
    const parts = file.parts[file4];
    const part = parts[parts.length === 2 ? side : 0];
    const isOneSided = extension === 'rtbz' && white !== black;
    if (isOneSided && (part.flags & 1) !== side) return 'elsewhere';
    return { value: valueAt(file, part, indexOf(part, men, name)), part };
  }

  /** -2 lost ... 2 won; `zeroing`: by a capture (or, if asked for, a move of a pawn), or nothing else can be played. */
  function search(board: ChessBoard, pawns: boolean): { wdl: number; zeroing: boolean } {
    const moves = legalMoves(board);
    const tried = moves.filter(
      (m) => isCapture(board, m) || (pawns && Math.abs(board.squares[m.from]) === PAWN),
    );
    const best = Math.max(-2, ...tried.map((move) => -search(play(board, move), false).wdl));
    const all = tried.length > 0 && tried.length === moves.length;
    const bare = board.squares.filter((man) => man !== 0).length === 2;
    const found = bare ? { value: 2 } : all ? { value: best + 2 } : look(board, 'rtbw');
    const wdl = (found as { value: number }).value - 2;
    return best >= wdl ? { wdl: best, zeroing: best > 0 || all } : { wdl, zeroing: false };
  }

  const beforeZeroing = (wdl: number) => [-1, -101, 0, 101, 1][wdl + 2];

  function dtz(board: ChessBoard): number {
    const { wdl, zeroing } = search(board, true);
    if (wdl === 0) return 0;
    if (zeroing) return beforeZeroing(wdl);
    const found = look(board, 'rtbz');
    if (found !== 'elsewhere') {
      const { part } = found;
      const plain = part.maps === null ? found.value : part.maps[[1, 3, -1, 2, 0][wdl + 2]][found.value];
      const exact = (wdl === 2 && part.flags & 4) || (wdl === -2 && part.flags & 8);
      const plies = (exact ? plain : 2 * plain) + 1 + (Math.abs(wdl) === 1 ? 100 : 0);
      return Math.sign(wdl) * plies;
    }
    let best = Number.POSITIVE_INFINITY;
    for (const move of legalMoves(board)) {
      const after = play(board, move);
      const isZeroing = isCapture(board, move) || Math.abs(board.squares[move.from]) === PAWN;
      let value = isZeroing ? beforeZeroing(-search(after, false).wdl) : -dtz(after);
      const mates = value === 1 && legalMoves(after).length === 0;
      if (!isZeroing && !mates) value += Math.sign(value);
      if (Math.sign(value) === Math.sign(wdl) && value < best) best = value;
    }
    return best === Number.POSITIVE_INFINITY ? -1 : best;
  }

  return { wdl: (board: ChessBoard) => search(board, false).wdl, dtz };
}
