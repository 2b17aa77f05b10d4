/** The players. */
export type Side = 0 | 1;
/** Both. Not exported by the package. */
export const SIDES = [0, 1] as const satisfies readonly Side[];

/** Names of the players. */
export type Colour = 'white' | 'black';
