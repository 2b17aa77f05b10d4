/** Mutual zugzwangs: the scan against a naive one on made-up tables, those of chess against the oracle and the plain rules. */
import { expect, test } from 'vitest';
import type { DenseBatch } from '../../../operators/runs/types.js';
import { selectPositions } from '../../../pipeline/analysis/selection.js';
import { countZugzwangs, type ZugzwangKind } from '../../../pipeline/analysis/zugzwang.js';
import type { Game, Side } from '../../../pipeline/game/game.js';
import type { Metric, ValueColumn } from '../../../pipeline/game/value.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { type ChessBoard, inCheck } from '../../../pipeline/games/chess/rules.js';
import { needTable, type Table } from '../../../pipeline/tables/table.js';
import { solveOracle } from '../../oracle/oracle.js';
import { allOf } from '../../support/batches.js';
import { classGame } from '../../support/class-game.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../support/long.js';
import { solveChess } from '../../support/solving.js';

const report = async () => {};

/** Deterministic numbers below `below`. */
function newNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Codes by side and part, each part cut into batches of random lengths, the sides differently. */
function fakeTable(name: string, width: number, parts: number, type: 'i8' | 'i16', seed: number) {
  const number = newNumbers(seed);
  const choices =
    type === 'i8' ? [0, 1, -1, 5, -4, 126, -127, -128] : [0, 1, -1, 300, -301, -128, -129, -32768];
  const codes = [0, 1].map(() =>
    Array.from({ length: parts }, () => Array.from({ length: width }, () => choices[number(choices.length)])),
  );
  const column = (values: number[]): ValueColumn =>
    type === 'i8' ? Int8Array.from(values) : Int16Array.from(values);
  async function* values(side: Side, from: number, to: number): AsyncGenerator<DenseBatch> {
    for (let major = from; major < to; major++) {
      for (let first = 0; first < width; ) {
        const length = Math.min(width - first, 1 + number(width));
        yield { major, first, length, columns: [column(codes[side][major].slice(first, first + length))] };
        first += length;
      }
    }
  }
  const orbitSizes = (_part: number, keys: Uint32Array, length: number, out: Uint8Array) => {
    for (let i = 0; i < length; i++) out[i] = keys[i] % 2 === 0 ? 8 : 4;
  };
  const table = { slice: { name, parts, width, orbitSizes }, values } as unknown as Table;
  return { codes, table };
}

const passingGame: Game = { ...(classGame as Game), sidesShareIndex: true };

test.each([
  [3, 'i8'],
  [4, 'i16'],
] as const)('tables cut in any way give the zugzwangs of a naive comparison (%s, %s)', async (seed, type) => {
  const width = 64;
  const broken = type === 'i8' ? -128 : -32768;
  const ending = passingGame.ending('11');
  const tables = new Map(
    ending.slices.map((slice, i) => [slice, fakeTable(slice, width, 3, type, seed + 10 * i)]),
  );
  const expected: { board: string; kind: ZugzwangKind; size: number; mover: number }[] = [];
  // The class 11 is one slice that is its own mirror image and one that is seen in both colours; side 0 is Black's.
  for (const [slice, flipped] of [
    ['11.10', false],
    ['11.10', true],
    ['11.00', false],
  ] as const) {
    const { codes } = tables.get(slice)!;
    for (let index = 0; index < 3 * width; index++) {
      const [part, key] = [Math.floor(index / width), index % width];
      const [black, white] = (flipped ? [1, 0] : [0, 1]).map((side) => codes[side][part][key]) as [
        number,
        number,
      ];
      if (black === broken || white === broken) continue;
      // The outcome for Black with Black to move, and with White to move.
      const [moving, waiting] = [Math.sign(black), -Math.sign(white)];
      if (moving >= waiting) continue;
      expected.push({
        board: `${slice} ${flipped ? 1 : 0} ${index} ${flipped}`,
        kind: waiting - moving === 2 ? 'full point' : waiting > 0 ? 'black gains' : 'white gains',
        size: key % 2 === 0 ? 8 : 4,
        mover: black,
      });
    }
  }
  const options = {
    game: passingGame,
    metric: 'dtw' as Metric,
    ending,
    open: async (slice: string) => tables.get(slice)!.table,
    report,
  };
  const { tallies, examples } = await countZugzwangs({ ...options, examples: 2 });
  for (const kind of ['full point', 'white gains', 'black gains'] as const) {
    const own = expected.filter((each) => each.kind === kind);
    expect(own.length, kind).toBeGreaterThan(5);
    const placements = own.reduce((sum, { size }) => sum + size, 0);
    expect(tallies[kind], kind).toEqual({ orbits: own.length, placements });
    expect(examples.filter((each) => each.kind === kind)).toHaveLength(2);
  }
  const selection = { result: null, plies: null, sides: ['black'] as const, longest: false, zugzwang: true };
  const found = await allOf(selectPositions({ ...options, selection }));
  expect(found.map(({ board, zugzwang, side }) => [board, zugzwang!.kind, side])).toEqual(
    expected.map(({ board, kind }) => [board, kind, 'black']),
  );
  const losses = { ...selection, result: 'loss' as const };
  const lost = await allOf(selectPositions({ ...options, selection: losses }));
  expect(lost.map(({ board }) => board)).toEqual(
    expected.filter(({ mover }) => mover < 0).map(({ board }) => board),
  );
});

