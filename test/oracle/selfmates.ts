/**
 * A second solver of selfmates, for endings of up to five men, which are too large for the naive one (problems.ts). It has the rules of that
 * one, and an index and a method of its own. It shares nothing with the product. White is the first side of the name, moves, and forces Black
 * to mate it.
 *
 * Only positions that are solved are kept, of the ending and of all endings that captures and promotions lead to, in one hash table. They are
 * solved ply by ply: first those in which White is mated, then those from which a white move leads to a solved one, or every black move does.
 * Only positions from which a move, taken back, leads to one that the last ply solved are looked at. Taking back may find too many: each is
 * solved by its forward moves. White's best first moves are counted when a position is looked up.
 *
 * Pawns may be limited to the last ranks before promotion, which no move leaves: a part of an ending that takes less time than the whole.
 *
 * Costs 20 to 40 bytes a solved position, and 10 seconds for KRBvKP with the pawn on rank 2 or 3.
 */
import {
  eachMove,
  eachRight,
  forward,
  isAttacked,
  isInCheck,
  KING,
  maps,
  nameOf,
  PAWN,
  type ProblemBoard,
  pawnAttacks,
  raysOfMan,
} from './problems.js';

const MEN = 'KQRBNP';
const UNSOLVED = -1;

/** How a move that took a man or promoted a pawn is taken back: the men that stood there before, with their sign; 0: none. */
interface Change {
  readonly taken: number;
  /** What the pawn became. */
  readonly became: number;
}
const QUIET: Change = { taken: 0, became: 0 };

/** The squares of White's king that stand for all, by symmetry: a1, d1, d4 without pawns, else the files a to d. */
const corner = (hasPawns: boolean) => (square: number) => {
  const [file, rank] = [square & 7, square >> 3];
  return file < 4 && (hasPawns || (rank < 4 && rank <= file));
};

/** For each square of White's king, the symmetries that take it to such a square. */
const mapsOf = [false, true].map((hasPawns) =>
  Array.from({ length: 64 }, (_, square) =>
    maps.slice(0, hasPawns ? 2 : 8).filter((map) => corner(hasPawns)(map[square])),
  ),
);

/** Plies by key, a positive whole number. */
class PlyTable {
  private keys = new Float64Array(1 << 16);
  private plies = new Int16Array(1 << 16);
  private size = 0;

  get(key: number): number {
    const place = this.placeOf(key);
    return this.keys[place] === 0 ? UNSOLVED : this.plies[place];
  }

  add(key: number, plies: number): void {
    if (2 * ++this.size > this.keys.length) this.grow();
    const place = this.placeOf(key);
    this.keys[place] = key;
    this.plies[place] = plies;
  }

