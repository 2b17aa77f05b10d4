/** The wrong values that a verification finds: all are counted, and the first are kept to be reported. */

export interface WrongValues<Mismatch> {
  wrong: number;
  /** The first of them. */
  readonly mismatches: Mismatch[];
}

/** The most that are kept. */
export const MAX_MISMATCHES = 10;

/** Counts a wrong value. @param describe makes what is kept of it. */
export function addMismatch<Mismatch>(found: WrongValues<Mismatch>, describe: () => Mismatch): void {
  found.wrong++;
  if (found.mismatches.length < MAX_MISMATCHES) found.mismatches.push(describe());
}
