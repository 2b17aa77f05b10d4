/**
 * Distances to mate under the 50-move rule against a naive solver over (position, clock): every position of all 3-man endings and of
 * some of 4 men, with every number of plies on the clock. A table's values get no better with the clock, and where the longest win of
 * an ending and of all that it leads to leaves the clock no say, they are those of dtm.
 */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../operators/storage/store.js';
import { openClocks } from '../../pipeline/clocked/clock-runs.js';
import { BROKEN_LADDER, codeAt, type Ladders } from '../../pipeline/clocked/ladders.js';
import type { Side } from '../../pipeline/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { needTable } from '../../pipeline/table/table.js';
import { brokenIn, RULE_PLIES, type ValueColumn } from '../../pipeline/value.js';
import { solveDtm50 } from '../oracle/dtm50.js';
import { ifNotLongest, ifShort, LONG, LONGEST, sweep } from '../support/long.js';
import { endingsOf, solveChess } from '../support/solving.js';

const METRIC = 'dtm50';

/** The ladders of all positions of a slice and side, by index. */
interface Held {
  readonly ladders: Ladders;
  readonly numbers: readonly [Uint32Array, Uint32Array];
}

async function hold(store: Store, slice: string): Promise<Held> {
  const { manifest } = await needTable(store, chess, METRIC, slice);
  const { ladders, numbers } = await openClocks(store, manifest);
  const { size, width, parts } = chess.slice(slice);
  const held = [new Uint32Array(size), new Uint32Array(size)] as const;
  for (const side of [0, 1] as Side[]) {
    for await (const { major, first, length, columns } of numbers(side, 0, parts))
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

/** Compares all clocks of all positions of an ending; returns how many positions there are. */
async function agree(ending: string, isKnown: boolean): Promise<number> {
  const { store } = await solveChess(chess.ending(ending).slices, { metric: METRIC, verify: true });
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
        return oracleCode(codeAt(ladders, ladder, 0));
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
        const actual = oracleCode(codeAt(found!.of[i], found!.ladder[i], clock));
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

describe('every position at every clock as the naive solver says', () => {
  test.each(sweep(['KRK'], [...endingsOf(3).filter((ending) => ending !== 'KRK'), 'KPK']))(
    '%s',
    { timeout: 400_000 },
    async (ending) => {
      expect(await agree(ending, false)).toBeGreaterThan(40_000);
    },
  );
  test.skipIf(!LONG).each(['KQKR', 'KBNK'])(`%s${ifShort}`, { timeout: 3_600_000 }, async (ending) => {
    expect(await agree(ending, false)).toBeGreaterThan(2_000_000);
  });
  // With the values of the endings that it leads to from their tables, which are verified. It alone has captures en passant.
  test.skipIf(!LONGEST)(`KPKP${ifNotLongest}`, { timeout: 7_200_000 }, async () => {
    expect(await agree('KPKP', true)).toBeGreaterThan(2_000_000);
  });
});

/** What the slices that a slice leads to, itself among them, win in at most. */
async function longestOf(store: Store, slice: string, known: Map<string, number>): Promise<number> {
  const before = known.get(slice);
  if (before !== undefined) return before;
  const { longestWin } = (await needTable(store, chess, 'dtm', slice)).manifest;
  known.set(slice, 0);
  let longest = Math.max(0, ...longestWin.map((plies) => plies ?? 0));
  for (const dependency of chess.slice(slice).dependencies)
    longest = Math.max(longest, await longestOf(store, dependency.slice, known));
  known.set(slice, longest);
  return longest;
}

test('with the clock at 0 the values are those of dtm where no win comes near the rule', async () => {
  const slices = chess.ending('KPK').slices;
  const { store } = await solveChess(slices, { metric: METRIC });
  await solveChess(slices, { metric: 'dtm', store });
  const known = new Map<string, number>();
  for (const slice of slices) {
    expect(await longestOf(store, slice, known)).toBeLessThan(RULE_PLIES);
    const table = await needTable(store, chess, METRIC, slice);
    const dtm = await needTable(store, chess, 'dtm', slice);
    expect(table.manifest.digests).toEqual(dtm.manifest.digests);
  }
});

test('values get no better for the winner as the clock runs', async () => {
  const slices = chess.ending('KPK').slices;
  const { store } = await solveChess(slices, { metric: METRIC });
  for (const slice of slices) {
    const { ladders, numbers } = await hold(store, slice);
    const used = new Set(numbers.flatMap((side) => [...side]));
    used.delete(BROKEN_LADDER);
    for (const ladder of used) {
      const codes = Array.from({ length: RULE_PLIES + 1 }, (_, clock) => codeAt(ladders, ladder, clock));
      for (let clock = 1; clock < codes.length; clock++) {
        const [before, after] = [codes[clock - 1], codes[clock]];
        expect(after === 0 || Math.abs(after) >= Math.abs(before)).toBe(true);
        expect(Math.sign(after) === 0 || Math.sign(after) === Math.sign(before)).toBe(true);
      }
    }
    const table = await needTable(store, chess, METRIC, slice);
    for await (const { major, first, length, columns } of table.values(0, 0, table.slice.parts)) {
      const codes = columns[0] as ValueColumn;
      for (let i = 0; i < length; i++) {
        const ladder = numbers[0][major * table.slice.width + first + i];
        if (codes[i] === brokenIn(codes)) expect(ladder).toBe(BROKEN_LADDER);
        else if (codes[i] !== codeAt(ladders, ladder, 0)) expect.fail(`${slice} ${major} ${first + i}`);
      }
    }
  }
});
