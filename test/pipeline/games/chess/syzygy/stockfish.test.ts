/**
 * Stockfish plays from the files (Debian: stockfish). With one ply to think it must find the outcome that tables have, and a move
 * that keeps it. Skipped where it is not installed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chess } from '../../../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../../../pipeline/tables/probe/prober.js';
import { testFolder } from '../../../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../../../support/long.js';
import { MiB } from '../../../../support/solving.js';
import { filesOf, positionsOf, solveEnding } from './making.js';
import { openEngine, STOCKFISH, saidBy } from './stockfish.js';

const skipped = STOCKFISH === undefined ? ' (skipped: no Stockfish)' : ifShort;

describe.skipIf(STOCKFISH === undefined || !LONG)(`Stockfish${skipped}`, () => {
  test.each([
    { ending: 'KPK', of: ['KPK', 'KQK', 'KRK'], step: 997, least: 250 },
    { ending: 'KQKR', of: ['KQKR'], step: 9973, least: 200 },
    ...(LONGEST ? [{ ending: 'KBNK', of: ['KBNK'], step: 9973, least: 150 }] : []),
  ])(
    'finds the outcome of positions of $ending, and moves that keep it',
    async ({ ending, of, step, least }) => {
      const solved = await solveEnding(ending);
      const folder = join(testFolder(), 'syzygy');
      mkdirSync(folder);
      for (const [name, bytes] of await filesOf(solved, 'halved')) writeFileSync(join(folder, name), bytes);
      const positions = (await Promise.all(of.map((name) => positionsOf(solved, name, step))))
        .flat()
        .filter(({ fen }) => chess.terminal(chess.parse(fen)) === 'open');
      const prober = newProber({ game: chess, metric: 'dtz', store: solved.store, cacheBytes: 8 * MiB });
      const engine = openEngine(folder);
      onTestFinished(() => void engine.close());
      await engine.ready();
      const wrong: object[] = [];
      for (const { fen } of positions) {
        const said = await engine.ask(fen);
        const { wdl, moves } = await prober.probe(chess.parse(fen));
        const answered = saidBy(said);
        const kept = moves.find(({ uci }) => uci === said.move)?.wdl;
        if (said.hits === 0 || answered !== wdl || kept !== wdl) wrong.push({ fen, wdl, kept, ...said });
      }
      expect(positions.length).toBeGreaterThan(least);
      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );
});
