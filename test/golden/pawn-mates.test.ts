import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { endingStats, type Longest } from '../../pipeline/analysis/stats.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { mainLine } from '../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { needTable } from '../../pipeline/tables/table.js';
import { LONGEST } from '../support/long.js';
import { MiB, solveChess } from '../support/solving.js';
import { PAWN_MATES } from './pawn-mates.js';

const store = memoryStore();
const prober = newProber({ game: chess, metric: 'dtm', store, cacheBytes: 64 * MiB });

/** Another program's rules find the line of best play legal, and mate after exactly `plies` plies. */
async function expectMate(fen: string, plies: number): Promise<void> {
  const { steps, result } = await mainLine(chess, prober, chess.parse(fen));
  const replay = new Chess(fen);
  for (const { uci } of steps) {
    expect(replay.isGameOver()).toBe(false);
    replay.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
  }
  expect([fen, result, steps.length, replay.isCheckmate()]).toEqual([fen, 'win', plies, true]);
}

async function expectLongest(
  found: Longest | null,
  [moves, board]: readonly [number, string],
  turn: 'w' | 'b',
) {
  if (moves === 0) {
    expect(found).toBeNull();
    return;
  }
  const plies = 2 * moves - 1;
  expect(found?.plies).toBe(plies);
  await expectMate(found!.fen, plies);
  await expectMate(`${board} ${turn} - - 0 1`, plies);
}

// All of them take two minutes.
const endings = PAWN_MATES.filter(({ ending }) => LONGEST || ending === 'KPK');

test.each(endings)(
  '$ending: the longest mates are as long as published, and can be played out',
  { timeout: 1_200_000 },
  async ({ ending, white, black }) => {
    await solveChess(chess.ending(ending).slices, { store });
    const open = (slice: string) => needTable(store, chess, 'dtm', slice, newCounters());
    const report = async () => {};
    const stats = await endingStats({
      game: chess,
      metric: 'dtm',
      ending: chess.ending(ending),
      open,
      report,
    });
    await expectLongest(stats.white.longestWhiteWin, white, 'w');
    await expectLongest(stats.black.longestBlackWin, black, 'b');
  },
);
