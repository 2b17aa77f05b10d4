/**
 * Codes: the values of positions in pages while their slice is being solved.
 *
 * Two bits for WDL, as Lake, Schaeffer & Lu 1994 have it: unknown, win, loss, and "draw or better", the lower bound that
 * conversions give. Broken indices are held as wins there, so that no pass touches them; a census tells them apart.
 *
 * With distances a code is a byte, or two where 84 plies are not enough. It carries its ply, so that a round knows
 * which values were there before it began. The lower bound says more, too. Conversions may win in so many plies (held
 * as that win, and known when its ply has come), draw, or lose in so many. The last is a *pending loss*: the position
 * may yet turn out better, and if it is lost it lasts that long at least.
 */
export type CodeBits = 2 | 8 | 16;

export const UNKNOWN = 0;
/** Draw or better while a slice is being solved, drawn at the end. */
export const DRAWN = 1;
const BROKEN = 2;
const FIRST_WIN = 3;

/** Plies that fit a byte, all its codes being used. */
const NARROW_PLIES = 84;
/** Plies that two bytes are used for: tables by code that every round sets should stay small. */
const WIDE_PLIES = 4095;

const WIN_2 = 2;
const LOSS_2 = 3;

/** Kinds of codes by the position's own value; `pending` and `none` say nothing of it yet. */
export const CodeKind = { none: 0, drawn: 1, win: 2, loss: 3, pending: 4, broken: 5 } as const;

export interface Codec {
  readonly bits: CodeBits;
  /** Codes there are, from 0 on. */
  readonly codes: number;
  /** The greatest ply a code can carry; under `wdl` plies are not carried. */
  readonly maxPly: number;
  readonly broken: number;
  win(ply: number): number;
  loss(ply: number): number;
  pendingLoss(ply: number): number;
  /** By code. Two-bit codes have kind win where they may be broken. */
  readonly kindOf: Uint8Array;
  readonly plyOf: Uint16Array;
  /** By code: more is better for the mover; unknown is least. */
  readonly rankOf: Int32Array;
}

/** The codes of the given width. */
export function codecOf(bits: CodeBits): Codec {
  return bits === 2 ? twoBits() : withPlies(bits);
}

function twoBits(): Codec {
  return {
    bits: 2,
    codes: 4,
    maxPly: Number.POSITIVE_INFINITY,
    broken: WIN_2,
    win: () => WIN_2,
    loss: () => LOSS_2,
    pendingLoss: () => UNKNOWN,
    kindOf: Uint8Array.of(CodeKind.none, CodeKind.drawn, CodeKind.win, CodeKind.loss),
    plyOf: new Uint16Array(4),
    rankOf: Int32Array.of(0, 2, 3, 1),
  };
}

function withPlies(bits: 8 | 16): Codec {
  // Wins 1..n, losses 0..n, pending losses 1..n, and the three other codes.
  const maxPly = bits === 8 ? NARROW_PLIES : WIDE_PLIES;
  const codes = 3 * maxPly + 4;
  const firstLoss = FIRST_WIN + maxPly;
  const firstPending = firstLoss + maxPly + 1;
  const kindOf = new Uint8Array(codes);
  const plyOf = new Uint16Array(codes);
  const rankOf = new Int32Array(codes);
  kindOf[DRAWN] = CodeKind.drawn;
  kindOf[BROKEN] = CodeKind.broken;
  rankOf[DRAWN] = 3 * codes;
  for (let ply = 1; ply <= maxPly; ply++) {
    kindOf[FIRST_WIN + ply - 1] = CodeKind.win;
    plyOf[FIRST_WIN + ply - 1] = ply;
    rankOf[FIRST_WIN + ply - 1] = 5 * codes - ply;
    kindOf[firstPending + ply - 1] = CodeKind.pending;
    plyOf[firstPending + ply - 1] = ply;
    rankOf[firstPending + ply - 1] = codes + ply;
  }
  for (let ply = 0; ply <= maxPly; ply++) {
    kindOf[firstLoss + ply] = CodeKind.loss;
    plyOf[firstLoss + ply] = ply;
    rankOf[firstLoss + ply] = codes + ply;
  }
  return {
    bits,
    codes,
    maxPly,
    broken: BROKEN,
    win: (ply) => FIRST_WIN + ply - 1,
    loss: (ply) => firstLoss + ply,
    pendingLoss: (ply) => firstPending + ply - 1,
    kindOf,
    plyOf,
    rankOf,
  };
}

/** The width that holds plies up to `longest` under the metric's needs: 8 or 16 bits. */
export function bitsFor(longest: number): 8 | 16 {
  return longest <= NARROW_PLIES ? 8 : 16;
}
