/**
 * The oracle for problem chess: a naive solver in memory that shares nothing with the product, not even the rules. It keeps a cell
 * for every placement of the men of an ending, lists the forward moves of each legal position once, and then passes over the
 * unsolved positions, one ply a pass. Captures and promotions lead to endings that are solved first, in the same way. Positions
 * with a right to capture en passant, which double steps lead to, are cells of their own.
 *
 * White is the first side of an ending's name. Helpmate: both sides move so that Black is mated (or stalemated) as soon as
 * possible; the number is that of the shortest lines, each promotion a move of its own. Selfmate: White moves as to be mated
 * (stalemated) as soon as possible, Black to avoid it; the number is that of White's best moves, with White to move.
 *
 * Costs a byte for plies and one for the number per placement, and 4 to 12 bytes per move: some 400 MB and half a minute for KQvKR. The
 * moves are listed once for all stipulations, which takes most of the time.
 */
export type Stipulation = 'help' | 'help-stalemate' | 'self' | 'self-stalemate';

/** Men: K Q R B N P are 1 to 6, those of Black negative. Squares: a1 is 0, b1 1, h8 63. */
export interface ProblemBoard {
  readonly squares: Int8Array;
  /** To move: 0 White, 1 Black. */
  readonly side: 0 | 1;
  /** The square that a pawn has just passed over, if a pawn of the other side stands ready to take it; else -1. */
  readonly passant: number;
}

export interface ProblemValue {
  readonly plies: number;
  /** At most 255, which stands for more, too. */
  readonly number: number;
}

export interface SolvedProblems {
  /** Null: no solution. */
  value(board: ProblemBoard): ProblemValue | null;
  /** Every legal position, one of each set of mirror images; those with a right to capture en passant last. */
  boards(): Generator<ProblemBoard>;
}

const LETTERS = ' KQRBNP';
export const KING = 1;
const [QUEEN, ROOK, BISHOP, KNIGHT] = [2, 3, 4, 5];
export const PAWN = 6;
const STRAIGHT = [8, 1, -8, -1];
const DIAGONAL = [9, -7, -9, 7];
const LEAPS = [17, 10, -6, -15, -17, -10, 6, 15];
const MOST = 255;
const UNSOLVED = 255;

/** The squares that lie in a direction, nearest first; a step changes file and rank by 2 at most. */
function ray(from: number, step: number, length: number): number[] {
  const found: number[] = [];
  for (let at = from, to = from + step; found.length < length; at = to, to += step) {
    if (to < 0 || to > 63 || Math.abs((to & 7) - (at & 7)) > 2) break;
    found.push(to);
  }
  return found;
}
const raysOf = (steps: number[], length: number) =>
  Array.from({ length: 64 }, (_, from) => steps.map((step) => ray(from, step, length)));
const [straight, diagonal, leaps, around] = [
  raysOf(STRAIGHT, 7),
  raysOf(DIAGONAL, 7),
  raysOf(LEAPS, 1),
  raysOf([...STRAIGHT, ...DIAGONAL], 1),
];
/** By kind of man and square: the squares along each line. */
export const raysOfMan = [
  [],
  around,
  around.map((_, from) => [...straight[from], ...diagonal[from]]),
  straight,
  diagonal,
  leaps,
];

export const forward = (side: 0 | 1) => (side === 0 ? 8 : -8);
/** The squares that a pawn on `from` attacks. */
export const pawnAttacks = ([0, 1] as const).map((side) =>
  Array.from({ length: 64 }, (_, from) =>
    [-1, 1]
      .map((file) => from + forward(side) + file)
      .filter((to) => to >= 0 && to < 64 && Math.abs((to & 7) - (from & 7)) === 1),
  ),
);

