/**
 * A second solver of selfmates, for endings without pawns of up to five men, which are too large for the naive one (problems.ts). It shares
 * nothing with the product: rules, index and method are its own. White is the first side of the name, moves, and forces Black to mate it.
 *
 * Every placement is a cell, the white king within a1, d1 and d4 by symmetry. Positions are solved ply by ply: those in which White is mated,
 * those from which every black move leads to a solved one, those from which a white move does. Only the positions from which a move, taken back,
 * leads to one that the last ply solved are looked at. White's best first moves are counted at the end, move by move.
 *
 * Costs four bytes a cell: 1.3 GB for five men, and some minutes.
 */
const LETTERS = 'KQRBN';
const STRAIGHT = [8, 1, -8, -1];
const DIAGONAL = [9, -7, -9, 7];
const ALL = [...STRAIGHT, ...DIAGONAL];
const LEAPS = [17, 10, -6, -15, -17, -10, 6, 15];
const UNSOLVED = 0xffff;

function line(from: number, step: number, most: number): Uint8Array {
  const found: number[] = [];
  for (let at = from; found.length < most; ) {
    const to = at + step;
    if (to < 0 || to > 63 || Math.abs((to & 7) - (at & 7)) > 2) break;
    found.push(to);
    at = to;
  }
  return Uint8Array.from(found);
}
const linesBy = (steps: readonly number[], most: number) =>
  Array.from({ length: 64 }, (_, from) => steps.map((step) => line(from, step, most)));
/** By kind of man and square: the squares along each line. */
const lines = [
  linesBy(ALL, 1),
  linesBy(ALL, 7),
  linesBy(STRAIGHT, 7),
  linesBy(DIAGONAL, 7),
  linesBy(LEAPS, 1),
];

const maps = Array.from({ length: 8 }, (_, symmetry) =>
  Uint8Array.from({ length: 64 }, (_, square) => {
    const file = (square & 7) ^ (symmetry & 1 ? 7 : 0);
    const rank = (square >> 3) ^ (symmetry & 2 ? 7 : 0);
    return symmetry & 4 ? 8 * file + rank : 8 * rank + file;
  }),
);
/** The squares of the triangle a1, d1, d4. */
const triangle = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];
const placeInTriangle = Int8Array.from({ length: 64 }, (_, square) => triangle.indexOf(square));
const mapOf = Uint8Array.from({ length: 64 }, (_, square) =>
  maps.findIndex((map) => placeInTriangle[map[square]] >= 0),
);
/** Along the long diagonal. */
const TRANSPOSED = maps[4];

export class Selfmates {
  private readonly kinds: readonly number[];
  /** Men of White come first. */
  private readonly whites: number;
  private readonly alike: readonly boolean[];
  /** The ending without each man; null: Black has nothing left to mate with. */
  private readonly without: readonly (Selfmates | null)[];
  /** Plies by cell, with White and with Black to move. */
  private readonly plies: readonly [Uint16Array, Uint16Array];
  /** The men on each square: 0, or 1 + the number of the man. */
  private readonly board = new Uint8Array(64);
  private readonly at: Int32Array;
  private readonly others: Int32Array;

  /** @param name as "KQQvKQ"; its men in the order K, Q, R, B, N. */
  constructor(name: string, known = new Map<string, Selfmates>()) {
    known.set(name, this);
    const [white, black] = name.split('v');
    this.kinds = [...white, ...black].map((letter) => LETTERS.indexOf(letter));
    this.whites = white.length;
    this.alike = this.kinds.map((kind, i) => i > 0 && i !== this.whites && kind === this.kinds[i - 1]);
    this.without = this.kinds.map((kind, i) => {
      if (kind === 0) return null;
      const left = i < this.whites ? white.slice(0, i) + white.slice(i + 1) : white;
      const right =
        i < this.whites ? black : black.slice(0, i - this.whites) + black.slice(i - this.whites + 1);
      if (right === 'K') return null;
      const smaller = `${left}v${right}`;
      return known.get(smaller) ?? new Selfmates(smaller, known);
    });
    const cells = triangle.length * 64 ** (this.kinds.length - 1);
    this.plies = [new Uint16Array(cells).fill(UNSOLVED), new Uint16Array(cells).fill(UNSOLVED)];
    this.at = new Int32Array(this.kinds.length);
    this.others = new Int32Array(this.kinds.length - 1);
    this.solve();
  }