async function zugzwangsOf(name: string) {
  const game = chess as Game;
  const { store } = await solveChess(game.ending(name).slices);
  const open = (slice: string) => needTable(store, game, 'dtm', slice);
  const ending = game.ending(name);
  const options = { game, metric: 'dtm' as Metric, ending, open, report };
  const selection = { result: null, plies: null, sides: ['black'] as const, longest: false, zugzwang: true };
  const positions = await allOf(selectPositions({ ...options, selection }));
  return { ...(await countZugzwangs({ ...options, examples: 3 })), positions };
}

test('KRKN has 18 mutual zugzwangs, with no king in check', { timeout: 60_000 }, async () => {
  const { tallies, examples, positions } = await zugzwangsOf('KRKN');
  expect(tallies['white gains'].orbits).toBe(18);
  expect([tallies['full point'].orbits, tallies['black gains'].orbits]).toEqual([0, 0]);
  expect(positions).toHaveLength(18);
  for (const { board, value, zugzwang } of positions) {
    const { squares } = board as ChessBoard;
    expect([inCheck(squares, 0), inCheck(squares, 1)]).toEqual([false, false]);
    expect([value.wdl, zugzwang!.passed.wdl]).toEqual(['loss', 'draw']);
  }
  const plies = positions.map(({ value }) => value.plies!).sort((a, b) => b - a);
  expect(examples.map(({ value }) => value.plies)).toEqual(plies.slice(0, 3));
});

/** Number of zugzwangs up to symmetry, and their places, by the oracle and the plain rules. */
function expectedOf(name: string) {
  const oracle = solveOracle(name, 'wdl');
  const places = new Set<string>();
  let count = 0;
  for (const board of oracle.boards()) {
    const { squares, side } = board;
    if (side !== 1 || inCheck(squares, 1)) continue;
    if (oracle.value(board).wdl >= -oracle.value({ squares, side: 0 }).wdl) continue;
    count++;
    places.add(placeOf(board));
  }
  return { count, places };
}

function placeOf(board: unknown): string {
  const { slice, part, key } = chess.locate(board as ChessBoard);
  return `${slice} ${part} ${key}`;
}

async function expectOracle(name: string, published: number): Promise<void> {
  const { count, places } = expectedOf(name);
  const { positions, tallies } = await zugzwangsOf(name);
  expect(new Set(positions.map(({ board }) => placeOf(board)))).toEqual(places);
  expect([count, places.size, positions.length]).toEqual([published, published, published]);
  expect(tallies['white gains'].orbits).toBe(published);
}

test.skipIf(!LONG)(
  `KPK, whose slices have pawns, has the zugzwangs of the oracle${ifShort}`,
  { timeout: 60_000 },
  () => expectOracle('KPK', 80),
);

test.skipIf(!LONGEST)(`KRKN has the zugzwangs of the oracle${ifNotLongest}`, { timeout: 600_000 }, () =>
  expectOracle('KRKN', 18),
);

test('games whose sides do not share the index are refused', async () => {
  const game = checkers as Game;
  const open = async (): Promise<Table> => {
    throw new Error('nothing is opened');
  };
  const options = { game, metric: 'dtw' as Metric, ending: game.ending('1100'), open, report, examples: 1 };
  await expect(countZugzwangs(options)).rejects.toThrow(/mutual zugzwangs are not looked for in checkers/);
});
