/** `mergemate uci` as chess programs use it: a client of the protocol, and games against Stockfish where it is installed. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { PYTHON_CHESS } from '../../pipeline/games/chess/syzygy/python-chess.js';
import { STOCKFISH } from '../../pipeline/games/chess/syzygy/stockfish.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';
import { UciEngine } from '../../support/uci.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const files = join(folder, 'syzygy');
// With all that they convert to; of four and five men in the longest tests.
const ENDINGS = [...['KQK', 'KRK', 'KPK'], ...(LONGEST ? ['KQKR', 'KBNK', 'KBBKN'] : [])];
/** The endings whose Syzygy files are written, too. */
const FILED = LONGEST ? ['KQK', 'KRK', 'KPK'] : ['KQK'];
const GAMES = LONGEST ? 200 : LONG ? 20 : 4;
/** Games played by python-chess from tables, and from Syzygy files. */
const PYTHON_GAMES = LONGEST ? ([20, 12] as const) : ([8, 5] as const);
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const QUEEN = '8/8/8/8/8/2k5/8/K6Q w - - 0 1';

const opened: UciEngine[] = [];
async function engine(...flags: string[]): Promise<UciEngine> {
  const one = new UciEngine(process.execPath, [resolve('dist/jobs/cli.js'), 'uci', ...flags]);
  opened.push(one);
  await one.begin();
  return one;
}

let shared: Promise<UciEngine> | undefined;
/** The engine with the tables of the store, which tests share as games do: its options are the usual ones. */
async function engineOfStore(): Promise<UciEngine> {
  shared ??= engine('--store', store);
  const one = await shared;
  one.send('setoption name MultiPV value 1', 'ucinewgame');
  return one;
}

beforeAll(async () => {
  await putEndings(store, chess, ENDINGS);
  await putEndings(store, chess, FILED, ['dtz']);
  await mergemate.succeed(['publish', 'chess', ...FILED, '--as', 'syzygy', '--to', files]);
}, 600_000);
afterAll(async () => {
  for (const one of opened) await one.quit();
  rmSync(folder, { recursive: true, force: true });
});

test('answers go with the score of a mate and as many lines as MultiPV, whatever the clock', async () => {
  const one = await engineOfStore();
  const { plies } = await mergemate.succeedJson<{ plies: number }>(['probe', 'chess', QUEEN]);
  const { info, move } = await one.go(`fen ${QUEEN}`, 'wtime 1000 btime 1000 winc 10 binc 10');
  expect(info).toHaveLength(1);
  expect(info[0]).toContain(` multipv 1 score mate ${Math.ceil(plies / 2)} `);
  expect(info[0]).toMatch(new RegExp(` pv ${move}( |$)`));
  one.send('setoption name MultiPV value 3');
  const { info: three } = await one.go(`fen ${QUEEN}`, 'movetime 10');
  expect(three.map((line) => / multipv (\d) score mate (\d+) /.exec(line)?.[1])).toEqual(['1', '2', '3']);
});

test('reports a position that it cannot look up, and plays a legal move', async () => {
  const one = await engineOfStore();
  const { info, move } = await one.go('startpos moves e2e4 e7e5 g1f3', 'depth 5');
  expect(info).toEqual([expect.stringMatching(/^info string .*men/)]);
  expect(
    new Chess(START.replace('w KQkq', 'b KQkq'))
      .moves({ verbose: true })
      .map(({ lan }) => lan)
      .concat(['e5e4']),
  ).toContain(move);
  one.send('position startpos moves e2e5');
  expect((await one.until('info string')).at(-1)).toBe('info string e2e5 is not a legal move');
  one.send('position fen 8/8/8 w', 'setoption name MultiPV value 0');
  expect((await one.until('info string')).at(-1)).toMatch(/FEN/);
  expect((await one.until('info string')).at(-1)).toMatch(/MultiPV must be/);
});

