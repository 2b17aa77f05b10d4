/** `probe` refuses a wrong position in one line that names the field or the reason, with exit code 2. */
import { expect, test } from 'vitest';
import { program } from '../../support/command.js';

const REASONS: readonly (readonly [fen: string, reason: string])[] = [
  // The form.
  ['8/8/8/8/8/8/2k5/K6Q w - - 0 1 1', '7 fields, expected at most 6'],
  ['8/8/8/8/8/2k5/K6Q w - - 0 1', 'a placement must have 8 ranks, not 7'],
  ['8/8/8/8/8/8/2k6/K6Q w - - 0 1', 'placement: rank 2 must have 8 squares, not 9'],
  ['8/8/8/8/8/8/2k4/K6Q w - - 0 1', 'placement: rank 2 must have 8 squares, not 7'],
  ['8/8/8/8/8/8/2x5/K6Q w - - 0 1', 'placement: "x" in rank 2 is not a man'],
  ['8/8/8/8/8/8/2k5/K6Q white - - 0 1', 'side to move is "white", expected "w" or "b"'],
  ['8/8/8/8/8/8/2k5/K6Q w - - x 1', 'half-move clock is "x", expected a number'],
  ['8/8/8/8/8/8/2k5/K6Q w - - 0 -1', 'move number is "-1", expected a number'],
  // Castling.
  ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', 'castling rights K are not supported: no table has castling'],
  ['r3k3/8/8/8/8/8/8/4K3 b q - 0 1', 'castling rights q are not supported: no table has castling'],
  ['r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', 'castling rights KQkq are not supported: no table has castling'],
  ['4k3/8/8/8/8/8/8/4K2R w H - 0 1', 'castling is "H", expected "-" or letters of KQkq'],
  // Illegal positions.
  ['8/8/8/8/8/8/2k5/7Q w - - 0 1', 'illegal position: the white king is missing'],
  ['8/8/8/8/8/8/8/K6Q w - - 0 1', 'illegal position: the black king is missing'],
  ['8/8/8/8/8/8/2k5/K1K4Q w - - 0 1', 'illegal position: 2 white kings'],
  ['k1k4k/8/8/8/8/8/8/K6Q w - - 0 1', 'illegal position: 3 black kings'],
  ['3P4/8/8/8/8/8/2k5/K7 w - - 0 1', 'illegal position: a pawn stands on d8'],
  ['8/8/8/8/8/8/2k5/K6p w - - 0 1', 'illegal position: a pawn stands on h1'],
  ['8/8/8/8/8/8/1k6/K6Q w - - 0 1', 'illegal position: the kings are adjacent'],
  ['8/8/8/8/8/8/2k4Q/K7 w - - 0 1', 'illegal position: the side not to move (black) is in check'],
  ['8/8/8/8/8/8/2k5/K6r b - - 0 1', 'illegal position: the side not to move (white) is in check'],
  // Legal, but too large.
  ['8/8/8/8/8/PPPPPP2/8/K6k w - - 0 1', 'no table has 8 men, at most 7 are supported'],
  // En passant.
  ['8/8/8/3pP3/8/8/k7/7K w - d9 0 1', 'en passant is "d9", expected "-" or a square of rank 3 or 6'],
  ['8/8/8/3pP3/8/8/k7/7K w - x 0 1', 'en passant is "x", expected "-" or a square of rank 3 or 6'],
];

/** Each answer of `probe --file` is that of a single probe. */
test('each bad position of a file is refused in a line with its reason', async () => {
  const fens = REASONS.map(([fen]) => fen);
  const { code, stdout, stderr } = await program('.').run(
    ['probe', 'chess', '--file', '-'],
    `${fens.join('\n')}\n`,
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^mergemate: [^\\n]*${fens.length} lines could not be answered\\n$`));
  const answers = stdout.trim().split('\n');
  expect(answers.length).toBe(fens.length);
  for (const [i, [fen, reason]] of REASONS.entries()) {
    const answer = JSON.parse(answers[i]) as { position: string; error: string };
    expect(answer.position).toBe(fen);
    expect(answer.error).toContain(`FEN ${JSON.stringify(fen)}: `);
    expect(answer.error).toContain(reason);
  }
});

/** One of each kind on the command line itself: a process costs half a second. */
test.concurrent.each(
  ['4k3/8/8/8/8/8/8/4K2R w K', '8/8/8/8/8/8/1k6', '8/8/8/3pP3', '3P4'].map(
    (beginning) => REASONS.find(([fen]) => fen.startsWith(beginning))!,
  ),
)('probe %j: %s', async (fen, reason) => {
  const { code, stdout, stderr } = await program('.').run(['probe', 'chess', fen]);
  expect(stderr).toMatch(/^mergemate: FEN [^\n]+\n$/);
  expect(stderr).toContain(reason);
  expect([code, stdout]).toEqual([2, '']);
});
