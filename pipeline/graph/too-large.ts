/** Says that a graph does not fit memory, to a caller that wanted it solved there. */
export class TooLarge extends Error {}
