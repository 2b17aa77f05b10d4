/** Outcomes under the 50-move rule, as the format numbers them. */

/** From the mover's side. */
export const SyzygyOutcome = { loss: 0, blessedLoss: 1, draw: 2, cursedWin: 3, win: 4 } as const;
export type SyzygyOutcome = (typeof SyzygyOutcome)[keyof typeof SyzygyOutcome];

/** Plies that the 50-move rule allows. */
export const RULE = 100;

/** The outcome of a code of pipeline/game/value.ts under `dtz`. */
export function outcomeOf(code: number): SyzygyOutcome {
  if (code > 0) return code > RULE ? SyzygyOutcome.cursedWin : SyzygyOutcome.win;
  if (code === 0) return SyzygyOutcome.draw;
  return -code - 1 > RULE ? SyzygyOutcome.blessedLoss : SyzygyOutcome.loss;
}

/** For the mover, what a move is worth to a position of this code. */
export function outcomeBefore(code: number): SyzygyOutcome {
  return (SyzygyOutcome.win - outcomeOf(code)) as SyzygyOutcome;
}
