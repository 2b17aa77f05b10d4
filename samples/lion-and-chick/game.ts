/**
 * Lion and chick: chess on 3x5 squares, after the animals of dobutsu shogi, without drops. The lion is king and wins, too, by
 * reaching the far rank; the chick becomes a hen there. Who has no move has lost.
 */
import { numberedGame, type Side } from 'mergemate';

const FILES = 3;
const RANKS = 5;
const SQUARES = FILES * RANKS;

/** A man is a number, SQUARES times its kind and its square, or TAKEN. */
const KINDS = 'LCH';
const [LION, CHICK, HEN] = [0, SQUARES, 2 * SQUARES];
const TAKEN = KINDS.length * SQUARES;
/** Chicks and hens everywhere, and TAKEN. */
const OTHERS = TAKEN - CHICK + 1;

type Men = readonly [lion: number, other: number];

/** Squares are numbered rank by rank from the side of who is to move, so that rules are needed for one player only. */
interface Board {
  readonly mine: Men;
  readonly his: Men;
  readonly side: Side;
}

const squareOf = (man: number) => man % SQUARES;
const rankOf = (man: number) => Math.floor(squareOf(man) / FILES);
const isChick = (man: number) => man >= CHICK && man < HEN;

/** As the other player sees it. */
const turn = (man: number) => (man === TAKEN ? man : man + SQUARES - 1 - 2 * squareOf(man));
const turned = ([lion, other]: Men): Men => [turn(lion), turn(other)];

/** The squares that a man of one's own can step to, by its number. */
const REACH = Array.from({ length: TAKEN + 1 }, (_, man) => (man === TAKEN ? [] : reach(man)));

function reach(man: number): number[] {
  const [file, rank] = [squareOf(man) % FILES, rankOf(man)];
  return Array.from({ length: SQUARES }, (_, square) => square).filter((square) => {
    const [right, forward] = [(square % FILES) - file, rankOf(square) - rank];
    if (Math.max(Math.abs(right), Math.abs(forward)) !== 1) return false;
    if (isChick(man)) return right === 0 && forward === 1;
    return man < CHICK || right === 0 || forward >= 0;
  });
}

/** Whether the lion of who is not to move can be taken. */
const isHanging = ({ mine, his }: Board) => mine.some((man) => REACH[man].includes(his[LION]));

function canBe(board: Board): boolean {
  const { mine, his } = board;
  const squares = [...mine, ...his].filter((man) => man !== TAKEN).map(squareOf);
  const unpromoted = (man: number) => isChick(man) && rankOf(man) === RANKS - 1;
  return (
    new Set(squares).size === squares.length &&
    !unpromoted(mine[1]) &&
    !unpromoted(turn(his[1])) &&
    rankOf(mine[0]) < RANKS - 1 &&
    !isHanging(board)
  );
}

/** After a step of one of the men, the other player to move; it may leave the lion hanging. */
function step({ mine, his, side }: Board, which: number, square: number): Board {
  const man = mine[which];
  const promotes = isChick(man) && rankOf(square) === RANKS - 1;
  const moved = man - squareOf(man) + square + (promotes ? HEN - CHICK : 0);
  const left = his[1] !== TAKEN && squareOf(his[1]) === square ? TAKEN : his[1];
  return {
    mine: turned([his[0], left]),
    his: turned(which === 0 ? [moved, mine[1]] : [mine[0], moved]),
    side: (1 - side) as Side,
  };
}

/** As chess players write it: the man, from where, "x" if he takes something, to where, what he becomes. */
function nameOf(before: Board, which: number, after: Board): string {
  const square = (man: number) => {
    const seen = before.side === 0 ? man : turn(man);
    return `${'abc'[squareOf(seen) % FILES]}${rankOf(seen) + 1}`;
  };
  const kind = (man: number) => KINDS[Math.floor(man / SQUARES)];
  const [from, to] = [before.mine[which], turned(after.his)[which]];
  const sign = before.his[1] !== turn(after.mine[1]) ? 'x' : '-';
  return `${kind(from)}${square(from)}${sign}${square(to)}${kind(from) === kind(to) ? '' : `=${kind(to)}`}`;
}

/** The man on each square, White at the bottom and in capitals. */
function rows({ mine, his, side }: Board): string[] {
  const signs = Array<string>(SQUARES).fill('.');
  const [white, black] = side === 0 ? [mine, his] : [turned(his), turned(mine)];
  const put = (man: number, kinds: string) => {
    if (man !== TAKEN) signs[squareOf(man)] = kinds[Math.floor(man / SQUARES)];
  };
  for (const man of white) put(man, KINDS);
  for (const man of black) put(man, KINDS.toLowerCase());
  return signs.join('').match(/.../g)!.reverse();
}

/** The men that letters of these kinds stand for. */
function menIn(signs: string, kinds: string): Men {
  const men = [...signs].flatMap((sign, square) => {
    const kind = kinds.indexOf(sign);
    return kind < 0 ? [] : [kind * SQUARES + square];
  });
  const [lion, other = TAKEN, ...more] = men.sort((a, b) => a - b);
  if (lion === undefined || lion >= CHICK || other < CHICK || more.length > 0)
    throw new Error('each player has a lion, and at most one chick or hen');
  return [lion, other];
}

export default numberedGame<Board>({
  name: 'lion-and-chick',
  size: (SQUARES * OTHERS) ** 2,
  index: ({ mine, his }) =>
    [...mine, ...his].reduce(
      (number, man, i) => (i % 2 === 0 ? number * SQUARES + man : number * OTHERS + man - CHICK),
      0,
    ),
  position(index, side) {
    const pair = (number: number): Men => [Math.floor(number / OTHERS), (number % OTHERS) + CHICK];
    const pairs = SQUARES * OTHERS;
    const board = { mine: pair(Math.floor(index / pairs)), his: pair(index % pairs), side };
    return canBe(board) ? board : null;
  },
  mover: ({ side }) => side,
  ended: ({ his }) => (rankOf(his[0]) === 0 ? 'lost' : null),
  *moves(board) {
    for (const [which, man] of board.mine.entries()) {
      for (const square of REACH[man]) {
        if (board.mine.some((own) => own !== TAKEN && squareOf(own) === square)) continue;
        const after = step(board, which, square);
        if (!isHanging(after)) yield [nameOf(board, which, after), after];
      }
    }
  },
  parse(text) {
    const [, board, sideSign] = /^((?:[.lch]{3}\/){4}[.lch]{3}) ([wb])$/i.exec(text) ?? [];
    if (board === undefined) throw new Error('a position looks like ".l./.c./.../.C./.L. w"');
    const signs = board.split('/').reverse().join('');
    const [white, black] = [menIn(signs, KINDS), menIn(signs, KINDS.toLowerCase())];
    return sideSign === 'w'
      ? { mine: white, his: black, side: 0 }
      : { mine: turned(black), his: turned(white), side: 1 };
  },
  format: (board) => `${rows(board).join('/')} ${board.side === 0 ? 'w' : 'b'}`,
  diagram: (board) => rows(board).join('\n'),
});
