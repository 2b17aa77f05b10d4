/**
 * Files of five and more men that lie in the folder MERGEMATE_TEST_SYZYGY. Beside it, the store MERGEMATE_TEST_TABLES
 * has the tables that they were made of. Fathom, our reader, python-chess and Stockfish are asked about samples.
 * Skipped where these are not given. Plies may be in pairs.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localStore } from '../../../../../../operators/storage/local.js';
import type { Game } from '../../../../../../pipeline/game/game.js';
import type { Wdl } from '../../../../../../pipeline/game/value.js';
import { chess } from '../../../../../../pipeline/games/chess/chess.js';
import { parseFen } from '../../../../../../pipeline/games/chess/fen.js';
import { openSyzygyTables } from '../../../../../../pipeline/games/chess/syzygy/read/tables.js';
import { newProber } from '../../../../../../pipeline/tables/probe/prober.js';
import { needTable } from '../../../../../../pipeline/tables/table.js';
import { LONGEST } from '../../../../../support/long.js';
import { MiB } from '../../../../../support/solving.js';
import { buildFathom } from '../fathom.js';
import { imagesOf } from '../images.js';
import { expectedOf, positionsOf } from '../making.js';
import { askPythonChess, PYTHON_CHESS } from '../python-chess.js';
import { openEngine, STOCKFISH, saidBy } from '../stockfish.js';

const folder = process.env.MERGEMATE_TEST_SYZYGY ?? '';
const tables = process.env.MERGEMATE_TEST_TABLES ?? '';
const asked = LONGEST && folder !== '' && tables !== '';

/** Positions of an ending, before their images. Stockfish and python-chess get some of these, for each takes them longer. */
const SAMPLE = 20_000;
const SHOWN = 200;
const READ = 2_000;
/** Men from which on endings are sampled, and those of "KQvK.rtbw" that are no men. */
const LEAST_MEN = 5;
const endings = !asked
  ? []
  : readdirSync(folder)
      .filter((name) => name.endsWith('.rtbw') && name.length - 'v.rtbw'.length >= LEAST_MEN)
      .map((name) => name.replace('.rtbw', '').replace('v', ''));

const store = localStore(asked ? tables : '.', { durable: false });
const open = (slice: string) => needTable(store, chess as Game, 'dtz', slice);

const someOf = <T>(all: readonly T[], count: number) =>
  all.filter((_, i) => i % Math.max(1, Math.floor(all.length / count)) === 0);

async function sampleOf(ending: string) {
  let all = 0;
  for (const slice of chess.ending(ending).slices) {
    const { positions } = (await open(slice)).manifest;
    all += positions[0] + positions[1];
  }
  const some = await positionsOf({ open } as never, ending, Math.max(1, Math.floor(all / SAMPLE)));
  return some.filter(({ fen }) => chess.terminal(chess.parse(fen)) === 'open');
}

const isNear = (
  got: { outcome: number; plies: number },
  { outcome, plies }: { outcome: number; plies: number },
) => got.outcome === outcome && Math.abs(got.plies - plies) <= 1;

/** The result under the rule of 50 moves: a cursed win is drawn. */
const resultOf = (outcome: number) => (outcome === 4 ? 'win' : outcome === 0 ? 'loss' : 'draw');

const drawnIfCursed = (wdl: Wdl) => (wdl === 'win' || wdl === 'loss' ? wdl : 'draw');

describe.skipIf(!asked)(
  `files in a folder${asked ? '' : ' (skipped: MERGEMATE_TEST_SYZYGY and _TABLES are not given)'}`,
  () => {
    test.each(endings)('%s has the values of its tables', { timeout: 3_600_000 }, async (ending) => {
      const positions = await sampleOf(ending);
      expect(positions.length).toBeGreaterThan(SAMPLE / 2);
      const symmetries = ending.includes('P') ? 2 : 8;
      const images = positions.flatMap(({ fen, code }) =>
        imagesOf(parseFen(fen), symmetries).map((image) => ({ fen: image, code })),
      );
      const wrong: object[] = [];
      const fathom = buildFathom();
      onTestFinished(() => fathom?.remove());
      const probed = fathom?.probe(
        folder,
        images.map(({ fen }) => fen),
      );
      for (const [i, { fen, code }] of images.entries()) {
        if (probed !== undefined && !isNear(probed[i], expectedOf(code)))
          wrong.push({ fen, code, got: probed[i] });
      }
      const files = openSyzygyTables(localStore(folder, { durable: false }), 64 * MiB);
      for (const { fen, code } of positions) {
        const got = await files.plies(parseFen(fen));
        if (!isNear(got, expectedOf(code))) wrong.push({ fen, code, ours: got });
      }
      const read = PYTHON_CHESS ? someOf(positions, READ) : [];
      const byPython = askPythonChess(
        folder,
        read.map(({ fen }) => fen),
      );
      for (const [i, { fen, code }] of read.entries())
        if (!isNear(byPython[i], expectedOf(code))) wrong.push({ fen, code, python: byPython[i] });
      expect(wrong.slice(0, 5)).toEqual([]);
      const shown = STOCKFISH === undefined ? 0 : await showToStockfish(positions);
      const outcomes = [0, 1, 2, 3, 4].map(
        (outcome) => positions.filter(({ code }) => expectedOf(code).outcome === outcome).length,
      );
      process.stderr.write(
        `${ending}: Fathom ${probed?.length ?? 0}, our reader ${positions.length}, python-chess ${read.length}, Stockfish ${shown}; lost to won ${outcomes.join(' ')}\n`,
      );
    });

    /** Returns how many were shown. */
    async function showToStockfish(positions: readonly { fen: string; code: number }[]): Promise<number> {
      const prober = newProber({ game: chess, metric: 'dtz', store, cacheBytes: 64 * MiB });
      const engine = openEngine(folder);
      onTestFinished(() => void engine.close());
      await engine.ready();
      const shown = someOf(positions, SHOWN);
      const wrong: object[] = [];
      for (const { fen, code } of shown) {
        const said = await engine.ask(fen);
        const { moves } = await prober.probe(chess.parse(fen));
        const result = resultOf(expectedOf(code).outcome);
        const kept = moves.find(({ uci }) => uci === said.move);
        if (
          said.hits === 0 ||
          saidBy(said) !== result ||
          kept === undefined ||
          drawnIfCursed(kept.wdl) !== result
        )
          wrong.push({ fen, code, kept, ...said });
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      return shown.length;
    }
  },
);