/** Whether men of `side` attack a square: looks along the lines from the square to the first man of each. */
export function isAttacked(squares: Int8Array, square: number, side: 0 | 1): boolean {
  const own = side === 0 ? 1 : -1;
  for (let direction = 0; direction < 8; direction++) {
    const line = direction < 4 ? straight[square][direction] : diagonal[square][direction - 4];
    for (let i = 0; i < line.length; i++) {
      const man = squares[line[i]] * own;
      if (man === 0) continue;
      if (man === QUEEN || man === (direction < 4 ? ROOK : BISHOP) || (man === KING && i === 0)) return true;
      break;
    }
  }
  const near = leaps[square];
  for (let i = 0; i < near.length; i++)
    if (near[i].length > 0 && squares[near[i][0]] === own * KNIGHT) return true;
  const pawns = pawnAttacks[side === 0 ? 1 : 0][square];
  for (let i = 0; i < pawns.length; i++) if (squares[pawns[i]] === own * PAWN) return true;
  return false;
}

export function isInCheck(squares: Int8Array, side: 0 | 1): boolean {
  return isAttacked(squares, squares.indexOf(side === 0 ? KING : -KING), side === 0 ? 1 : 0);
}

/** Shows each position after a legal move, on the same squares: they are put back when `see` returns. Shows no more once it returns false. */
export function eachMove(
  { squares, side, passant }: ProblemBoard,
  see: (after: ProblemBoard, changesMen: boolean, from: number, to: number) => unknown,
): void {
  const own = side === 0 ? 1 : -1;
  const other = side === 0 ? 1 : 0;
  let isOver = false;
  const tryMove = (from: number, to: number, becomes: number, takenAt = to, passed = -1) => {
    if (isOver) return;
    const man = squares[from];
    const taken = squares[takenAt];
    squares[from] = 0;
    squares[takenAt] = 0;
    squares[to] = becomes;
    if (!isInCheck(squares, side)) {
      const after: ProblemBoard = { squares, side: other, passant: passed };
      isOver = see(after, taken !== 0 || becomes !== man, from, to) === false;
    }
    squares[to] = 0;
    squares[takenAt] = taken;
    squares[from] = man;
  };
  for (let from = 0; from < 64; from++) {
    const man = squares[from] * own;
    if (man <= 0) continue;
    if (man !== PAWN) {
      for (const line of raysOfMan[man][from]) {
        for (const to of line) {
          if (squares[to] * own <= 0) tryMove(from, to, squares[from]);
          if (squares[to] !== 0) break;
        }
      }
      continue;
    }
    const step = (to: number, takenAt = to, passed = -1) => {
      if (to >= 8 && to < 56) return tryMove(from, to, squares[from], takenAt, passed);
      for (const kind of [QUEEN, ROOK, BISHOP, KNIGHT]) tryMove(from, to, own * kind);
    };
    const ahead = from + forward(side);
    if (squares[ahead] === 0) {
      step(ahead);
      const far = ahead + forward(side);
      if (from >> 3 === (side === 0 ? 1 : 6) && squares[far] === 0) {
        const isWatched = pawnAttacks[side][from].some(
          (_, i, at) => squares[at[i] + forward(side)] === -own * PAWN,
        );
        step(far, far, isWatched ? ahead : -1);
      }
    }
    for (const to of pawnAttacks[side][from]) {
      if (squares[to] * own < 0) step(to);
      else if (to === passant) step(to, to - forward(side));
    }
  }
}

/** Shows a position, and the same one with each right to capture en passant that it may have. */
export function eachRight(board: ProblemBoard, see: (board: ProblemBoard) => unknown): void {
  const { squares, side } = board;
  see(board);
  const own = side === 0 ? 1 : -1;
  const up = forward(side);
  const rank = side === 0 ? 32 : 24;
  for (let at = rank; at < rank + 8; at++) {
    if (squares[at] !== -own * PAWN || squares[at + up] !== 0 || squares[at + 2 * up] !== 0) continue;
    const beside = [at - 1, at + 1].filter((square) => square >> 3 === at >> 3);
    if (beside.some((square) => squares[square] === own * PAWN)) see({ squares, side, passant: at + up });
  }
}