test('a finished game is answered with no move', async () => {
  const one = await engineOfStore();
  const mated = await one.go('fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', 'depth 1');
  expect(mated).toEqual({ info: ['info depth 0 score mate 0'], move: '(none)' });
  const stalemate = await one.go('fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', 'depth 1');
  expect(stalemate).toEqual({ info: ['info depth 0 score cp 0'], move: '(none)' });
});

test('plays one of searchmoves, and none if none of them is legal', async () => {
  const one = await engineOfStore();
  one.send('setoption name MultiPV value 9');
  const { info, move } = await one.go(`fen ${QUEEN}`, 'searchmoves h1h7 h1d5 a1a8 depth 3');
  expect(info.map((line) => / pv (\w+)/.exec(line)?.[1]).sort()).toEqual(['h1d5', 'h1h7']);
  expect(info[0]).toMatch(new RegExp(` pv ${move}( |$)`));
  // Without a table, too: castling is a legal move.
  const castling = await one.go('fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1', 'searchmoves e1g1');
  expect(castling.move).toBe('e1g1');
  expect(await one.go(`fen ${QUEEN}`, 'searchmoves h1g3 wtime 1000')).toEqual({
    info: ['info string none of searchmoves is a legal move'],
    move: '0000',
  });
});

test('says the move of go infinite after stop, and that of go ponder after stop or ponderhit', async () => {
  const one = await engineOfStore();
  /** What is said until the engine has taken the commands in: it is ready meanwhile, so that it is asked for an option last. */
  const said = async (...commands: string[]) => {
    one.send(...commands, 'setoption name no such one');
    const lines = await one.until('info string there is no option');
    return lines.slice(0, -1).map((line) => line.split(' ')[0]);
  };
  expect(await said(`position fen ${QUEEN}`, 'go infinite')).toEqual(['info']);
  expect(await said('ponderhit')).toEqual([]);
  expect(await said('stop')).toEqual(['info', 'bestmove']);
  expect(await said('stop')).toEqual([]);
  expect(await said('go ponder wtime 1000 btime 1000')).toEqual(['info']);
  expect(await said('ponderhit')).toEqual(['info', 'bestmove']);
  expect(await said('go ponder', 'stop')).toEqual(['info', 'info', 'bestmove']);
});

test('plays no move of another position after one that it cannot read', async () => {
  const one = await engineOfStore();
  await one.go(`fen ${QUEEN}`, 'depth 1');
  for (const wrong of [`fen ${QUEEN} moves h1d5 c3d5`, 'fen 8/8/8 w', 'nowhere']) {
    const { info, move } = await one.go(wrong, 'depth 1');
    expect(move).toBe('0000');
    expect(info.at(-1)).toBe('info string the last position could not be read: no move is played');
  }
  expect((await one.go(`fen ${QUEEN}`, 'depth 1')).move).not.toBe('0000');
});

test('plays from Syzygy files', async () => {
  const one = await engine('--syzygy', files);
  const game = new Chess(QUEEN);
  for (let plies = 0; !game.isGameOver() && plies < 100; plies++) {
    const { info, move } = await one.go(`fen ${game.fen()}`, 'movetime 1');
    expect(info[0]).toMatch(/ score cp -?(19\d{3}|20000) /);
    game.move(move);
  }
  expect(game.isCheckmate()).toBe(true);
});

test.skipIf(!LONG)(`without plies, repeats no position a third time and converts${ifShort}`, async () => {
  const wdl = join(folder, 'wdl');
  await putEndings(wdl, chess, ['KPK'], ['wdl']);
  const one = await engine('--store', wdl);
  const other = await engineOfStore();
  const fen = '4k3/8/4K3/4P3/8/8/8/8 w - - 0 1';
  const game = new Chess(fen);
  const moves: string[] = [];
  while (!game.isDraw() && !game.fen().includes('Q')) {
    const player = game.turn() === 'w' ? one : other;
    const { move } = await player.go(`fen ${fen} moves ${moves.join(' ')}`.trim(), 'movetime 1');
    moves.push(move);
    game.move(move);
  }
  expect(game.isDraw(), moves.join(' ')).toBe(false);
});

