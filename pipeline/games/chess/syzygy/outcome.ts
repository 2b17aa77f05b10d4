/** Outcomes under the 50-move rule, as the format numbers them. */

/** From the mover's side. */
export const Outcome = { loss: 0, blessedLoss: 1, draw: 2, cursedWin: 3, win: 4 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** Plies that the 50-move rule allows. */
export const RULE = 100;

/** The outcome of a code of pipeline/value.ts under `dtz`. */
export function outcomeOf(code: number): Outcome {
  if (code > 0) return code > RULE ? Outcome.cursedWin : Outcome.win;
  if (code === 0) return Outcome.draw;
  return -code - 1 > RULE ? Outcome.blessedLoss : Outcome.loss;
}

/** For the mover, what a move is worth to a position of this code. */
export function outcomeBefore(code: number): Outcome {
  return (Outcome.win - outcomeOf(code)) as Outcome;
}