  /** @param at the squares of the men in the order of the name. @returns null: no solution. */
  value(at: ArrayLike<number>, side: 0 | 1): { readonly plies: number; readonly number: number } | null {
    const plies = this.plies[side][this.cellOf(at)];
    if (plies === UNSOLVED) return null;
    if (side === 1 || plies === 0) return { plies, number: 0 };
    this.place(this.cellOf(at));
    let best = 0;
    this.eachMove(0, (after) => {
      if (after === plies - 1) best++;
      return true;
    });
    this.clear();
    return { plies, number: Math.min(255, best) };
  }

  /** How many positions are solved with each number of plies, mirror images once. */
  counts(): Map<number, number> {
    const found = new Map<number, number>();
    for (const plies of this.plies)
      for (let cell = 0; cell < plies.length; cell++)
        if (plies[cell] !== UNSOLVED) found.set(plies[cell], (found.get(plies[cell]) ?? 0) + 1);
    return found;
  }

  private cellOf(at: ArrayLike<number>): number {
    const map = maps[mapOf[at[0]]];
    const cell = this.cellBy(map, at, null);
    const king = map[at[0]];
    return TRANSPOSED[king] === king ? Math.min(cell, this.cellBy(map, at, TRANSPOSED)) : cell;
  }

  private readonly digits = new Int32Array(8);
  private cellBy(map: Uint8Array, at: ArrayLike<number>, then: Uint8Array | null): number {
    const { digits, alike } = this;
    const men = this.kinds.length;
    for (let i = 0; i < men; i++) {
      const square = then === null ? map[at[i]] : then[map[at[i]]];
      let j = i;
      while (alike[j] && digits[j - 1] > square) digits[j] = digits[--j];
      digits[j] = square;
    }
    let cell = placeInTriangle[digits[0]];
    for (let i = 1; i < men; i++) cell = cell * 64 + digits[i];
    return cell;
  }

  /** Puts the men of a cell on the board. */
  private place(cell: number): void {
    for (let i = this.kinds.length - 1; i > 0; i--) {
      this.at[i] = cell % 64;
      cell = (cell - this.at[i]) / 64;
    }
    this.at[0] = triangle[cell];
    for (let i = 0; i < this.at.length; i++) this.board[this.at[i]] = i + 1;
  }

  private clear(): void {
    for (let i = 0; i < this.at.length; i++) this.board[this.at[i]] = 0;
  }

  private sideOf(man: number): 0 | 1 {
    return man < this.whites ? 0 : 1;
  }

  private isInCheck(side: 0 | 1, captured = -1): boolean {
    const king = this.at[side === 0 ? 0 : this.whites];
    const [from, to] = side === 0 ? [this.whites, this.kinds.length] : [0, this.whites];
    for (let man = from; man < to; man++) {
      if (man === captured) continue;
      for (const squares of lines[this.kinds[man]][this.at[man]])
        for (let i = 0; i < squares.length; i++) {
          if (squares[i] === king) return true;
          if (this.board[squares[i]] !== 0) break;
        }
    }
    return false;
  }

  /** Shows the plies after each legal move; ends when `see` returns false. @returns whether there was a move. */
  private eachMove(side: 0 | 1, see: (plies: number) => boolean): boolean {
    const { at, board, kinds } = this;
    const [from, to] = side === 0 ? [0, this.whites] : [this.whites, kinds.length];
    let any = false;
    for (let man = from; man < to; man++) {
      const before = at[man];
      for (const squares of lines[kinds[man]][before]) {
        for (let i = 0; i < squares.length; i++) {
          const square = squares[i];
          const captured = board[square] - 1;
          if (captured >= 0 && this.sideOf(captured) === side) break;
          board[before] = 0;
          board[square] = man + 1;
          at[man] = square;
          const isLegal = !this.isInCheck(side, captured);
          const after = isLegal ? this.after(side, captured) : UNSOLVED;
          at[man] = before;
          board[square] = captured + 1;
          board[before] = man + 1;
          if (isLegal) {
            any = true;
            if (!see(after)) return true;
          }
          if (captured >= 0) break;
        }
      }
    }
    return any;
  }

  private after(side: 0 | 1, captured: number): number {
    const next = side === 0 ? 1 : 0;
    if (captured < 0) return this.plies[next][this.cellOf(this.at)];
    const smaller = this.without[captured];
    if (smaller === null) return UNSOLVED;
    for (let i = 0, n = 0; i < this.at.length; i++) if (i !== captured) this.others[n++] = this.at[i];
    return smaller.plies[next][smaller.cellOf(this.others)];
  }

