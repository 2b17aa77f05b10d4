/**
 * Reads games of checkers as PDN ("Portable Draughts Notation", version 3.0). Tags are as in PGN. Moves are "11-15"
 * and "22x15x8", or "22x8" if that is but one move. Variations are in brackets, comments in braces or after a
 * semicolon. Black moves first. Games from the first position on are played by the rules of the tables, which know
 * any number of pieces.
 */
import { type CheckersBoard, formatFen, readBoard } from '../../pipeline/games/checkers/fen.js';
import { namedMoves, same } from '../../pipeline/games/checkers/rules.js';
import { CHECKERS } from './first-positions.js';
import type { Notation, StudyMove } from './read-game.js';

/** Comments, variations, glyphs, results, numbers and moves; anything else is one of the last kind. */
const TOKEN =
  /\{[^}]*(?:\}|$)|;[^\n]*|[()]|\$\d+|\*|1\/2-1\/2|\d+(?:[-x:]\d+)+|\d+\.(?:\.\.)?|[!?]+|\s+|[^\s(){};]+/g;
const MOVE = /^\d+(?:[-x:]\d+)+$/;
const PASSED = /^(?:[{;$*!?\s]|1\/2|\d+\.)/;

export const PDN: Notation = {
  isPosition: (line) => /^[BW]:[BW]/.test(line),
  fenOf: (line) => line,
  played(text, given) {
    const board = readBoard(given ?? CHECKERS);
    const tokens = text.replace(/^\[.*\]\s*$/gm, '').match(TOKEN) ?? [];
    const left = tokens.filter((token) => !PASSED.test(token)).reverse();
    const moves = readLine(left, { board, number: 1 });
    if (left.length > 0) throw new Error('a variation ends that did not begin');
    return { fen: formatFen(board), moves };
  },
};

interface Place {
  readonly board: CheckersBoard;
  readonly number: number;
}

/** Takes the tokens of a line off the end, up to the bracket that ends it. */
function readLine(tokens: string[], from: Place): StudyMove[] {
  const moves: (StudyMove & { readonly variations: (readonly StudyMove[])[] })[] = [];
  let before = from;
  let at = from;
  while (tokens.length > 0 && tokens.at(-1) !== ')') {
    const token = tokens.pop()!;
    const last = moves.at(-1);
    if (token === '(') {
      if (last === undefined) throw new Error('a variation begins before the first move');
      last.variations.push(readLine(tokens, before));
      if (tokens.pop() !== ')') throw new Error('a variation does not end');
    } else if (!isResult(token)) {
      const { number, board } = at;
      const move = moveOf(board, token, nameOf(at));
      const texts = { number: nameOf(at), san: move.san, uci: move.uci };
      moves.push({ ...texts, before: formatFen(board), after: formatFen(move.board), variations: [] });
      before = at;
      at = { board: move.board, number: number + board.side };
    }
  }
  return moves;
}

const nameOf = ({ board: { side }, number }: Place) => `${number}.${side === 0 ? '' : '..'}`;

/** "1-0", "2-0" or "1-1" is no move. */
function isResult(token: string): boolean {
  const [from, to] = token.split('-').map(Number);
  return from === 0 || to === 0 || from === to;
}

/** @throws Error if there is no such move, or several that lead to different positions. */
function moveOf(board: CheckersBoard, token: string, number: string) {
  const squares = token.split(/[-x:]/).map(Number);
  const fits = namedMoves(board).filter(({ uci }) => {
    const path = uci.split(/[-x]/).map(Number);
    return squares.length > 2
      ? path.join() === squares.join()
      : path[0] === squares[0] && path.at(-1) === squares[1];
  });
  if (!MOVE.test(token) || fits.length === 0) throw new Error(`${number} ${token} is no legal move`);
  if (fits.some((move) => !same(move.board, fits[0].board))) {
    throw new Error(`${number} ${token} is more than one move`);
  }
  return fits[0];
}
