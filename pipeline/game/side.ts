/** The players. */
export type Side = 0 | 1;

/** Names of the players. */
export type Colour = 'white' | 'black';