  /** Shows each position from which a man of `side`, taken back to a square that is free, came; captures as {@link retakes}. */
  private eachBefore(side: 0 | 1, see: () => void): void {
    const { at, board, kinds } = this;
    const [from, to] = side === 0 ? [0, this.whites] : [this.whites, kinds.length];
    for (let man = from; man < to; man++) {
      const now = at[man];
      for (const squares of lines[kinds[man]][now])
        for (let i = 0; i < squares.length && board[squares[i]] === 0; i++) {
          board[now] = 0;
          board[squares[i]] = man + 1;
          at[man] = squares[i];
          // The side that is not to move is not in check.
          if (!this.isInCheck(side === 0 ? 1 : 0)) see();
          at[man] = now;
          board[squares[i]] = 0;
          board[now] = man + 1;
        }
    }
  }

  /** Shows each position in which `side` captures man `taken`, and so reaches a cell of the ending without it. */
  private retakes(side: 0 | 1, taken: number, cell: number, see: () => void): void {
    const smaller = this.without[taken]!;
    smaller.place(cell);
    const held = [...smaller.at];
    smaller.clear();
    for (let i = 0, n = 0; i < this.at.length; i++) if (i !== taken) this.at[i] = held[n++];
    for (let i = 0; i < this.at.length; i++) if (i !== taken) this.board[this.at[i]] = i + 1;
    const [from, to] = side === 0 ? [0, this.whites] : [this.whites, this.kinds.length];
    for (let man = from; man < to; man++) {
      const now = this.at[man];
      for (const squares of lines[this.kinds[man]][now])
        for (let i = 0; i < squares.length && this.board[squares[i]] === 0; i++) {
          this.board[squares[i]] = man + 1;
          this.at[man] = squares[i];
          this.board[now] = taken + 1;
          this.at[taken] = now;
          if (!this.isInCheck(side === 0 ? 1 : 0)) see();
          this.at[man] = now;
          this.board[squares[i]] = 0;
          this.board[now] = man + 1;
        }
    }
    for (let i = 0; i < this.at.length; i++) if (i !== taken) this.board[this.at[i]] = 0;
  }

  private solve(): void {
    let solved = this.mates();
    let longest = 0;
    for (const smaller of this.without)
      if (smaller !== null) for (const plies of smaller.counts().keys()) longest = Math.max(longest, plies);
    for (let ply = 1; solved.length > 0 || ply <= longest + 1; ply++) {
      const side = ply % 2 === 0 ? 0 : 1;
      const found: number[] = [];
      const settle = () => {
        const cell = this.cellOf(this.at);
        if (this.plies[side][cell] !== UNSOLVED) return;
        if (side === 1) {
          let isForced = true;
          const isOpen = this.eachMove(1, (after) => (isForced = after < ply));
          if (!isForced || !isOpen) return;
        }
        this.plies[side][cell] = ply;
        found.push(cell);
      };
      for (const cell of solved) {
        this.place(cell);
        this.eachBefore(side, settle);
        this.clear();
      }
      for (const [taken, smaller] of this.without.entries()) {
        if (smaller === null || this.sideOf(taken) === side || this.alike[taken]) continue;
        const next = smaller.plies[side === 0 ? 1 : 0];
        for (let cell = next.indexOf(ply - 1); cell >= 0; cell = next.indexOf(ply - 1, cell + 1))
          this.retakes(side, taken, cell, settle);
      }
      solved = found;
    }
  }

  /** Solves the positions in which White is mated. */
  private mates(): number[] {
    const found: number[] = [];
    const { at, board, kinds } = this;
    const put = (man: number) => {
      if (man < kinds.length) {
        for (let square = this.alike[man] ? at[man - 1] + 1 : 0; square < 64; square++) {
          if (board[square] !== 0 || (man === 0 && placeInTriangle[square] < 0)) continue;
          at[man] = square;
          board[square] = man + 1;
          put(man + 1);
          board[square] = 0;
        }
        return;
      }
      if (!this.isInCheck(0) || this.isInCheck(1)) return;
      if (this.eachMove(0, () => false)) return;
      const cell = this.cellOf(at);
      if (this.plies[0][cell] === 0) return;
      this.plies[0][cell] = 0;
      found.push(cell);
    };
    put(0);
    return found;
  }
}
