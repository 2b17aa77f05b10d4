/**
 * Chess in the shape of the public Lichess tablebase API. Shapes are those of its documentation; values of KPK are those that
 * API gives, noted by hand.
 */
import { Chess } from 'chess.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { LineAnswer, PositionAnswer } from '../../../jobs/positions/shapes.js';
import { LichessAnswer, LichessMainLine, type LichessMove } from '../../../jobs/server/lichess-shapes.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { isInsufficient } from '../../../pipeline/games/chess/rules.js';
import type { Plies } from '../../../pipeline/games/chess/syzygy/cells.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { pawnFiles } from '../../pipeline/games/chess/syzygy/making.js';
import { ifShort, LONG } from '../../support/long.js';
import { served, smallStore } from '../../support/serving.js';
import { MiB, solveGame } from '../../support/solving.js';

/** Types of the fields of an answer, as its documentation has them; "?": or null. */
const POSITION_SHAPE = {
  category: 'string',
  dtz: 'number?',
  precise_dtz: 'number?',
  dtc: 'number?',
  dtm: 'number?',
  // Not in that API.
  dtm50: 'number?',
  dtw: 'number?',
  checkmate: 'boolean',
  stalemate: 'boolean',
  variant_win: 'boolean',
  variant_loss: 'boolean',
  insufficient_material: 'boolean',
} as const;
const ANSWER_SHAPE = { ...POSITION_SHAPE, moves: 'object' } as const;
const MOVE_SHAPE = {
  ...POSITION_SHAPE,
  uci: 'string',
  san: 'string',
  zeroing: 'boolean',
  conversion: 'boolean',
} as const;
const LINE_SHAPE = { dtz: 'number', precise_dtz: 'number?', mainline: 'object', winner: 'string?' } as const;
const STEP_SHAPE = { uci: 'string', san: 'string', dtz: 'number', precise_dtz: 'number?' } as const;

function expectShape(value: object, shape: Readonly<Record<string, string>>): void {
  expect(Object.keys(value).sort()).toEqual(Object.keys(shape).sort());
  for (const [key, field] of Object.entries(value)) {
    if (field === null) expect(shape[key], key).toMatch(/\?$/);
    else expect(`${typeof field}`, key).toBe(shape[key].replace('?', ''));
  }
}

let store: Store;
let app: ReturnType<typeof served>['app'];
beforeAll(async () => {
  store = await smallStore();
  ({ app } = served(store));
});

const ask = (path: string, fen: string) => app.request(`${path}?fen=${encodeURIComponent(fen)}`);
async function standard(fen: string): Promise<LichessAnswer> {
  const response = await ask('/standard', fen);
  expect(response.status, fen).toBe(200);
  return (await response.json()) as LichessAnswer;
}
async function line(fen: string): Promise<LichessMainLine> {
  const response = await ask('/standard/mainline', fen);
  expect(response.status, fen).toBe(200);
  return (await response.json()) as LichessMainLine;
}
const move = ({ moves }: LichessAnswer, san: string) => moves.find((each) => each.san === san)!;

const PAWN = '3K4/2P5/1k6/8/8/8/8/8 w - - 1 1';
const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';

