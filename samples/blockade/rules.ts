/**
 * Chess with kings and pawns, from a FEN. All rules hold but these: nobody castles; no pawn stands where it may step twice, so nothing is
 * taken en passant; and the game ends where somebody makes a queen. Whoever makes it has won, unless the other side makes one
 * with the next move: that is drawn. A queen that the other king could take at once is not made.
 *
 * A key is a number: the squares of both kings, the side to move, and a digit for each pawn of the FEN, which says where it
 * stands or that it was taken. Pawns of a colour are sorted, since they are alike. Seven of them fit a key of 53 bits.
 */
import type { BoardPicture, KeyedGame, NamedMove, Side } from 'mergemate';

/** Squares are numbered from a1 to h8, row by row. */
export interface Blockade {
  readonly kings: readonly [white: number, black: number];
  /** The pawns of each side, sorted. A pawn that was taken is TAKEN. */
  readonly pawns: readonly [white: readonly number[], black: readonly number[]];
  readonly side: Side;
  /** Whether somebody has made a queen, and who. */
  readonly over: 'white' | 'black' | 'both' | null;
}

/** No square, so that nobody meets a pawn there. */
const TAKEN = -1;
/** Pawns stand on 48 squares, of which a2 is the first. The digit 0 is for one that was taken. */
const FIRST = 8;
const BASE = 48 + 1;
const digitOf = (square: number) => (square === TAKEN ? 0 : square - FIRST + 1);
const squareOf = (digit: number) => (digit === 0 ? TAKEN : digit + FIRST - 1);
const MOST_PAWNS = 7;
const OVER = ['white', 'black', 'both'] as const;
const AHEAD = [8, -8];
const LAST_ROW = [7, 0];

const rowOf = (square: number) => square >> 3;
const names = Array.from({ length: 64 }, (_, square) => `${'abcdefgh'[square & 7]}${rowOf(square) + 1}`);

function neighbours(square: number, steps: readonly (readonly [number, number])[]): number[] {
  const found: number[] = [];
  for (const [dx, dy] of steps) {
    const [x, y] = [(square & 7) + dx, rowOf(square) + dy];
    if (x >= 0 && x < 8 && y >= 0 && y < 8) found.push(y * 8 + x);
  }
  return found;
}

const DIRECTIONS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
const AROUND = DIRECTIONS.filter(([dx, dy]) => dx !== 0 || dy !== 0);
const kingSteps = names.map((_, square) => neighbours(square, AROUND));
/** By side and square, the squares that a pawn there attacks. */
const attacks = [1, -1].map((dy) =>
  names.map((_, square) =>
    neighbours(square, [
      [-1, dy],
      [1, dy],
    ]),
  ),
);

const isNear = (a: number, b: number) =>
  Math.abs((a & 7) - (b & 7)) <= 1 && Math.abs(rowOf(a) - rowOf(b)) <= 1;

function attackedByPawns(pawns: readonly number[], side: number, square: number): boolean {
  for (const pawn of pawns) {
    const isBeside = Math.abs((pawn & 7) - (square & 7)) === 1;
    if (isBeside && pawn !== TAKEN && rowOf(square) === rowOf(pawn + AHEAD[side])) return true;
  }
  return false;
}

function ended(text: 'white' | 'black' | 'both'): Blockade {
  const side: Side = text === 'white' ? 1 : 0;
  return { kings: [0, 0], pawns: [[], []], side, over: text };
}

function withPawn(pawns: readonly number[], from: number, to: number): number[] {
  const moved = pawns.map((square) => (square === from ? to : square));
  return moved.length > 1 ? moved.sort((a, b) => a - b) : moved;
}

/** Whether a queen on one square attacks another. */
function sees(from: number, target: number, { kings, pawns }: Blockade): boolean {
  const [dx, dy] = [(target & 7) - (from & 7), rowOf(target) - rowOf(from)];
  if (dx !== 0 && dy !== 0 && Math.abs(dx) !== Math.abs(dy)) return false;
  const step = Math.sign(dy) * 8 + Math.sign(dx);
  for (let at = from + step; at !== target; at += step)
    if (kings.includes(at) || pawns[0].includes(at) || pawns[1].includes(at)) return false;
  return true;
}

