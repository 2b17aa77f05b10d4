/** The players. */
export type Side = 0 | 1;

/** What players are called. */
export type Colour = 'white' | 'black';