describe('a position', () => {
  test.each([
    PAWN,
    QUEEN,
    'k7/1Q6/1K6/8/8/8/8/8 b - - 0 1',
    'k7/8/1Q6/8/8/8/8/K7 b - - 0 1',
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1',
  ])('%s has the documented shape', async (fen) => {
    const answer = await standard(fen);
    expectShape(answer, ANSWER_SHAPE);
    for (const each of answer.moves) expectShape(each, MOVE_SHAPE);
    expect(LichessAnswer.parse(answer)).toEqual(answer);
  });

  test('has the values of the public API', async () => {
    const answer = await standard(PAWN);
    expect(answer).toMatchObject({ category: 'win', dtz: 1, precise_dtz: 1, dtm: 13 });
    expect(answer.moves[0]).toMatchObject({
      san: 'c8=Q',
      dtz: -12,
      dtm: -12,
      category: 'loss',
      zeroing: true,
    });
    expect(move(answer, 'Kd7')).toMatchObject({ dtz: -2, dtm: -16, category: 'loss', zeroing: false });
    expect(move(answer, 'c8=R')).toMatchObject({ dtz: -22, dtm: -22, category: 'loss', conversion: true });
    for (const san of ['c8=B', 'c8=N+']) {
      const drawn = { dtz: 0, precise_dtz: 0, dtm: 0, category: 'draw', insufficient_material: true };
      expect(move(answer, san)).toMatchObject(drawn);
    }
    expect(answer.moves.map(({ category }) => category)).toEqual([
      ...answer.moves.filter(({ category }) => category === 'loss').map(() => 'loss'),
      ...answer.moves.filter(({ category }) => category === 'draw').map(() => 'draw'),
    ]);
  });

  test('has all legal moves, with their kinds', async () => {
    for (const fen of [PAWN, QUEEN, '8/4k3/8/8/3p4/8/2K5/8 b - - 0 1', '8/8/8/8/8/2k5/1Q6/7K b - - 0 1']) {
      const answer = await standard(fen);
      const legal = new Chess(fen).moves({ verbose: true });
      const found = new Map(answer.moves.map((each) => [each.uci, each]));
      expect(found.size).toBe(legal.length);
      for (const { lan, san, piece, captured, promotion, after } of legal) {
        const then = new Chess(after);
        expect(found.get(lan)).toMatchObject({
          san,
          zeroing: piece === 'p' || captured !== undefined,
          conversion: captured !== undefined || promotion !== undefined,
          checkmate: then.isCheckmate(),
          stalemate: then.isStalemate(),
          insufficient_material: then.isInsufficientMaterial(),
        });
      }
    }
  });

  test('is mate, stalemate or insufficient material', async () => {
    const mated = { category: 'loss', checkmate: true, stalemate: false, dtz: -1, dtm: null, moves: [] };
    expect(await standard('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1')).toMatchObject(mated);
    const stalemate = { category: 'draw', checkmate: false, stalemate: true, dtz: 0, dtm: 0, moves: [] };
    expect(await standard('k7/8/1Q6/8/8/8/8/K7 b - - 0 1')).toMatchObject(stalemate);
    expect(await standard('8/8/8/8/8/8/2k5/K7 w - - 0 1')).toMatchObject({
      category: 'draw',
      insufficient_material: true,
      dtz: 0,
    });
  });

  test('has a category under the 50-move rule by its half-move clock', async () => {
    const mateInOne = (clock: number) => standard(`k7/8/1K6/7Q/8/8/8/8 w - - ${clock} 80`);
    for (const [clock, own, after] of [
      [0, 'win', 'loss'],
      [99, 'win', 'loss'],
      [100, 'cursed-win', 'blessed-loss'],
      [101, 'cursed-win', 'blessed-loss'],
    ] as const) {
      const answer = await mateInOne(clock);
      expect(answer.category, `${clock}`).toBe(own);
      expect(answer.moves[0]).toMatchObject({ checkmate: true, category: after });
    }
    const { dtz } = await standard(QUEEN);
    const late = (clock: number) => standard(QUEEN.replace(' 0 1', ` ${clock} 90`));
    expect((await late(100 - dtz!)).category).toBe('win');
    expect((await late(101 - dtz!)).category).toBe('cursed-win');
    // A move of the pawn sets the clock back.
    expect((await standard(PAWN.replace(' 1 1', ' 99 80'))).category).toBe('win');
  });

  test('without a table is unknown, and moves with tables have values', async () => {
    // The king may take the queen, which leaves king and pawn against king; there is no table of the position itself.
    const answer = await standard('8/8/8/8/4k3/3q4/2PK4/8 w - - 0 1');
    expect(answer).toMatchObject({ dtz: null, precise_dtz: null, dtm: null });
    expect(move(answer, 'cxd3+').category).not.toBe('unknown');
    expect(answer.moves.filter(({ category }) => category === 'unknown').length).toBeGreaterThan(0);
    // A move that is known to win is enough to know that the position is won.
    const winning = await standard('8/8/8/8/6k1/1q6/1PK5/8 w - - 0 1');
    expect(winning.category).toBe(winning.moves[0].category === 'loss' ? 'win' : 'unknown');
  });

  test('is read from FEN with underscores, missing fields or useless rights', async () => {
    const plain = await standard(QUEEN);
    for (const fen of [
      '8/8/8/8/3k4/8/8/K6Q_w_-_-_0_1',
      '8/8/8/8/3k4/8/8/K6Q w',
      '8/8/8/8/3k4/8/8/K6Q',
      '8/8/8/8/3k4/8/8/K6Q w - -',
      '8/8/8/8/3k4/8/8/K6Q w KQkq - 0 1',
      '8/8/8/8/3k4/8/8/K6Q w - e6 0 1',
    ])
      expect(await standard(fen)).toEqual(plain);
    expect((await app.request('/standard?fen=8/8/8/8/3k4/8/8/K6Q+w+-+-+0+1')).status).toBe(200);
  });
});