/** The end of the game if the side to move makes a queen on a square; null if it could be taken at once. `after` is the position without the pawn. */
function queened(after: Blockade, square: number): Blockade | null {
  const queener = after.side;
  const other = (1 - queener) as Side;
  const king = after.kings[other];
  const isGuarded =
    isNear(after.kings[queener], square) || attackedByPawns(after.pawns[queener], queener, square);
  if (isNear(king, square) && !isGuarded) return null;
  const isOccupied = (at: number) =>
    at === square || after.kings.includes(at) || after.pawns.some((pawns) => pawns.includes(at));
  const isChecked = sees(square, king, after) || attackedByPawns(after.pawns[queener], queener, king);
  const answers =
    !isChecked &&
    after.pawns[other].some(
      (pawn) =>
        rowOf(pawn + AHEAD[other]) === LAST_ROW[other] && pawn !== TAKEN && !isOccupied(pawn + AHEAD[other]),
    );
  return ended(answers ? 'both' : queener === 0 ? 'white' : 'black');
}

function moves(position: Blockade): NamedMove<Blockade>[] {
  const { kings, pawns, side } = position;
  const other = (1 - side) as Side;
  const found: NamedMove<Blockade>[] = [];
  const [king, enemy] = [kings[side], kings[other]];
  const [own, theirs] = [pawns[side], pawns[other]];
  const both = (mine: number, others: number): [number, number] =>
    side === 0 ? [mine, others] : [others, mine];
  const add = (name: string, square: number, mine: readonly number[], others: readonly number[]) => {
    if (attackedByPawns(others, other, square)) return;
    found.push([
      name,
      {
        kings: both(square, enemy),
        pawns: side === 0 ? [mine, others] : [others, mine],
        side: other,
        over: null,
      },
    ]);
  };
  for (const to of kingSteps[king]) {
    if (isNear(to, enemy) || own.includes(to)) continue;
    const takes = theirs.includes(to);
    add(`K${takes ? 'x' : ''}${names[to]}`, to, own, takes ? withPawn(theirs, to, TAKEN) : theirs);
  }
  const isFree = (at: number) => !own.includes(at) && !theirs.includes(at) && at !== king && at !== enemy;
  const advance = (name: string, from: number, to: number, others: readonly number[]) => {
    if (rowOf(to) !== LAST_ROW[side]) return add(name, king, withPawn(own, from, to), others);
    if (attackedByPawns(others, other, king)) return;
    const mine = withPawn(own, from, TAKEN);
    const end = queened({ ...position, pawns: side === 0 ? [mine, others] : [others, mine] }, to);
    if (end !== null) found.push([`${name}=Q`, end]);
  };
  for (const from of own) {
    if (from === TAKEN) continue;
    const to = from + AHEAD[side];
    if (isFree(to)) advance(names[to], from, to, theirs);
    for (const taken of attacks[side][from])
      if (theirs.includes(taken))
        advance(`${names[from][0]}x${names[taken]}`, from, taken, withPawn(theirs, taken, TAKEN));
  }
  return found;
}

/** The side to move has lost if the other made the only queen. Who has no move is mated or stalemated. */
function resultOf(position: Blockade): 'lost' | 'drawn' | null {
  const { over, kings, pawns, side } = position;
  if (over !== null) return over === 'both' ? 'drawn' : 'lost';
  if (pawns.every((each) => each.every((pawn) => pawn === TAKEN))) return 'drawn';
  const [king, enemy] = [kings[side], kings[1 - side]];
  const [own, theirs] = [pawns[side], pawns[1 - side]];
  // Most positions have a move of the king, which takes less than to list all moves.
  for (const to of kingSteps[king])
    if (!isNear(to, enemy) && !own.includes(to) && !attackedByPawns(theirs, 1 - side, to)) return null;
  if (moves(position).length > 0) return null;
  return attackedByPawns(theirs, 1 - side, king) ? 'lost' : 'drawn';
}

function format({ over, kings, pawns, side }: Blockade): string {
  if (over !== null) return over === 'both' ? 'both have queens' : `${over} has a queen`;
  const on = new Map<number, string>([
    ...pawns[0].map((square): [number, string] => [square, 'P']),
    ...pawns[1].map((square): [number, string] => [square, 'p']),
  ]);
  on.delete(TAKEN);
  on.set(kings[0], 'K').set(kings[1], 'k');
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((row) => {
    const text = Array.from({ length: 8 }, (_, x) => on.get(row * 8 + x) ?? '1').join('');
    return text.replace(/1+/g, (empty) => String(empty.length));
  });
  return `${rows.join('/')} ${side === 0 ? 'w' : 'b'} - - 0 1`;
}

