/**
 * Stockfish plays from the files (Debian: stockfish). With one ply to think it must tell the outcome that tables have, and a move
 * that keeps it. Skipped where it is not installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chess } from '../../pipeline/games/chess/chess.js';
import { newProber } from '../../pipeline/probe/prober.js';
import { testFolder } from '../support/cli.js';
import { ifShort, LONG } from '../support/long.js';
import { MiB } from '../support/solving.js';
import { filesOf, positionsOf, solveEnding } from './making.js';

const STOCKFISH = ['stockfish', '/usr/games/stockfish'].find(
  (name) => spawnSync(name, { input: 'quit\n' }).status === 0,
);
const skipped = STOCKFISH === undefined ? ' (skipped: no Stockfish)' : ifShort;

interface Said {
  readonly hits: number;
  /** Centipawns for who is to move; mates count 100,000. */
  readonly score: number;
  readonly move: string;
}

/** Wins by tables are told as some 88 pawns (VALUE_TB_WIN, scaled), cursed ones and draws as less than one. */
const WON = 5_000;

/** Stockfish with a folder of files. */
function openEngine(folder: string) {
  const engine = spawn(STOCKFISH!, { stdio: ['pipe', 'pipe', 'inherit'] });
  engine.stdout.setEncoding('utf8');
  let lines: string[] = [];
  let rest = '';
  let heard = () => {};
  engine.stdout.on('data', (text: string) => {
    const all = (rest + text).split('\n');
    rest = all.pop()!;
    lines.push(...all);
    heard();
  });

  /** The lines up to one that begins so. */
  async function until(word: string): Promise<string[]> {
    for (;;) {
      const end = lines.findIndex((line) => line.startsWith(word));
      if (end >= 0) {
        const some = lines.slice(0, end + 1);
        lines = lines.slice(end + 1);
        return some;
      }
      await new Promise<void>((resolve) => (heard = resolve));
    }
  }

  const send = (...commands: string[]) => engine.stdin.write(commands.map((each) => `${each}\n`).join(''));
  send('uci', 'setoption name Hash value 16', `setoption name SyzygyPath value ${folder}`, 'isready');
  return {
    ready: () => until('readyok'),
    async ask(fen: string): Promise<Said> {
      send('ucinewgame', `position fen ${fen}`, 'go depth 1');
      const told = await until('bestmove');
      const line = told.filter((each) => each.includes(' score ')).at(-1)!;
      const [, kind, score] = / score (cp|mate) (-?\d+)/.exec(line)!;
      return {
        hits: Number(/ tbhits (\d+)/.exec(line)?.[1] ?? 0),
        score: kind === 'mate' ? Math.sign(Number(score)) * 100_000 : Number(score),
        move: told.at(-1)!.split(' ')[1],
      };
    },
    close: () => engine.kill(),
  };
}

describe.skipIf(STOCKFISH === undefined || !LONG)(`Stockfish${skipped}`, () => {
  test.each([
    { ending: 'KPK', of: ['KPK', 'KQK', 'KRK'], step: 997, least: 250 },
    { ending: 'KQKR', of: ['KQKR'], step: 9973, least: 200 },
    { ending: 'KBNK', of: ['KBNK'], step: 9973, least: 150 },
  ])('knows positions of $ending, and keeps their outcomes', async ({ ending, of, step, least }) => {
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
      const told = said.score >= WON ? 'win' : said.score <= -WON ? 'loss' : 'draw';
      const kept = moves.find(({ uci }) => uci === said.move)?.wdl;
      if (said.hits === 0 || told !== wdl || kept !== wdl) wrong.push({ fen, wdl, kept, ...said });
    }
    expect(positions.length).toBeGreaterThan(least);
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
