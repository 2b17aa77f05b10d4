import { type ChessBoard, LETTERS } from './rules.js';

/** The board as text, white at the bottom. */
export function diagram({ squares }: ChessBoard): string {
  let text = '';
  for (let rank = 7; rank >= 0; rank--) {
    const row = Array.from(squares.subarray(8 * rank, 8 * rank + 8), (man) => {
      if (man === 0) return '.';
      return man > 0 ? LETTERS[man] : LETTERS[-man].toLowerCase();
    });
    text += `${rank + 1}  ${row.join(' ')}\n`;
  }
  return `${text}\n   a b c d e f g h\n`;
}