export function fenOf({ squares, side, passant }: ProblemBoard): string {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) =>
    Array.from(squares.subarray(8 * rank, 8 * rank + 8), (man) =>
      man === 0 ? '1' : man > 0 ? LETTERS[man] : LETTERS[-man].toLowerCase(),
    )
      .join('')
      .replace(/1+/g, (empty) => String(empty.length)),
  );
  const passed = passant < 0 ? '-' : 'abcdefgh'[passant & 7] + ((passant >> 3) + 1);
  return `${ranks.join('/')} ${side === 0 ? 'w' : 'b'} - ${passed} 0 1`;
}

/** The name of the men on a board: "KQvKR". */
export function nameOf(squares: Int8Array): string {
  const men = Array.from(squares).filter((man) => man !== 0);
  const half = (own: number) =>
    men
      .map((man) => own * man)
      .filter((man) => man > 0)
      .sort((a, b) => a - b)
      .map((man) => LETTERS[man])
      .join('');
  return `${half(1)}v${half(-1)}`;
}

/** The symmetries of the board; the first two are those of boards with pawns. */
export const maps = Array.from({ length: 8 }, (_, symmetry) =>
  Int8Array.from({ length: 64 }, (_, square) => {
    const file = (square & 7) ^ (symmetry & 1 ? 7 : 0);
    const rank = (square >> 3) ^ (symmetry & 2 ? 7 : 0);
    return symmetry & 4 ? 8 * file + rank : 8 * rank + file;
  }),
);

/** Numbers that are added one by one. */
class Growing {
  private numbers = new Int32Array(1 << 16);
  length = 0;

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.numbers);
      this.numbers = more;
    }
    this.numbers[this.length++] = number;
  }

  all(): Int32Array {
    return this.numbers.subarray(0, this.length);
  }
}

/** The positions of an ending and their moves, which are the same under every stipulation. */
class Positions {
  /** Kings first, so that mirror images are told apart early. */
  private readonly men: number[];
  private readonly firstDigit = new Int32Array(13);
  private readonly maps: readonly Int8Array[];
  /** Cells of positions with a right to capture en passant, by 8 * cell without it + file. */
  private readonly rights = new Map<number, number>();
  private readonly withRight: ProblemBoard[] = [];
  private readonly places: number[];
  private readonly size: number;
  readonly cells: number;
  /** How many there are; each has a number below, and the moves from first[number] on. */
  readonly count: number;
  readonly sides: Uint8Array;
  readonly first: Uint32Array;
  /** The cell that each move leads to; -1 - i is the i-th that changes the men. */
  readonly moves: Int32Array;
  /** The ending that each of these leads to, as a number of `endings`, and the cell there. */
  readonly leavingFor: Int32Array;
  readonly leavingTo: Int32Array;
  readonly endings: string[] = [];

  constructor(
    name: string,
    private readonly positionsOf: (name: string) => Positions,
  ) {
    const [white, black] = name
      .split('v')
      .map((half) => Array.from(half.slice(1), (letter) => LETTERS.indexOf(letter)));
    this.men = [
      KING,
      -KING,
      ...white.sort((a, b) => a - b),
      ...black.sort((a, b) => a - b).map((man) => -man),
    ];
    this.men.forEach((man, digit) => {
      if (this.men[digit - 1] !== man) this.firstDigit[man + 6] = digit;
    });
    this.maps = this.men.some((man) => Math.abs(man) === PAWN) ? maps.slice(0, 2) : maps;
    this.size = 2 * 64 ** this.men.length;
    this.places = this.representatives();
    this.findRights();
    this.cells = this.size + this.withRight.length;
    this.count = this.places.length + this.withRight.length;
    this.sides = new Uint8Array(this.count);
    this.first = new Uint32Array(this.count + 1);
    const [moves, leavingFor, leavingTo] = [new Growing(), new Growing(), new Growing()];
    for (let i = 0; i < this.count; i++) {
      const before = this.board(i);
      this.sides[i] = before.side;
      eachMove(before, (after, changesMen) => {
        if (!changesMen) return moves.push(this.cellOf(after));
        const ending = nameOf(after.squares);
        if (!this.endings.includes(ending)) this.endings.push(ending);
        leavingFor.push(this.endings.indexOf(ending));
        leavingTo.push(this.positionsOf(ending).cellOf(after));
        moves.push(-leavingTo.length);
      });
      this.first[i + 1] = moves.length;
    }
    this.moves = moves.all();
    this.leavingFor = leavingFor.all();
    this.leavingTo = leavingTo.all();
  }

