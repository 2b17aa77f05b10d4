/**
 * Published figures: longest mates in moves of endings with pawns by either side having the move, and a position of
 * each. 0 where that side never wins. Statistics of Nalimov's tables as Scid has them (github.com/benini/scid,
 * tcl/tb.tcl).
 */
export interface PawnMates {
  readonly ending: string;
  /** Moves and board, white to move and winning. */
  readonly white: readonly [number, string];
  /** The same for black. */
  readonly black: readonly [number, string];
}

export const PAWN_MATES: readonly PawnMates[] = [
  { ending: 'KPK', white: [28, '8/8/8/1k6/8/8/K5P1/8'], black: [0, ''] },
  { ending: 'KQPK', white: [10, '8/8/8/2k5/8/8/4P1Q1/7K'], black: [0, ''] },
  { ending: 'KRPK', white: [16, 'K7/8/3R4/4kP2/8/8/8/8'], black: [0, ''] },
  { ending: 'KBPK', white: [31, '8/3P4/KBk5/8/8/8/8/8'], black: [0, ''] },
  { ending: 'KNPK', white: [27, '1N6/8/8/8/8/2k3P1/8/2K5'], black: [0, ''] },
  { ending: 'KPPK', white: [32, '8/8/8/8/2k5/6P1/K5P1/8'], black: [0, ''] },
  { ending: 'KQKP', white: [28, '3KQ3/8/8/8/8/8/3kp3/8'], black: [29, '8/1p4k1/7Q/8/7K/8/8/8'] },
  { ending: 'KRKP', white: [26, '2K5/8/7p/6k1/8/8/R7/8'], black: [43, '8/8/8/8/5R2/2pk4/5K2/8'] },
  { ending: 'KBKP', white: [1, '7k/7p/5K2/8/8/8/1B6/8'], black: [29, '8/1p4k1/7B/8/8/7K/8/8'] },
  { ending: 'KNKP', white: [7, '8/8/8/8/pN6/8/2K5/k7'], black: [29, '8/1p6/6kN/8/8/7K/8/8'] },
  { ending: 'KPKP', white: [33, '2K5/k7/7p/8/8/8/6P1/8'], black: [33, '8/2p1K3/8/8/8/4P3/8/3k4'] },
];
