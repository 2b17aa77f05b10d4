/**
 * Distances to mate under the 50-move rule against a naive solver over (position, clock). Compared is every position
 * of all 3-man endings and of some of 4 men, with every number of plies on the clock. A table's values get no better
 * with the clock. They are those of dtm where the clock has no say, by the longest win of an ending and of all that
 * it leads to.
 */
import { describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/game/game.js';
import { RULE_PLIES } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { openClocks } from '../../pipeline/tables/clock-runs.js';
import { FIRST_FREE, type Ladders } from '../../pipeline/tables/ladders.js';
import { needTable } from '../../pipeline/tables/table.js';
import { solveDtm50 } from '../oracle/dtm50.js';
import { testFolder } from '../support/folders.js';
import { ifNotLongest, LONG, LONGEST, sweep } from '../support/long.js';
import { putSolved, solveChess } from '../support/solving.js';

const METRIC = 'dtm50';

/** The ladders of all positions of a slice and side, by index. */
interface Held {
  readonly ladders: Ladders;
  readonly numbers: readonly [Uint32Array, Uint32Array];
}

async function hold(store: Store, slice: string): Promise<Held> {
  const { ladders, numbers } = await openClocks(store, await needTable(store, chess, METRIC, slice));
  const { size, width, parts } = chess.slice(slice);
  const held = [new Uint32Array(size), new Uint32Array(size)] as const;
  for (const side of [0, 1] as Side[]) {
    for await (const { major, first, length, columns } of numbers.values(side, 0, parts))
      held[side].set(columns[0].subarray(0, length), major * width + first);
  }
  return { ladders, numbers: held };
}

/** Returns what says the ladder of a board of held slices. */
function ladderIn(held: ReadonlyMap<string, Held>) {
  return (board: ChessBoard): { readonly ladders: Ladders; readonly ladder: number } => {
    const { slice, side, part, key } = chess.locate(board);
    const { ladders, numbers } = held.get(slice)!;
    return { ladders, ladder: numbers[side][part * chess.slice(slice).width + key] };
  };
}

/** The oracle counts a ply more, so that a mate is not 0. */
const oracleCode = (code: number) => (code > 0 ? code + 1 : code);

/** A store with the verified tables of an ending. */
async function solved(ending: string): Promise<Store> {
  const store = memoryStore();
  await putSolved(store, chess, chess.ending(ending).slices, { metric: METRIC, verify: true });
  return store;
}

/** Compares all clocks of all positions of an ending; returns how many positions there are. */
async function agree(ending: string, isKnown: boolean): Promise<number> {
  const store = await solved(ending);
  const slices = chess.ending(ending).slices;
  const held = new Map<string, Held>();
  for (const slice of slices) held.set(slice, await hold(store, slice));
  const behind = slices.flatMap((slice) => chess.slice(slice).dependencies.map(({ slice }) => slice));
  if (isKnown) for (const slice of behind) if (!held.has(slice)) held.set(slice, await hold(store, slice));
  const find = ladderIn(held);
  const known = isKnown
    ? (board: ChessBoard) => {
        if (chess.terminal(board) !== 'open') return chess.terminal(board) === 'lost' ? -1 : 0;
        const { ladders, ladder } = find(board);
        return oracleCode(ladders.codeAt(ladder, 0));
      }
    : null;
  let positions = 0;
  let wrong = 0;
  const first: unknown[] = [];
  let found: { readonly of: Ladders[]; readonly ladder: Uint32Array } | null = null;
  solveDtm50(
    ending,
    ({ clock, board, codes, withRight }) => {
      const { length } = codes;
      if (clock === RULE_PLIES) {
        found = { of: [], ladder: new Uint32Array(length) };
        for (let i = 0; i < length; i++) {
          const { ladders, ladder } = find(board(i));
          found.of.push(ladders);
          found.ladder[i] = ladder;
        }
        positions += length;
      }
      const compared = clock === 0 ? length : length - withRight;
      for (let i = 0; i < compared; i++) {
        const actual = oracleCode(found!.of[i].codeAt(found!.ladder[i], clock));
        if (actual === codes[i]) continue;
        wrong++;
        if (first.length < 5) first.push({ fen: chess.format(board(i)), clock, expected: codes[i], actual });
      }
    },
    known,
  );
  expect(first).toEqual([]);
  expect(wrong).toBe(0);
  return positions;
}

describe('every position at every clock has the value of the naive solver', () => {
  // A win without a pawn, a draw, and a pawn, which leads to all the others.
  test.each(sweep(['KRK'], ['KNK', 'KPK'], ['KQK', 'KBK']))('%s', { timeout: 400_000 }, async (ending) => {
    expect(await agree(ending, false)).toBeGreaterThan(40_000);
  });
  test.skipIf(!LONGEST).each(['KQKR', 'KBNK'])(
    `%s${ifNotLongest}`,
    { timeout: 3_600_000 },
    async (ending) => {
      expect(await agree(ending, false)).toBeGreaterThan(2_000_000);
    },
  );
  // With the values of the endings that it leads to from their tables, which are verified. It alone has captures en passant.
  test.skipIf(!LONGEST)(`KPKP${ifNotLongest}`, { timeout: 7_200_000 }, async () => {
    expect(await agree('KPKP', true)).toBeGreaterThan(2_000_000);
  });
});

/**
 * Checks a slice that is solved for dtm50 and dtm. Ladders rise. With the clock at 0 values are those of dtm, and
 * they stay so while the whole mate fits the rule. Returns how many ladders there are. Holds where no mate takes 100
 * plies, as with up to 4 men.
 */
async function checkSlice(store: Store, slice: string): Promise<number> {
  const table = await needTable(store, chess, METRIC, slice);
  const dtm = (await needTable(store, chess, 'dtm', slice)).manifest;
  for (const plies of dtm.longestWin) expect(plies ?? 0).toBeLessThan(RULE_PLIES);
  expect(table.manifest.digests, slice).toEqual(dtm.digests);
  const { ladders } = await openClocks(store, table);
  for (let ladder = FIRST_FREE; ladder < ladders.count; ladder++) {
    const first = ladders.codeAt(ladder, 0);
    const plies = first > 0 ? first : -first - 1;
    let before = first;
    for (let clock = 0; clock <= RULE_PLIES; clock++) {
      const code = ladders.codeAt(ladder, clock);
      const isLonger = before * code > 0 && Math.abs(code) >= Math.abs(before);
      const isRight = clock + plies <= RULE_PLIES ? code === first : code === 0 || isLonger;
      if (!isRight) expect.fail(`${slice}: ladder ${ladder} at clock ${clock}`);
      before = code;
    }
  }
  return ladders.count;
}

test('values grow with the clock, and equal dtm where the rule does not matter', async () => {
  const ending = LONG ? 'KPK' : 'KRK';
  const { slices } = chess.ending(ending);
  const store = await solved(ending);
  await solveChess(slices, { metric: 'dtm', store });
  for (const slice of slices) expect(await checkSlice(store, slice)).toBeGreaterThan(10);
});

test.skipIf(!LONGEST)(
  `values grow with the clock in all endings of 3 and 4 men${ifNotLongest}`,
  { timeout: 7_200_000 },
  async () => {
    const slices = chess.endingsUpTo(4).flatMap((ending) => ending.slices);
    const store = localStore(testFolder(), { durable: false });
    await solveChess(slices, { metric: METRIC, store, verify: true });
    await solveChess(slices, { metric: 'dtm', store });
    for (const slice of slices) await checkSlice(store, slice);
  },
);