describe('a position with castling rights', () => {
  test.each([
    '4k3/8/8/8/8/8/8/4K2R w K - 0 1',
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1',
    'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1',
    // Through check, out of it, past a man; with a rook that passes an attacked square, which is allowed.
    'r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1',
    'r3k2r/8/8/8/4Q3/8/8/R3K2R b KQkq - 0 1',
    'rn2k1nr/8/8/8/8/8/8/R3K2R b KQkq - 0 1',
    '1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1',
    // With check, and with mate.
    '5k2/8/8/8/8/8/8/4K2R w K - 0 1',
    '5k2/4p1p1/4P1P1/8/8/8/8/4K2R w K - 0 1',
    '2r1rk2/4p1pB/8/8/8/8/8/4K2R w K - 0 1',
    // A right that is none.
    '4k3/8/8/8/8/8/8/3K3R w K - 0 1',
  ])('%s has all legal moves', async (fen) => {
    const answer = await standard(fen);
    const known = fen.replace('3K3R w K', '3K3R w -');
    const legal = new Chess(known).moves({ verbose: true });
    const names = (all: { san: string }[]) => all.map(({ san }) => san).sort();
    expect(names(answer.moves)).toEqual(names(legal));
    expect(answer.moves.map(({ uci }) => uci).sort()).toEqual(legal.map(({ lan }) => lan).sort());
  });

  test('is unknown except for moves that end the right to castle', async () => {
    const answer = await standard('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    expect(answer).toMatchObject({ category: 'win', dtz: null, dtm: null });
    const after = await standard('4k3/8/8/8/8/8/8/5RK1 b - - 1 1');
    const { category, dtz, dtm } = after;
    expect(move(answer, 'O-O')).toMatchObject({ uci: 'e1g1', category, dtz, dtm, zeroing: false });
    const theirs = await standard('4k2r/8/8/8/8/8/8/4K3 w k - 0 1');
    expect(theirs.category).toBe('unknown');
    expect(theirs.moves.map((each) => each.category)).toEqual(theirs.moves.map(() => 'unknown'));
    // The king takes the rook, and with it the right.
    const taken = await standard('4k2r/6K1/8/8/8/8/8/8 w k - 0 1');
    expect(move(taken, 'Kxh8').category).toBe('draw');
  });
});

/** The store, less the objects of these names. */
const without = (names: RegExp): Store => ({
  ...store,
  list: async (prefix) => (await store.list(prefix)).filter((name) => !names.test(name)),
  size: async (name) => (names.test(name) ? null : store.size(name)),
});

describe('without dtz tables', () => {
  test('a mate within the clock is a win, and a later one maybe-win', async () => {
    const { app } = served(without(/^chess\/dtz/));
    const category = async (clock: number) => {
      const response = await app.request(`/standard?fen=8/8/8/8/3k4/8/8/K6Q_w_-_-_${clock}_80`);
      const answer = (await response.json()) as LichessAnswer;
      expect(answer.dtz).toBeNull();
      return answer.category;
    };
    expect(await category(0)).toBe('win');
    expect(await category(90)).toBe('maybe-win');
    expect(await category(100)).toBe('cursed-win');
  });

  test('wins without distances are maybe-win', async () => {
    const { app } = served(without(/^chess\/dt/));
    const answer = (await (
      await app.request(`/standard?fen=${QUEEN.replaceAll(' ', '_')}`)
    ).json()) as LichessAnswer;
    expect(answer).toMatchObject({ category: 'maybe-win', dtz: null, dtm: null });
    expect(answer.moves.at(-1)!.category).toBe('draw');
    expect((await app.request(`/standard/mainline?fen=${QUEEN.replaceAll(' ', '_')}`)).status).toBe(404);
  });
});

describe.skipIf(!LONG)(`with tables of dtc and dtm50${ifShort}`, () => {
  let all: ReturnType<typeof served>['app'];
  let full: Store;
  beforeAll(async () => {
    full = await smallStore();
    const pawns = chess.ending('KPK').slices;
    for (const metric of ['dtc', 'dtm50'] as const) await solveGame(chess, pawns, { store: full, metric });
    all = served(full).app;
  });
  const from = async (app: ReturnType<typeof served>['app'], fen: string) =>
    (await (await app.request(`/standard?fen=${encodeURIComponent(fen)}`)).json()) as LichessAnswer;

  test('their fields are filled', async () => {
    const answer = await from(all, PAWN);
    expect(answer).toMatchObject({ category: 'win', dtc: 1, dtm: 13, dtm50: 13 });
    expect(move(answer, 'c8=Q')).toMatchObject({ dtc: -12, dtm: -12, dtm50: -12 });
    expect(move(answer, 'c8=N+')).toMatchObject({ dtc: 0, dtm50: 0 });
    const mate = await from(all, 'k7/8/1K6/7Q/8/8/8/8 w - - 0 80');
    expect(mate).toMatchObject({ dtc: 1, dtm50: 1 });
    expect(mate.moves[0]).toMatchObject({ checkmate: true, dtc: null, dtm: null, dtm50: null });
    const answerThere = (await (
      await all.request(`/probe?game=chess&position=${encodeURIComponent(PAWN)}`)
    ).json()) as PositionAnswer;
    const WON = { outcome: 'win', category: 'win', precise: true };
    expect(answerThere.metrics).toMatchObject({
      dtm: { ...WON, plies: 13 },
      dtc: { ...WON, plies: 1 },
      dtz: { ...WON, plies: 1 },
      dtm50: { ...WON, plies: 13 },
    });
  });

  test('dtm50 counts with the clock, and has the results of dtz', async () => {
    const { slices } = chess.ending('KPK');
    const without = served({
      ...full,
      list: async (prefix) => (await full.list(prefix)).filter((name) => !name.startsWith('chess/dtz')),
      size: async (name) => (name.startsWith('chess/dtz') ? null : full.size(name)),
    }).app;
    let compared = 0;
    for (const [i, slice] of slices.entries()) {
      const { size, width } = chess.slice(slice);
      for (let n = 0; n < 30; n++) {
        const index = Math.floor((size * (n + 0.5)) / 30);
        const part = Math.floor(index / width);
        const fen = chess.format(chess.board({ slice, side: 0, part, key: index - part * width }));
        const clock = [0, 80, 95, 99, 100][(i + n) % 5];
        const asked = fen.replace(' 0 1', ` ${clock} 60`);
        if ((await all.request(`/standard?fen=${encodeURIComponent(asked)}`)).status !== 200) continue;
        const answer = await from(all, asked);
        const { category } = answer;
        const sign = category === 'win' ? 1 : category === 'loss' ? -1 : 0;
        if (!answer.checkmate) expect(Math.sign(answer.dtm50!), asked).toBe(sign);
        expect((await from(without, asked)).category, asked).toBe(category);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(60);
  });
});

describe('values agree with each other', () => {
  test('a position is worth what its best move makes of it', async () => {
    const prober = newProber({ game: chess, metric: 'dtz', store, cacheBytes: MiB });
    const { size, parts, width } = chess.slice('KPK.5');
    let probed = 0;
    for (let i = 0; i < 60; i++) {
      const index = Math.floor((size * (i + 0.5)) / 60);
      const part = Math.min(parts - 1, Math.floor(index / width));
      for (const side of [0, 1] as const) {
        const board = chess.board({ slice: 'KPK.5', side, part, key: index - part * width }, i % 2 === 1);
        const fen = chess.format(board);
        if ((await ask('/standard', fen)).status !== 200) continue;
        const answer = await standard(fen);
        const { code } = await prober.probe(board);
        expect(Math.sign(answer.dtz!)).toBe(Math.sign(code));
        if (answer.moves.length === 0) continue;
        const [best] = answer.moves;
        if (answer.dtz === 0) expect(best.dtz).toBe(0);
        else expect(Math.sign(best.dtz!)).toBe(-Math.sign(answer.dtz!));
        if (answer.dtz! > 0) {
          const nearest = answer.moves
            .filter(({ dtz }) => dtz! < 0)
            .map(({ dtz, zeroing, checkmate }) => (zeroing || checkmate ? 1 : 1 - dtz!));
          expect(Math.min(...nearest)).toBe(answer.dtz);
          expect(Math.max(...answer.moves.filter(({ dtm }) => dtm! < 0).map(({ dtm }) => dtm!))).toBe(
            best.dtm ?? Number.NEGATIVE_INFINITY,
          );
        }
        probed++;
      }
    }
    expect(probed).toBeGreaterThan(40);
  });
});

describe('the main line', () => {
  test('has the documented shape, and ends in mate', async () => {
    const found = await line(PAWN);
    expectShape(found, LINE_SHAPE);
    for (const step of found.mainline) expectShape(step, STEP_SHAPE);
    expect(LichessMainLine.parse(found)).toEqual(found);
    const game = new Chess(PAWN);
    for (const { san } of found.mainline) game.move(san);
    expect(game.isCheckmate()).toBe(true);
    expect(found).toMatchObject({ dtz: 1, winner: 'w' });
    expect(found.mainline.at(-1)!.dtz).toBe(-1);
    expect((await line('8/8/8/8/3K4/8/8/k6q b - - 0 1')).winner).toBe('b');
  });

  test('is empty for a draw, and ends where the draw is claimed', async () => {
    expect(await line('8/8/8/8/8/2k5/1Q6/7K b - - 0 1')).toEqual({
      dtz: 0,
      precise_dtz: 0,
      mainline: [],
      winner: null,
    });
    const late = await line(QUEEN.replace(' 0 1', ' 97 99'));
    expect(late.mainline.length).toBe(3);
    expect(late.winner).toBeNull();
  });
});

test.each([
  ['/standard', 'nonsense', 400],
  ['/standard', '8/8/8/8/8/8/1k6/K6Q w - - 0 1', 400],
  ['/standard', '8/8/8/8/3k4/8/8/K6Q x - - 0 1', 400],
  ['/standard', '8/8/8/8/3k4/8/8/K6Q w - e9 0 1', 400],
  ['/standard', '8/8/8/8/3k4/8/8/K6Q w - - zero 1', 400],
  ['/standard/mainline', '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1', 404],
  ['/standard/mainline', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1', 404],
  ['/standard/mainline', '8/8/8/8/3k4/8/8/K5RQ w - - 0 1', 404],
  ['/atomic', QUEEN, 404],
])('%s of %s is refused with %i, in one line', async (path, fen, status) => {
  const response = await ask(path, fen);
  expect(response.status).toBe(status);
  const { error } = (await response.json()) as { error: string };
  expect(error).toMatch(/^[^\n]{5,200}$/);
});

test('a request without a position is refused', async () => {
  expect((await app.request('/standard')).status).toBe(400);
  expect((await app.request('/standard?fen=')).status).toBe(400);
});

test.each([
  ['8/8/8/8/8/8/2k5/K7 w', true],
  ['8/8/8/8/8/8/2k5/K6N w', true],
  ['8/8/8/8/8/8/2k5/K6B w', true],
  ['8/8/8/8/8/8/2k5/K5NN w', false],
  ['8/8/8/8/8/8/2k4n/K6N w', false],
  ['8/8/8/8/8/8/2k4n/K6B w', false],
  // h1 and g2 are light, h2 is dark.
  ['8/8/8/8/8/8/2k3b1/K6B w', true],
  ['8/8/8/8/8/8/2k4b/K6B w', false],
  ['8/8/8/8/8/8/2k3B1/K6B w', true],
  ['8/8/8/8/8/8/2k5/K6R w', false],
  ['8/8/8/8/8/7P/2k5/K7 w', false],
])('whether %s lacks the men to mate: %s', (fen, expected) => {
  expect(isInsufficient(chess.parse(fen))).toBe(expected);
});

describe("from Syzygy's files", () => {
  const FENS = [
    '4k3/8/4K3/4P3/8/8/8/8 w - - 0 1',
    '8/8/8/8/3k4/8/3P4/3K4 b - - 5 9',
    '8/8/8/8/3k4/8/8/K6Q w - - 0 1',
    '8/8/8/8/8/k7/1p6/1K6 b - - 0 1',
  ];

  async function withFiles(plies: Plies) {
    const syzygy = memoryStore();
    for (const [name, bytes] of await pawnFiles(plies)) await syzygy.putIfAbsent(name, bytes);
    const only = served(memoryStore(), { syzygy });
    return async (path: string, fen: string) =>
      (await only.app.request(`${path}?fen=${encodeURIComponent(fen)}`)).json();
  }

  test('/standard and the main line are those of tables but for the plies to mate', async () => {
    const from = await withFiles('exact');
    const without = (answer: LichessAnswer) => ({
      ...answer,
      dtm: null,
      // Moves that are as good come in the order of plies to mate, if they are known.
      moves: answer.moves.map((move) => ({ ...move, dtm: null })).sort((a, b) => (a.uci < b.uci ? -1 : 1)),
    });
    for (const fen of FENS) {
      expect(without((await from('/standard', fen)) as LichessAnswer), fen).toEqual(
        without(await standard(fen)),
      );
      expect(await from('/standard/mainline', fen), fen).toEqual(
        await (await ask('/standard/mainline', fen)).json(),
      );
    }
  });

  test('plies that a file stores in pairs are precise where that follows, and else marked as rounded', async () => {
    const from = await withFiles('halved');
    // A queen wins by mate alone.
    const [queen, should] = [(await from('/standard', FENS[2])) as LichessAnswer, await standard(FENS[2])];
    const exact = ({ uci, dtz, precise_dtz }: LichessMove) => [uci, dtz, precise_dtz];
    expect([queen.category, queen.dtz, queen.precise_dtz]).toEqual(['win', should.dtz, should.dtz]);
    expect(queen.moves.map(exact).sort()).toEqual(should.moves.map(exact).sort());
    // A pawn may zero before.
    let unsure = 0;
    for (const fen of ['8/4k3/2P5/K7/8/8/8/8 w - - 0 1', ...FENS.filter((each) => /^[^ ]*p/i.test(each))]) {
      const [pawn, known] = [(await from('/standard', fen)) as LichessAnswer, await standard(fen)];
      for (const each of [pawn, ...pawn.moves]) {
        expect([each.dtz, null]).toContain(each.precise_dtz);
        if (each.dtz !== 0 && each.precise_dtz === null) unsure++;
      }
      expect(Math.abs(known.dtz! - pawn.dtz!)).toBeLessThanOrEqual(1);
    }
    expect(unsure).toBeGreaterThan(0);
  });

  test('an ending without a file is unknown', async () => {
    const from = await withFiles('exact');
    const answer = (await from('/standard', '8/8/8/8/3k4/8/8/K5NQ w - - 0 1')) as LichessAnswer;
    expect(answer).toMatchObject({ category: 'unknown', dtz: null, precise_dtz: null });
    expect(await from('/standard/mainline', '8/8/8/8/3k4/8/8/K5NQ w - - 0 1')).toHaveProperty('error');
  });
});

/** One answer, however it is asked for: the values of chess under dtz with plies gone, and the text of the positions. */
describe('the half-move clock counts in /probe as in /standard', () => {
  const opposite: Record<string, string> = {
    win: 'loss',
    'cursed-win': 'blessed-loss',
    draw: 'draw',
    'blessed-loss': 'cursed-win',
    loss: 'win',
  };
  const probe = async (position: string) => {
    const response = await app.request(
      `/probe?${new URLSearchParams({ game: 'chess', metric: 'dtz', position })}`,
    );
    expect(response.status, position).toBe(200);
    return PositionAnswer.parse(await response.json());
  };

  const PLACEMENTS = [
    // A queen wins by quiet moves; the bare king loses so.
    '8/8/8/8/3k4/8/8/K6Q w',
    '8/8/8/8/3k4/8/8/K6Q b',
    // A pawn zeroes or does not; a promotion wins at once; mate in one; a draw.
    '8/8/8/3K4/3P4/8/8/k7 w',
    '8/2P5/1k6/3K4/8/8/8/8 w',
    '8/2P5/1k6/3K4/8/8/8/8 b',
    '8/8/8/8/8/1K6/7Q/k7 w',
    '4k3/4P3/4K3/8/8/8/8/8 b',
    'k7/1Q6/1K6/8/8/8/8/8 b',
  ];

  test.each(PLACEMENTS)('%s', async (placement) => {
    const kinds = new Set<string>();
    for (const clock of [0, 1, 50, 79, 80, 81, 85, 90, ...Array.from({ length: 11 }, (_, i) => 92 + i)]) {
      const fen = `${placement} - - ${clock} 70`;
      const [ours, theirs] = [await probe(fen), await standard(fen)];
      expect(ours.position).toBe(fen);
      expect(ours.outcome.replace(' ', '-'), fen).toBe(theirs.category);
      kinds.add(ours.outcome);
      for (const { uci, outcome, position } of ours.moves) {
        const same = theirs.moves.find((each) => each.uci === uci)!;
        expect(outcome.replace(' ', '-'), `${fen} ${uci}`).toBe(opposite[same.category]);
        // A second implementation of chess counts the plies and moves.
        const game = new Chess(fen);
        game.move(uci!);
        expect(position.split(' ').slice(-2), `${fen} ${uci}`).toEqual(game.fen().split(' ').slice(-2));
      }
    }
    // Unless it is a draw anyway, the clock turns a result into a draw.
    if (!kinds.has('draw')) expect(kinds.size).toBe(2);
  });

  test('the main line has the ply at which the rule draws', async () => {
    const drawnAt = async (clock: number) => {
      const position = `8/8/8/8/3k4/8/8/K6Q w - - ${clock} 70`;
      const asked = new URLSearchParams({ game: 'chess', metric: 'dtz', position });
      const answer = LineAnswer.parse(await (await app.request(`/api/mainline?${asked}`)).json());
      return [answer.line.length, answer.ruleDrawsAt];
    };
    const [plies] = await drawnAt(0);
    expect(await drawnAt(0)).toEqual([plies, null]);
    expect(await drawnAt(100 - plies!)).toEqual([plies, null]);
    expect(await drawnAt(101 - plies!)).toEqual([plies, plies! - 1]);
    expect(await drawnAt(100)).toEqual([plies, 0]);
    expect(await drawnAt(120)).toEqual([plies, 0]);
  });
});
