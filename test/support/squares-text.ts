/** The men on the squares of a board as a short text, equal for equal boards alone: for keys of maps with millions of boards. */
export const squaresText = (squares: Int8Array): string =>
  Buffer.from(squares.buffer, squares.byteOffset, squares.length).toString('latin1');
