/** A chess board as text, white at the bottom, from the first field of a FEN. */
export function drawBoard(fen: string): string {
  const placement = fen.split(' ')[0];
  const ranks = placement.split('/').map((rank, i) => {
    const squares = [...rank].flatMap((letter) =>
      /\d/.test(letter) ? '.'.repeat(Number(letter)).split('') : letter,
    );
    return `${8 - i}  ${squares.join(' ')}`;
  });
  return `${ranks.join('\n')}\n\n   a b c d e f g h\n`;
}