  board(i: number): ProblemBoard {
    return i < this.places.length ? this.boardAt(this.places[i]) : this.withRight[i - this.places.length];
  }

  /** The cells of a position and its mirror images. */
  cellsOf(i: number): number[] {
    const board = this.board(i);
    if (i >= this.places.length) return [this.cellOf(board)];
    return this.maps.map((map) => this.placement(board.squares, board.side, map));
  }

  /** Throws if the position has a right that no double step of a legal position gave. */
  cellOf(board: ProblemBoard, map = maps[0]): number {
    const cell = this.placement(board.squares, board.side, map);
    if (board.passant < 0) return cell;
    const right = this.rights.get(8 * cell + (board.passant & 7));
    if (right === undefined) throw new Error(`${fenOf(board)}: no double step leads here`);
    return right;
  }

  *boards(): Generator<ProblemBoard> {
    for (const place of this.places) yield this.boardAt(place);
    yield* this.withRight;
  }

  private readonly next = new Int32Array(13);
  private readonly digits = new Int32Array(6);

  /** Side to move and the squares of the men as digits to the base 64, like men in the order of their squares. */
  private placement(squares: Int8Array, side: 0 | 1, map: Int8Array): number {
    this.next.set(this.firstDigit);
    for (let square = 0; square < 64; square++) {
      const man = squares[map[square]];
      if (man !== 0) this.digits[this.next[man + 6]++] = square;
    }
    let cell = side;
    for (let digit = 0; digit < this.men.length; digit++) cell = 64 * cell + this.digits[digit];
    return cell;
  }

  private boardAt(place: number): ProblemBoard {
    const squares = new Int8Array(64);
    for (let digit = this.men.length - 1; digit >= 0; digit--) {
      squares[place % 64] = this.men[digit];
      place = Math.floor(place / 64);
    }
    return { squares, side: place === 0 ? 0 : 1, passant: -1 };
  }

  /** The least cell of each set of mirror images of legal positions. */
  private representatives(): number[] {
    const found: number[] = [];
    const squares = new Int8Array(64);
    const put = (digit: number, before: number) => {
      if (digit < this.men.length) {
        const man = this.men[digit];
        const isAlike = man === this.men[digit - 1];
        const [first, last] = Math.abs(man) === PAWN ? [8, 55] : [0, 63];
        for (let square = isAlike ? before + 1 : first; square <= last; square++) {
          if (squares[square] !== 0 || (digit === 0 && this.maps.some((map) => map[square] < square)))
            continue;
          squares[square] = man;
          put(digit + 1, square);
          squares[square] = 0;
        }
        return;
      }
      for (const side of [0, 1] as const) {
        if (isInCheck(squares, side === 0 ? 1 : 0)) continue;
        const own = this.placement(squares, side, maps[0]);
        const king = squares.indexOf(KING);
        if (!this.maps.some((map) => map.indexOf(king) <= king && this.placement(squares, side, map) < own))
          found.push(own);
      }
    };
    put(0, -1);
    return found;
  }

  private findRights(): void {
    if (!this.men.includes(PAWN) || !this.men.includes(-PAWN)) return;
    for (const place of this.places) {
      eachMove(this.boardAt(place), (after) => {
        const file = after.passant & 7;
        const cells = maps.slice(0, 2).map((map) => this.placement(after.squares, after.side, map));
        if (after.passant < 0 || this.rights.has(8 * cells[0] + file)) return;
        for (const [i, cell] of cells.entries())
          this.rights.set(8 * cell + (i === 0 ? file : 7 - file), this.size + this.withRight.length);
        this.withRight.push({ ...after, squares: after.squares.slice() });
      });
    }
  }
}

