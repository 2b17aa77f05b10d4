import { expect, test } from 'vitest';
import { TEXTBOOK } from '../../../../jobs/server/catalogue/examples.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';

test('positions of textbooks are legal, and of the endings that they stand for', () => {
  for (const [ending, position] of Object.entries(TEXTBOOK.chess)) {
    const { slice } = chess.locate(chess.parse(position));
    expect(chess.ending(ending).slices).toContain(slice);
  }
});
