/** Tables of help- and selfmates, and their numbers, beside the naive solver. */
import { afterAll, describe, expect, it } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { fenOf, SolvedBefore, type Stipulation, solveProblems } from '../oracle/problems.js';
import { LONG, LONGEST, sweep } from '../support/long.js';
import { putSolved } from '../support/solving.js';

const game = chess.sided!;
const THREE = ['KPvK', 'KvKP', 'KRvK', 'KBvK', 'KNvK', 'KvKQ', 'KvKR', 'KvKB', 'KvKN'];
/** The naive solver takes a minute for each of these. */
const FOUR = ['KQvKR', 'KRvKQ', 'KBvKN', 'KNNvK', 'KQvKQ', 'KBNvK', 'KQRvK', 'KNvKP', 'KPvKP', 'KBvKP'];
const METRICS: readonly Stipulation[] = ['help', 'self', 'help-stalemate', 'self-stalemate'];
/** A pawn's positions lead to the others, so that all metrics are compared with a pawn, and one or two with each piece. */
const IN_LONG: Readonly<Record<string, readonly Stipulation[]>> = {
  KQvK: ['help', 'self-stalemate'],
  KPvK: METRICS,
  KvKP: ['help', 'self'],
  KRvK: ['help-stalemate'],
  KBvK: ['help'],
  KNvK: ['self'],
  KvKQ: ['self'],
  KvKR: ['help'],
  KvKB: ['self'],
  KvKN: ['help'],
};
const metricsOf = (ending: string) => (LONGEST ? METRICS : IN_LONG[ending]);
/** Positions of each ending that are compared, at most. */
const COMPARED = LONGEST ? Number.POSITIVE_INFINITY : LONG ? 700 : 200;

const before = new SolvedBefore();

describe.each(sweep(['KQvK'], THREE, FOUR))('%s', (ending) => {
  afterAll(() => {
    if (FOUR.includes(ending)) before.forget(ending);
  });

  it.each(metricsOf(ending))('%s', async (metric) => {
    const store = memoryStore();
    await putSolved(store, game, game.ending(ending).slices, { metric, verify: true });
    const prober = newProber({ game, metric, store });
    const solved = solveProblems(ending, metric, before);
    const boards = [...solved.boards()];
    const step = Math.max(1, Math.ceil(boards.length / COMPARED));
    const differ: unknown[] = [];
    for (let i = 0; i < boards.length; i += step) {
      const board = boards[i];
      const fen = fenOf(board);
      const { plies, number } = await prober.probe(game.parse(fen));
      const value = solved.value(board);
      // Best moves are those of the side that has to reach the goal.
      const counts = metric.startsWith('help') || (board.side === 0 && value !== null && value.plies > 0);
      const expected = { plies: value?.plies ?? null, number: counts ? (value?.number ?? 0) : null };
      const found = { plies, number: counts ? number : null };
      if (JSON.stringify(found) !== JSON.stringify(expected)) differ.push({ fen, found, expected });
      if (differ.length === 5) break;
    }
    expect(differ).toEqual([]);
  });
});
