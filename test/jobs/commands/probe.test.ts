/** `probe` and `line`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

const store = newFolder();
const mergemate = program(store);
beforeAll(async () => {
  await putEndings(store, chess, ['KQK', 'KRK'], ['dtm', 'dtc', 'dtz', 'dtm50', 'wdl']);
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

interface Answer {
  position: string;
  outcome: string;
  plies: number | null;
  moves: { uci: string; san: string; outcome: string; plies: number | null }[];
  metrics?: Record<string, Answer>;
}
interface Line {
  position: string;
  metric: string;
  plies: number | null;
  line: { uci: string; san: string; restarts: boolean }[];
  result: string;
  outcome: string;
  ruleDrawsAt: number | null;
}

const probe = (fen: string, ...more: string[]) =>
  mergemate.succeedJson<Answer>(['probe', 'chess', fen, ...more]);
const line = (fen: string, ...more: string[]) =>
  mergemate.succeedJson<Line>(['probe', '--line', 'chess', fen, ...more]);

const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';
const BLACK_ROOK = '8/8/8/3K4/8/8/8/k6r w - - 0 1';

test('a won position lists all moves, best first, with values for the side to move', async () => {
  const answer = await probe(QUEEN);
  expect(answer).toMatchObject({ position: QUEEN, outcome: 'win' });
  expect(Object.keys(answer)).toEqual([
    ...['metric', 'position', 'slice', 'mover', 'over', 'winner'],
    ...['outcome', 'plies', 'precise', 'category', 'moves', 'metrics'],
  ]);
  const { metrics, ...alone } = answer;
  expect(Object.keys(metrics!)).toEqual(['dtm', 'dtc', 'dtz', 'dtm50', 'wdl']);
  expect(metrics!.dtm).toEqual(alone);
  for (const metric of Object.keys(metrics!))
    expect(metrics![metric], metric).toEqual(await probe(QUEEN, '--metric', metric));
  const legal = new Chess(QUEEN).moves({ verbose: true });
  expect(answer.moves.map(({ uci }) => uci).sort()).toEqual(legal.map(({ lan }) => lan).sort());
  expect(answer.moves.map(({ san }) => san).sort()).toEqual(legal.map(({ san }) => san).sort());
  expect(answer.moves[0]).toMatchObject({ outcome: 'win', plies: answer.plies });
  const rank = { win: 0, draw: 1, loss: 2 } as Record<string, number>;
  for (const [i, move] of answer.moves.slice(1).entries()) {
    const before = answer.moves[i];
    const order =
      rank[before.outcome] - rank[move.outcome] ||
      before.plies! - move.plies! ||
      (before.uci < move.uci ? -1 : 1);
    expect(order, `${before.san} before ${move.san}`).toBeLessThan(0);
  }
  // The queen may be lost to the king, which draws.
  expect(answer.moves.at(-1)).toMatchObject({ outcome: 'draw', plies: null });
});

test('the strong side may be Black', async () => {
  const answer = await probe(BLACK_ROOK);
  expect(answer.outcome).toBe('loss');
  expect(answer.plies! % 2).toBe(0);
  const plies = answer.moves.map((move) => move.plies!);
  expect(plies[0]).toBe(answer.plies);
  expect(plies).toEqual([...plies].sort((a, b) => b - a));
  const turned = await probe('8/8/8/3k4/8/8/8/K6R b - - 0 1');
  expect(turned.plies).toBe(answer.plies);
});

test('mate, stalemate and two bare kings are answered without a table', async () => {
  expect(await probe('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1')).toMatchObject({
    outcome: 'loss',
    plies: 0,
    moves: [],
  });
  expect(await probe('k7/8/1Q6/8/8/8/8/K7 b - - 0 1')).toMatchObject({
    outcome: 'draw',
    plies: null,
    moves: [],
  });
  mkdirSync(join(store, 'none'), { recursive: true });
  const kings = await program(`${store}/none`).succeedJson<Answer>([
    'probe',
    'chess',
    '8/8/8/8/8/8/2k5/K7 w',
  ]);
  expect(kings.moves).toEqual([
    {
      move: 'Ka2',
      uci: 'a1a2',
      san: 'Ka2',
      position: '8/8/8/8/8/8/K1k5/8 b - - 1 1',
      conversion: false,
      outcome: 'draw',
      plies: null,
      precise: true,
      category: 'draw',
    },
  ]);
});

test('under dtm50 the clock of the FEN counts', async () => {
  const at = (clock: number) => probe(QUEEN.replace('0 1', `${clock} 90`), '--metric', 'dtm50');
  const { plies, moves } = await at(0);
  expect(moves[0].plies).toBe(plies);
  // A lone king never zeroes the clock in time: the last clock is that with which the 100th ply mates.
  const last = await at(100 - plies!);
  expect(last).toMatchObject({ outcome: 'win', plies });
  const late = await at(101 - plies!);
  expect(late).toMatchObject({ outcome: 'draw', plies: null });
  expect(new Set(late.moves.map(({ outcome }) => outcome))).toEqual(new Set(['draw']));
  expect(await at(100)).toMatchObject({ outcome: 'draw' });
});

test('without a metric the text has all that are solved, side by side', async () => {
  const late = QUEEN.replace('0 1', '95 90');
  const text = await mergemate.succeed(['probe', 'chess', late]);
  const { metrics } = await probe(late);
  expect(text).toContain(`dtm    White to move: cursed win in ${metrics!.dtm.plies} plies`);
  expect(text).toContain('dtm50  White to move: draw');
  expect(text).toMatch(/move +uci +value +dtm +dtc +dtz +dtm50 +wdl/);
  expect(text).toMatch(/cursed win +\d+ +\d+ +\d+ +draw +-/);
});

test('under wdl there are no distances', async () => {
  const answer = await probe(QUEEN, '--metric', 'wdl');
  expect([answer.outcome, answer.plies]).toEqual(['win', null]);
  expect(new Set(answer.moves.map(({ plies }) => plies))).toEqual(new Set([null]));
});

test('a file of positions, in order; bad lines are answered and end with exit code 2', async () => {
  const path = join(store, 'positions.fen');
  const lines = [QUEEN, '', 'nonsense', `  ${BLACK_ROOK}\r`, '8/8/8/8/8/2k5/8/K5NN w - - 0 1', QUEEN];
  writeFileSync(path, lines.join('\n'));
  const { code, stdout, stderr } = await mergemate.run(['probe', 'chess', '--file', path]);
  expect(code).toBe(2);
  expect(stderr).toBe(`mergemate: ${path}: 2 lines could not be answered\n`);
  const answers = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(answers.map(({ position }) => position)).toEqual([QUEEN, 'nonsense', BLACK_ROOK, lines[4], QUEEN]);
  expect(answers[0]).toEqual(await probe(QUEEN));
  expect(Object.keys(answers[0].metrics)).toEqual(['dtm', 'dtc', 'dtz', 'dtm50', 'wdl']);
  expect(answers[1].error).toContain('FEN "nonsense"');
  expect(answers[3].error).toContain('KNNK is not solved for dtm');
  expect(answers[4]).toEqual(answers[0]);
});

test('a file has one metric where one is named, and those that are solved where endings differ', async () => {
  const path = join(store, 'named.fen');
  writeFileSync(path, `${QUEEN}\n8/8/8/8/8/2k5/8/K7 w - - 0 1\n`);
  const answersOf = async (...more: string[]) =>
    (await mergemate.succeed(['probe', 'chess', '--file', path, ...more]))
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Answer);
  expect((await answersOf('--metric', 'dtz'))[0]).toEqual(await probe(QUEEN, '--metric', 'dtz'));
  const [queen, kings] = await answersOf();
  expect(Object.keys(queen.metrics!)).toHaveLength(5);
  expect(kings).toEqual(await probe(kings.position));
});

test('line reads a position as EPD, as probe does', async () => {
  const epd = `${QUEEN.replace(' 0 1', '')} hmvc 54; id "queen";`;
  expect(await line(epd, '--metric', 'dtz')).toEqual(
    await line(QUEEN.replace('0 1', '54 1'), '--metric', 'dtz'),
  );
});

test('many positions are read from standard input', async () => {
  const { code, stdout } = await mergemate.run(
    ['probe', 'chess', '--file', '-'],
    `${QUEEN}\n${BLACK_ROOK}\n`.repeat(100),
  );
  expect(code).toBe(0);
  const answers = stdout.trim().split('\n');
  expect(answers.length).toBe(200);
  expect(new Set(answers).size).toBe(2);
});

test.each([QUEEN, BLACK_ROOK, '8/8/8/8/8/8/7r/k1K5 b - - 0 1'])(
  'the main line of %s ends in mate, in time',
  async (fen) => {
    const found = await line(fen);
    expect(found).toMatchObject({ position: fen, metric: 'dtm' });
    expect(found.line.length).toBe(found.plies);
    const game = new Chess(fen);
    for (const { san } of found.line) game.move(san);
    expect(game.isCheckmate()).toBe(true);
    expect(found.result).toBe(game.turn() === 'w' ? '0-1' : '1-0');
    const replay = new Chess(fen);
    for (const { uci } of found.line) replay.move({ from: uci.slice(0, 2), to: uci.slice(2, 4) });
    expect(replay.fen()).toBe(game.fen());
  },
);

test('under dtz there are five outcomes, and lines go on to mate', async () => {
  const [answer, dtm] = [await probe(QUEEN, '--metric', 'dtz'), await probe(QUEEN)];
  // Nothing can be captured on the way.
  expect([answer.outcome, answer.plies]).toEqual(['win', dtm.plies]);
  const found = await line(QUEEN, '--metric', 'dtz');
  expect(found).toMatchObject({ outcome: 'win', ruleDrawsAt: null, result: '1-0' });
  expect(found.line.filter(({ restarts }) => restarts)).toEqual([]);
  expect(found.line.length).toBe(dtm.plies);
  expect(await mergemate.succeed(['probe', 'chess', QUEEN, '--metric', 'dtz'])).toMatch(
    /White to move: wins in \d+ plies \(mate or zeroing move in \d+\)/,
  );
});

test('the half-move clock of a FEN turns wins into draws under every metric', async () => {
  const { plies } = await probe(QUEEN, '--metric', 'dtz');
  const at = (clock: number) => QUEEN.replace('0 1', `${clock} 60`);
  const [last, late] = [at(100 - plies!), at(101 - plies!)];
  expect(await probe(last, '--metric', 'dtz')).toMatchObject({ position: last, outcome: 'win', plies });
  const cursed = await probe(late, '--metric', 'dtz');
  expect(cursed).toMatchObject({ position: late, outcome: 'cursed win', plies });
  expect(cursed.moves.filter(({ outcome }) => outcome === 'win')).toEqual([]);
  for (const metric of ['dtm', 'dtc', 'wdl']) {
    const answer = await probe(late, '--metric', metric);
    expect(answer, metric).toMatchObject({ outcome: 'cursed win', category: 'cursed-win' });
    expect(answer.moves.filter(({ outcome }) => outcome === 'win')).toEqual([]);
    expect(await probe(last, '--metric', metric), metric).toMatchObject({ outcome: 'win', category: 'win' });
  }
  expect(await line(late, '--metric', 'dtz')).toMatchObject({
    outcome: 'cursed win',
    ruleDrawsAt: plies! - 1,
  });
  const words = await mergemate.succeed(['probe', '--line', 'chess', at(100), '--metric', 'dtz']);
  expect(words).toContain('a draw by the 50-move rule');
  expect(words).toContain('The 50-move rule draws the game here, before any move.');
});

test('a drawn position has no main line', async () => {
  const fen = '8/8/8/8/8/8/1k5Q/K7 w - - 0 1';
  const drawn = '8/8/8/8/8/2k5/1Q6/7K b - - 0 1';
  expect((await mergemate.run(['probe', '--line', 'chess', fen])).code).toBe(2); // kings adjacent
  expect(await line(drawn)).toMatchObject({ plies: null, line: [], result: '1/2-1/2' });
  expect(await mergemate.succeed(['probe', '--line', 'chess', drawn])).toContain(
    'drawn position has no main line',
  );
});

test('the text has a board, the verdict and move numbers', async () => {
  const probed = await mergemate.succeed(['probe', 'chess', BLACK_ROOK]);
  expect(probed).toContain('5  . . . K . . . .');
  expect(probed).toMatch(/White to move: loses in \d+ plies \(mate in \d+\)/);
  const shown = await mergemate.succeed(['probe', '--line', 'chess', BLACK_ROOK.replace(' w ', ' b ')]);
  expect(shown).toMatch(/1\.\.\. \S+ 2\. \S+ \S+ 3\. /);
  expect(shown).toContain('0-1');
});

test('moves behind a position are played, and anything else there is refused', async () => {
  const after = '8/8/8/8/3k3Q/8/8/K7 b - - 1 1';
  const played = await probe(`${QUEEN} moves h1h4`);
  expect(played).toEqual(await probe(after));
  const file = join(store, 'moves.txt');
  writeFileSync(file, `${QUEEN} moves h1h4\n${QUEEN} moves h1a2\n${QUEEN} garbage\n`);
  const { stdout, code } = await mergemate.run(['probe', 'chess', '--file', file, '--metric', 'dtm']);
  expect(code).toBe(2);
  const [first, second, third] = stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as object);
  expect(first).toMatchObject({ position: after, outcome: 'loss' });
  expect(second).toMatchObject({ error: expect.stringContaining('move 1: h1a2 is not a legal move') });
  expect(third).toMatchObject({ error: expect.stringContaining('7 fields, expected at most 6') });
  for (const [text, error] of [
    [`${QUEEN} garbage`, '7 fields, expected at most 6'],
    [`${QUEEN} moves h1h4 a1a1`, 'move 2: a1a1 is not a legal move'],
    ['startpos', 'FEN "startpos": no table has 32 men'],
    ['startpos moves e2e4', 'FEN "startpos moves e2e4": no table has 32 men'],
  ]) {
    const failed = await mergemate.run(['probe', 'chess', text]);
    expect([failed.code, failed.stderr], text).toEqual([2, expect.stringContaining(error)]);
  }
});

test('a win in one ply is said once', async () => {
  const mate = '8/8/8/8/8/1k6/7q/K7 b - - 0 1';
  const text = await mergemate.succeed(['probe', 'chess', mate, '--metric', 'dtz']);
  expect(text).toContain('Black to move: wins in 1 ply (mate or zeroing move)\n');
  expect(await mergemate.succeed(['probe', 'chess', mate, '--metric', 'dtm'])).toContain(
    'wins in 1 ply (mate)\n',
  );
});