function readFen(text: string): Blockade {
  for (const over of OVER) if (text.trim() === format(ended(over))) return ended(over);
  const [, board, mover] = /^([KkPp1-8/]+) ([wb])(?: - -(?: \d+ \d+)?)?$/.exec(text.trim()) ?? [];
  const rows = (board ?? '').replace(/\d/g, (digit) => '1'.repeat(Number(digit))).split('/');
  if (rows.length !== 8 || rows.some((row) => row.length !== 8))
    throw new Error('write it as a FEN of kings and pawns without castling or en passant');
  const men = rows.reverse().join('');
  const squaresOf = (letter: string) => [...men.matchAll(new RegExp(letter, 'g'))].map(({ index }) => index);
  const [[white, ...more], [black, ...others]] = [squaresOf('K'), squaresOf('k')];
  if (white === undefined || black === undefined || more.length + others.length > 0)
    throw new Error('each side has one king');
  const pawns = [squaresOf('P'), squaresOf('p')] as const;
  const steps = [...pawns[0].filter((at) => rowOf(at) < 2), ...pawns[1].filter((at) => rowOf(at) > 5)];
  const last = [...pawns[0].filter((at) => rowOf(at) > 6), ...pawns[1].filter((at) => rowOf(at) < 1)];
  if (steps.length + last.length > 0)
    throw new Error(`no pawn may stand on ${[...steps, ...last].map((at) => names[at]).join(', ')} here`);
  const side: Side = mover === 'w' ? 0 : 1;
  if (isNear(white, black) || attackedByPawns(pawns[side], side, side === 0 ? black : white))
    throw new Error('the king of the side that moved last could be taken');
  return { kings: [white, black], pawns, side, over: null };
}

/** The game that begins at a FEN. */
export function blockade(name: string, fen: string): KeyedGame<Blockade, number> {
  const root = readFen(fen);
  const counts = root.pawns.map((pawns) => pawns.length);
  const all = counts[0] + counts[1];
  if (all > MOST_PAWNS) throw new Error(`${fen} has ${all} pawns; keys hold ${MOST_PAWNS}`);
  const digits = BASE ** all;
  return {
    name,
    roots: () => [root],
    // Both kings on a1 stand for the ends, whose number then is all of the key.
    key({ kings, pawns, side, over }) {
      if (over !== null) return OVER.indexOf(over);
      let set = 0;
      for (const square of pawns[0]) set = set * BASE + digitOf(square);
      for (const square of pawns[1]) set = set * BASE + digitOf(square);
      return ((kings[0] * 64 + kings[1]) * 2 + side) * digits + set;
    },
    position(key) {
      if (key < OVER.length) return ended(OVER[key]);
      const pawns: number[] = [];
      for (let set = key % digits; pawns.length < all; set = Math.floor(set / BASE))
        pawns.push(squareOf(set % BASE));
      pawns.reverse();
      const rest = Math.floor(key / digits);
      return {
        kings: [rest >> 7, (rest >> 1) & 63],
        pawns: [pawns.slice(0, counts[0]), pawns.slice(counts[0])],
        side: (rest & 1) as Side,
        over: null,
      };
    },
    mover: ({ side }) => side,
    moves,
    ended: resultOf,
    parse(text) {
      const { pawns, ...rest } = readFen(text);
      if (pawns.some((each, side) => each.length > counts[side]))
        throw new Error(`it has more pawns than ${fen}`);
      const filled = pawns.map((each, side) => [
        ...Array<number>(counts[side] - each.length).fill(TAKEN),
        ...each,
      ]);
      return { ...rest, pawns: [filled[0], filled[1]] };
    },
    format,
    diagram: (position) =>
      position.over !== null
        ? format(position)
        : format(position)
            .split(' ')[0]
            .replace(/\d/g, (digit) => '.'.repeat(Number(digit)))
            .replaceAll('/', '\n'),
    board: (position): BoardPicture => rowsOf(position),
  };
}

/** The highest row first. */
function rowsOf(position: Blockade): string[][] {
  if (position.over !== null) return [[format(position)]];
  const text = { K: '♔', k: '♚', P: '♙', p: '♟' } as const;
  return format(position)
    .split(' ')[0]
    .split('/')
    .map((row) =>
      [...row.replace(/\d/g, (digit) => '.'.repeat(Number(digit)))].map((man) =>
        man === '.' ? '' : text[man as keyof typeof text],
      ),
    );
}