/** Won positions of endings, by a generator that always gives the same. */
async function wonPositions(count: number, names = ENDINGS): Promise<{ fen: string; plies: number }[]> {
  const found: { fen: string; plies: number }[] = [];
  let seed = 12345;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const slices = names.flatMap((name) => chess.ending(name).slices);
  while (found.length < count) {
    const slice = slices[random(slices.length)];
    const { parts, width } = chess.slice(slice);
    const at = { slice, side: 0 as const, part: random(parts), key: random(width) };
    // Either colour may be the one that wins.
    const board = chess.board(at, random(2) === 1);
    try {
      const fen = chess.format(board);
      chess.parse(fen);
      const probed = await mergemate.succeedJson<{ outcome: string; plies: number }>([
        'probe',
        'chess',
        fen,
        '--metric',
        'dtm',
      ]);
      if (probed.outcome === 'win') found.push({ fen, plies: probed.plies });
    } catch {
      // No legal position has this index.
    }
  }
  return found;
}

test.skipIf(STOCKFISH === undefined)(
  `wins every won position against Stockfish within its plies${STOCKFISH === undefined ? ' (Stockfish is not installed)' : ifShort}`,
  { timeout: 1_800_000 },
  async () => {
    const one = await engineOfStore();
    const other = new UciEngine(STOCKFISH!, []);
    opened.push(other);
    await other.begin();
    const positions = await wonPositions(GAMES);
    for (const { fen, plies } of positions) {
      const game = new Chess(fen);
      const mover = game.turn();
      let played = 0;
      for (; !game.isCheckmate() && played < plies; played++) {
        const player = game.turn() === mover ? one : other;
        game.move((await player.go(`fen ${game.fen()}`, 'nodes 2000')).move);
      }
      expect([game.isCheckmate(), played <= plies], fen).toEqual([true, true]);
    }
  },
);

/** What lichess-bot sets unless its user says otherwise, in older and newer versions. */
const LICHESS_BOT = {
  'Move Overhead': 100,
  Threads: 4,
  Hash: 512,
  SyzygyPath: './syzygy/',
  UCI_ShowWDL: true,
};

interface PlayedByPython {
  readonly code: number | null;
  readonly stderr: string;
  readonly games: readonly { readonly mates: boolean; readonly plies: number }[];
}

async function playByPython(
  flags: readonly string[],
  options: object,
  fens: readonly string[],
): Promise<PlayedByPython> {
  const command = [process.execPath, resolve('dist/jobs/cli.js'), 'uci', ...flags];
  const child = spawn('python3', [join(import.meta.dirname, 'python-client.py')], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  child.stdin.end(JSON.stringify({ command, options, fens }));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  const games = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .map(([mates, plies]) => ({ mates: mates === 1, plies }));
  return { code, stderr, games };
}

describe.skipIf(!PYTHON_CHESS || !LONG)(
  `python-chess, with the options of lichess-bot,${PYTHON_CHESS ? ifShort : ' (skipped: no python-chess)'}`,
  () => {
    test('plays won positions to mate from tables, within their plies', { timeout: 900_000 }, async () => {
      const positions = await wonPositions(PYTHON_GAMES[0]);
      const fens = positions.map(({ fen }) => fen);
      const { code, stderr, games } = await playByPython(['--store', store], LICHESS_BOT, fens);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(games.filter(({ mates, plies }, i) => !mates || plies > positions[i].plies)).toEqual([]);
      expect(games).toHaveLength(PYTHON_GAMES[0]);
    });

    test('plays won positions to mate from Syzygy files', { timeout: 900_000 }, async () => {
      const positions = await wonPositions(PYTHON_GAMES[1], FILED);
      const fens = positions.map(({ fen }) => fen);
      // The store is not there: the files are named by an option, as lichess-bot does it.
      const options = { ...LICHESS_BOT, SyzygyPath: files };
      const { code, stderr, games } = await playByPython(['--store', 'nowhere'], options, fens);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(games.filter(({ mates }) => !mates)).toEqual([]);
      expect(games).toHaveLength(PYTHON_GAMES[1]);
    });
  },
);