  private placeOf(key: number): number {
    const mask = this.keys.length - 1;
    let hash = Math.imul((key >>> 0) ^ Math.imul(Math.floor(key / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    let place = hash & mask;
    while (this.keys[place] !== 0 && this.keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const { keys, plies } = this;
    this.keys = new Float64Array(2 * keys.length);
    this.plies = new Int16Array(2 * keys.length);
    for (const [i, key] of keys.entries()) {
      if (key === 0) continue;
      const place = this.placeOf(key);
      this.keys[place] = key;
      this.plies[place] = plies[i];
    }
  }
}

export class Selfmates {
  private readonly solved = new PlyTable();
  /** Of each ending that can be reached: the moves that lead to it from another one. */
  private readonly changes = new Map<string, Change[]>();
  private readonly counted = new Map<number, number>();

  /**
   * @param name as "KQQvKQ"; its men in the order K, Q, R, B, N, P.
   * @param steps that a pawn is from promotion, at most: with 1, white pawns stand on rank 7 and black ones on rank 2.
   */
  constructor(
    private readonly name: string,
    private readonly steps = 6,
  ) {
    this.findEndings();
    this.solve();
  }

  /** @returns null: no solution. */
  value(board: ProblemBoard): { readonly plies: number; readonly number: number } | null {
    const plies = this.solved.get(keyOf(board));
    if (plies === UNSOLVED) return null;
    if (board.side === 1 || plies === 0) return { plies, number: 0 };
    let best = 0;
    eachMove(board, (after) => {
      if (this.solved.get(keyOf(after)) === plies - 1) best++;
    });
    return { plies, number: Math.min(255, best) };
  }

  /** How many positions of the ending are solved with each number of plies, mirror images once, without those with a right to capture en passant. */
  counts(): ReadonlyMap<number, number> {
    return this.counted;
  }

  private findEndings(): void {
    this.changes.set(this.name, []);
    for (const name of this.changes.keys()) {
      const halves = name.split('v');
      for (const [side, own] of [1, -1].entries()) {
        const took = new Set(halves[1 - side].slice(1));
        for (const taken of ['', ...took])
          for (const became of ['', ...(halves[side].includes('P') ? 'QRBN' : '')]) {
            if (taken === '' && became === '') continue;
            const mine = inOrder(became === '' ? halves[side] : halves[side].replace('P', became));
            const theirs = halves[1 - side].replace(taken, '');
            const after = side === 0 ? `${mine}v${theirs}` : `${theirs}v${mine}`;
            const change = { taken: -own * manOf(taken), became: own * manOf(became) };
            const known = this.changes.get(after) ?? [];
            if (!known.some((each) => each.taken === change.taken && each.became === change.became))
              known.push(change);
            this.changes.set(after, known);
          }
      }
    }
  }

  private solve(): void {
    let last: number[] = [];
    for (const name of this.changes.keys()) if (!name.endsWith('vK')) this.findMates(name, last);
    for (let ply = 1; last.length > 0; ply++) {
      const side = ply % 2 === 0 ? 0 : 1;
      const found: number[] = [];
      for (const key of last)
        this.eachBefore(boardOf(key), (before) => {
          if (isInCheck(before.squares, side === 0 ? 1 : 0)) return;
          const own = keyOf(before);
          if (this.solved.get(own) === UNSOLVED && this.leadsOn(before, ply))
            this.settle(before, own, ply, found);
        });
      last = found;
    }
  }

  /** Whether a white move, or every black one, leads to a position that is solved in so many plies less one, or fewer. */
  private leadsOn(board: ProblemBoard, ply: number): boolean {
    let leads = false;
    eachMove(board, (after) => {
      const plies = this.solved.get(keyOf(after));
      leads = plies !== UNSOLVED && plies < ply;
      return leads === (board.side === 1);
    });
    return leads;
  }

  private settle(board: ProblemBoard, key: number, ply: number, found: number[]): void {
    this.solved.add(key, ply);
    found.push(key);
    if (board.passant < 0 && nameOf(board.squares) === this.name)
      this.counted.set(ply, (this.counted.get(ply) ?? 0) + 1);
  }

  /**
   * Solves the positions of an ending in which White is mated. White's king is placed first, then the black men, then the other white men. One of
   * these can end a check and can stand on one flight of the king, and never takes away another. So no placement that has no check, or more
   * flights than men left, leads to a mate.
   */
  private findMates(name: string, found: number[]): void {
    const [white, black] = name.split('v').map((half) => [...half].map(manOf));
    const men = [KING, ...black.map((man) => -man), ...white.slice(1)];
    const squares = new Int8Array(64);
    const isCorner = corner(name.includes('P'));
    const put = (i: number, before: number) => {
      if (i > black.length && (!isInCheck(squares, 0) || flightsOf(squares) > men.length - i)) return;
      if (i < men.length) {
        for (let at = men[i] === men[i - 1] ? before + 1 : 0; at < 64; at++) {
          if (squares[at] !== 0 || (i === 0 && !isCorner(at)) || !this.mayStand(men[i], at)) continue;
          squares[at] = men[i];
          put(i + 1, at);
          squares[at] = 0;
        }
        return;
      }
      if (isInCheck(squares, 1)) return;
      eachRight({ squares, side: 0, passant: -1 }, (board) => {
        let isMated = true;
        eachMove(board, () => {
          isMated = false;
          return false;
        });
        const key = keyOf(board);
        if (isMated && this.solved.get(key) === UNSOLVED) this.settle(board, key, 0, found);
      });
    };
    put(0, -1);
  }

  /** Whether a man may stand on a square: pawns are limited to the last ranks. */
  private mayStand(man: number, square: number): boolean {
    if (Math.abs(man) !== PAWN) return true;
    const left = man > 0 ? 7 - (square >> 3) : square >> 3;
    return left > 0 && left < 7 && left <= this.steps;
  }

  /** Shows each position from which a move may have led to this one, with each right to capture en passant that it may have; on the same squares. */
  private eachBefore({ squares, side, passant }: ProblemBoard, see: (before: ProblemBoard) => void): void {
    const mover = side === 0 ? 1 : 0;
    const own = mover === 0 ? 1 : -1;
    const up = forward(mover);
    const show = (right = -1) => {
      const before = { squares, side: mover, passant: right } as const;
      if (right < 0) eachRight(before, see);
      else see(before);
    };
    const takeBack = (from: number, to: number, was: number, taken: number, right?: number) => {
      const takenAt = right === undefined ? to : to - up;
      if (!this.mayStand(was, from) || !this.mayStand(taken, takenAt)) return;
      const is = squares[to];
      squares[to] = 0;
      squares[from] = was;
      squares[takenAt] = taken;
      show(right);
      squares[takenAt] = 0;
      squares[from] = 0;
      squares[to] = is;
    };
    // Only a double step gives a right to capture en passant.
    if (passant >= 0) {
      takeBack(passant - up, passant + up, own * PAWN, 0);
      return;
    }
    for (const { taken, became } of [QUIET, ...this.changes.get(nameOf(squares))!]) {
      if (taken * own > 0 || became * own < 0) continue;
      for (let to = 0; to < 64; to++) {
        if (squares[to] * own <= 0) continue;
        if (became !== 0 && (squares[to] !== became || to >> 3 !== (mover === 0 ? 7 : 0))) continue;
        const was = became === 0 ? squares[to] : own * PAWN;
        for (const from of originsOf(squares, was, to, taken !== 0)) takeBack(from, to, was, taken);
        const mayPass = was === own * PAWN && taken === -was && to >> 3 === (mover === 0 ? 5 : 2);
        if (mayPass && squares[to - up] === 0 && squares[to + up] === 0)
          for (const from of originsOf(squares, was, to, true)) takeBack(from, to, was, taken, to);
      }
    }
  }
}

/** How many squares White's king may go to. */
function flightsOf(squares: Int8Array): number {
  const king = squares.indexOf(KING);
  let flights = 0;
  squares[king] = 0;
  for (const line of raysOfMan[KING][king])
    for (const to of line) if (squares[to] <= 0 && !isAttacked(squares, to, 1)) flights++;
  squares[king] = KING;
  return flights;
}

/** The empty squares from which a man may have come to a square. */
function originsOf(squares: Int8Array, man: number, to: number, isCapture: boolean): number[] {
  const found: number[] = [];
  if (Math.abs(man) !== PAWN) {
    for (const line of raysOfMan[Math.abs(man)][to])
      for (let i = 0; i < line.length && squares[line[i]] === 0; i++) found.push(line[i]);
    return found;
  }
  const side = man > 0 ? 0 : 1;
  const isOpen = (square: number) => square >= 8 && square < 56 && squares[square] === 0;
  if (isCapture) return pawnAttacks[side === 0 ? 1 : 0][to].filter(isOpen);
  const one = to - forward(side);
  if (!isOpen(one)) return found;
  found.push(one);
  const two = one - forward(side);
  if (two >> 3 === (side === 0 ? 1 : 6) && isOpen(two)) found.push(two);
  return found;
}

const digits = new Int32Array(8);
/** The same for mirror images: the men and their squares as digits, in the order of the squares; at last the right and the side to move. */
function keyOf({ squares, side, passant }: ProblemBoard): number {
  let men = 0;
  let king = 0;
  let hasPawns = false;
  for (let square = 0; square < 64; square++) {
    const man = squares[square];
    if (man === 0) continue;
    if (man === 1) king = square;
    if (man === PAWN || man === -PAWN) hasPawns = true;
    places[men++] = square;
  }
  let least = Number.POSITIVE_INFINITY;
  for (const map of mapsOf[hasPawns ? 1 : 0][king]) {
    for (let i = 0; i < men; i++) {
      const digit = 12 * map[places[i]] + squares[places[i]] + (squares[places[i]] < 0 ? 7 : 6);
      let j = i;
      while (j > 0 && digits[j - 1] > digit) digits[j] = digits[--j];
      digits[j] = digit;
    }
    let key = 0;
    for (let i = 0; i < men; i++) key = key * BASE + digits[i];
    key = 18 * key + 2 * (passant < 0 ? 0 : 1 + (map[passant] & 7)) + side;
    least = Math.min(least, key);
  }
  return least;
}
const places = new Int32Array(8);
const BASE = 64 * 12 + 1;

function boardOf(key: number): ProblemBoard {
  const squares = new Int8Array(64);
  const state = key % 18;
  for (let rest = (key - state) / 18; rest > 0; ) {
    const digit = rest % BASE;
    const man = (digit - 1) % 12;
    squares[(digit - 1 - man) / 12] = man < 6 ? man - 6 : man - 5;
    rest = (rest - digit) / BASE;
  }
  const side = state % 2 === 0 ? 0 : 1;
  const file = (state >> 1) - 1;
  return { squares, side, passant: file < 0 ? -1 : file + (side === 0 ? 40 : 16) };
}

const manOf = (letter: string) => (letter === '' ? 0 : 1 + MEN.indexOf(letter));
const inOrder = (men: string) => [...men].sort((a, b) => manOf(a) - manOf(b)).join('');