class Ending {
  private readonly plies: Uint8Array;
  private readonly numbers: Uint8Array;

  constructor(
    private readonly positions: Positions,
    private readonly stipulation: Stipulation,
    private readonly endingOf: (name: string) => Ending,
  ) {
    this.plies = new Uint8Array(positions.cells).fill(UNSOLVED);
    this.numbers = new Uint8Array(positions.cells);
    this.solve();
  }

  value(board: ProblemBoard): ProblemValue | null {
    const cell = this.positions.cellOf(board);
    return this.plies[cell] === UNSOLVED ? null : { plies: this.plies[cell], number: this.numbers[cell] };
  }

  private solve(): void {
    const { count, sides, first, moves, leavingFor, leavingTo } = this.positions;
    const settle = (i: number, plies: number, number: number) => {
      for (const cell of this.positions.cellsOf(i)) {
        this.plies[cell] = plies;
        this.numbers[cell] = Math.min(MOST, number);
      }
    };
    const others = this.positions.endings.map(this.endingOf);
    const leavingPlies = leavingTo.map((cell, i) => others[leavingFor[i]].plies[cell]);
    const leavingNumbers = leavingTo.map((cell, i) => others[leavingFor[i]].numbers[cell]);
    const longest = leavingPlies.reduce(
      (most, plies) => (plies === UNSOLVED ? most : Math.max(most, plies)),
      0,
    );
    const solved = new Uint8Array(count);
    const isHelp = this.stipulation.startsWith('help');
    const wantsCheck = !this.stipulation.endsWith('stalemate');
    const goalSide = isHelp ? 1 : 0;
    for (let i = 0; i < count; i++) {
      if (first[i] !== first[i + 1] || sides[i] !== goalSide) continue;
      if (isInCheck(this.positions.board(i).squares, goalSide) !== wantsCheck) continue;
      settle(i, 0, 1);
      solved[i] = 1;
    }
    for (let plies = 1, any = true; any || plies <= longest + 1; plies++) {
      any = false;
      for (let i = 0; i < count; i++) {
        if (solved[i]) continue;
        let number = 0;
        let best = 0;
        let isForced = true;
        for (let at = first[i]; at < first[i + 1]; at++) {
          const move = moves[at];
          const after = move < 0 ? leavingPlies[-1 - move] : this.plies[move];
          if (after === plies - 1) {
            best++;
            number += move < 0 ? leavingNumbers[-1 - move] : this.numbers[move];
          } else if (after >= plies) isForced = false;
        }
        if (best === 0 || !(isHelp || sides[i] === 0 || isForced)) continue;
        settle(i, plies, isHelp ? number : best);
        solved[i] = 1;
        any = true;
      }
    }
  }
}

/** What was listed and solved before. */
export class SolvedBefore {
  private readonly positions = new Map<string, Positions>();
  private readonly endings = new Map<string, Ending>();

  readonly positionsOf = (name: string): Positions => {
    const found = this.positions.get(name) ?? new Positions(name, this.positionsOf);
    this.positions.set(name, found);
    return found;
  };

  endingOf(name: string, stipulation: Stipulation): Ending {
    const key = `${name} ${stipulation}`;
    const found =
      this.endings.get(key) ??
      new Ending(this.positionsOf(name), stipulation, (other) => this.endingOf(other, stipulation));
    this.endings.set(key, found);
    return found;
  }

  /** Gives the memory of an ending up, under all stipulations. */
  forget(name: string): void {
    this.positions.delete(name);
    for (const key of this.endings.keys()) if (key.startsWith(`${name} `)) this.endings.delete(key);
  }
}

/** Solves an ending such as "KQvKR" and all that captures and promotions lead to, unless `before` has it. */
export function solveProblems(
  name: string,
  stipulation: Stipulation,
  before = new SolvedBefore(),
): SolvedProblems {
  before.endingOf(name, stipulation);
  return {
    value: (board) => before.endingOf(nameOf(board.squares), stipulation).value(board),
    boards: () => before.positionsOf(name).boards(),
  };
}
