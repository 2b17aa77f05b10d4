/**
 * `study` as composers need it: duals and losses of time, what the text claims, any metric that is there, and long games in which
 * nothing happens. Solutions and their flaws are published: Saavedra 1895, and the endings of a king and pawn.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KnownPosition, kindOfOther, positionKey } from '../../../pipeline/analysis/duals.js';
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { verdictOf } from '../../../pipeline/tables/probe/verdict.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { LONG } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const under = (metric: string) => join(folder, metric);
beforeAll(async () => {
  await putEndings(store, chess, ['KRKP.3', 'KPK']);
  await putEndings(under('dtz'), chess, ['KPK'], ['dtz']);
  await putEndings(under('wdl'), chess, ['KRK'], ['wdl']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Other {
  san: string;
  plies: number | null;
  kind?: string;
}

interface Checked {
  start: { wdl: string; plies: number | null; metric: string; keeping: Other[] } | null;
  claims: { claim: string; text: string; right: boolean | null; says: string }[];
  moves: { number: string; san: string; depth: number; verdict: string; kind?: string; others: Other[] }[];
}

let files = 0;
function file(text: string, name = 'game.pgn'): string {
  const path = join(folder, `${++files}-${name}`);
  writeFileSync(path, text);
  return path;
}

const study = (path: string, ...more: string[]) => mergemate.run(['study', path, ...more]);

async function textOf(text: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await study(file(text), ...more);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

async function checked(text: string, ...more: string[]): Promise<Checked> {
  return JSON.parse(await textOf(text, '--json', ...more)) as Checked;
}

const game = (fen: string, moves: string, result = '*') =>
  `[Event "?"]\n[FEN "${fen}"]\n[SetUp "1"]\n[Result "${result}"]\n\n${moves} ${result}\n`;

const SAAVEDRA = game(
  '8/8/1KP5/3r4/8/8/8/k7 w - - 0 1',
  '1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 (3. Kb6 Rd6+) Rd4+ 4. Kb3 (4. Kc3 Rd1 5. Kc2) Rd3+ 5. Kc2 Rd4 6. c8=R Ra4 7. Kb3',
  '1-0',
);

describe('duals, losses of time and the order of moves', () => {
  test('the Saavedra has no dual: its other winning moves lose time or return to the line', async () => {
    const { moves } = await checked(SAAVEDRA);
    const flaws = moves
      .filter(({ depth, others }) => depth === 0 && others.length > 0)
      .map(
        ({ number, san, others }) =>
          `${number} ${san}: ${others.map((each) => `${each.san} ${each.kind}`).join(', ')}`,
      );
    expect(flaws).toEqual([
      '3. Kb4: Kb6 loss of time',
      '4. Kb3: Kc3 transposition, Kb5 loss of time',
      '6. c8=R: Kb3 loss of time, Kc3 loss of time',
    ]);
  });

  test('text, comments and JSON have the same words for them', async () => {
    const text = await textOf(SAAVEDRA);
    expect(text).toMatch(/6\. c8=R +only move \(win\); loss of time: Kb3, Kc3/);
    expect(text).toMatch(/4\. Kb3 +only move \(win\); loss of time: Kb5; transposes: Kc3/);
    expect(text).not.toContain('also by Kb6');
    expect(text).toMatch(
      /^White to win: sound; main line: 4 only, 3 with minor duals; variations: 1 only, 2 with minor duals$/m,
    );
    const out = join(folder, 'saavedra.pgn');
    await mergemate.succeed(['study', file(SAAVEDRA), '--out', out]);
    const annotated = readFileSync(out, 'utf8').replace(/\s+/g, ' ');
    expect(annotated).toContain('6. c8=R {only move (win); loss of time: Kb3, Kc3}');
    expect(annotated).toContain('{Result 1-0: right} 1. c7');
  });

  test('a variation that begins with a loss of time is called one', async () => {
    const { moves } = await checked(SAAVEDRA);
    const first = moves.filter(({ depth, kind }) => depth === 1 && kind !== undefined);
    expect(first.map(({ san, kind }) => `${san}: ${kind}`)).toEqual([
      'Kb6: loss of time',
      'Kc3: transposition',
    ]);
    expect(await textOf(SAAVEDRA)).toMatch(/ {4}3\. Kb6 +loss of time \(win\)/);
  });

  test('other moves of the side that has nothing to reach are shown with --replies alone', async () => {
    const text = await textOf(SAAVEDRA);
    expect(text).toMatch(/^ {2}1\.\.\. Rd6\+ 2\. Kb5 +only move \(win\)$/m);
    expect(text).not.toContain('lost anyway');
    expect(await textOf(SAAVEDRA, '--replies')).toMatch(/^ {2}1\.\.\. Rd6\+ +lost anyway$/m);
  });

  const PAWNS = '4k3/8/8/3K4/4P3/8/8/8 w - - 0 1';
  test.each([
    ['3k4/8/3K4/3P4/8/8/8/8 w - - 0 1', '1. Ke6', '1-0', 'White to win: cooked; main line: 1 dual'],
    ['8/8/8/1k6/8/8/1K1P4/8 w - - 0 1', '1. Kb3 Kc5 2. Kc3', '1-0', 'White to win: sound; main line: 2 only'],
    ['8/8/8/1k6/8/8/1K1P4/8 w - - 0 1', '1. Kc3', '1-0', 'White to win: refuted; main line: 1 mistake'],
    ['8/8/8/1k6/8/8/1K1P4/8 w - - 0 1', '1. Kb3', '1/2-1/2', 'White to draw: cooked; main line: 1 only'],
    // The draw is kept, if not the win.
    [PAWNS, '1. e5 Kd7', '1/2-1/2', 'White to draw: cooked; main line: 1 mistake'],
    [PAWNS, '1. Ke6 Kd8 2. Kf7', '0-1', 'Black to win: refuted'],
    [PAWNS, '1. Ke6 Kd8 2. Kf7', '1-0', 'White to win: cooked; main line: 1 with minor duals, 1 dual'],
  ])('%s %s %s: %s', async (fen, moves, result, line) => {
    expect((await textOf(game(fen, moves, result))).split('\n')).toContain(line);
  });

  test('another way to win is a dual, and the replies of the other side are not examined', async () => {
    const { moves } = await checked(game('8/8/4k3/8/8/4K3/4P3/8 w - - 0 1', '1. Kf4 Kf6 2. e4', '1-0'));
    expect(moves[0].others.map(({ san, kind }) => [san, kind])).toContainEqual(['Ke4', 'dual']);
    const mistaken = await checked(game('4k3/8/8/3K4/4P3/8/8/8 w - - 0 1', '1. e5 Kd7', '1-0'));
    expect(mistaken.moves[1].others).toEqual([{ san: 'Ke7', plies: null }]);
  });

  test('moves that the search calls no dual cannot win without the solution', async () => {
    // By the definition: a game on the graph of all positions, from which those of the solution are taken out.
    const line = [
      'c6c7',
      'd5d6',
      'b6b5',
      'd6d5',
      'b5b4',
      'd5d4',
      'b4b3',
      'd4d3',
      'b3c2',
      'd3d4',
      'c7c8r',
      'd4a4',
      'c2b3',
    ];
    const { lookup } = await openTables();
    const solution: { position: string; uci: string | null }[] = [];
    let position = '8/8/1KP5/3r4/8/8/8/k7 w - - 0 1';
    for (const uci of line) {
      solution.push({ position, uci });
      position = (await lookup(position)).moves.find((move) => move.uci === uci)!.position;
    }
    solution.push({ position, uci: null });
    for (const at of [4, 6]) {
      const here = await lookup(solution[at].position);
      for (const other of keepingMoves(here).filter(({ uci }) => uci !== solution[at].uci)) {
        const kind = await kindOfOther(other, solution, at, here.wdl, lookup);
        const wins = await winsWithout(
          other.position,
          new Set(solution.slice(0, at + 7).map((each) => positionKey(each.position))),
          lookup,
        );
        expect([other.san, kind === 'dual']).toEqual([other.san, wins]);
      }
    }
  });
});

type Lookup = (position: string) => Promise<KnownPosition>;

async function openTables(): Promise<{ lookup: Lookup }> {
  const [{ chess }, { newProber }, { localStore }] = await Promise.all([
    import('../../../pipeline/games/chess/chess.js'),
    import('../../../pipeline/tables/probe/prober.js'),
    import('../../../operators/storage/local.js'),
  ]);
  const prober = newProber({ game: chess, metric: 'dtm', store: localStore(store, { durable: false }) });
  const known = new Map<string, KnownPosition>();
  return {
    async lookup(fen) {
      const found = known.get(positionKey(fen));
      if (found !== undefined) return found;
      const { moves, ...value } = await prober.probe(chess.parse(fen));
      const made: KnownPosition = {
        ...verdictOf(value),
        metric: 'dtm',
        moves: moves.map((move) => ({
          ...verdictOf(move),
          uci: move.uci,
          san: move.san,
          position: chess.format(move.board),
        })),
      };
      known.set(positionKey(fen), made);
      return made;
    },
  };
}

/** Whether the side that is not to move at `start` wins when it may not come to `taken`: the least set of won positions. */
async function winsWithout(start: string, taken: ReadonlySet<string>, lookup: Lookup): Promise<boolean> {
  const nodes = new Map<string, { readonly isSolvers: boolean; readonly next: readonly string[] }>();
  const open = [{ position: start, isSolvers: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { position, isSolvers } = next;
    const key = positionKey(position);
    if (nodes.has(key) || taken.has(key)) continue;
    // Once the pawn is a queen or captured, play has left the solution for good: the table tells who wins.
    const { moves, wdl } = await lookup(position);
    if (!/p/i.test(key.split(' ')[0]) || !/r/.test(key.split(' ')[0])) {
      nodes.set(key, {
        isSolvers,
        next: (wdl === 'win') === isSolvers && wdl !== 'draw' ? [] : ['lost to the other side'],
      });
      continue;
    }
    const kept = isSolvers ? moves.filter((move) => move.wdl === 'win') : moves;
    nodes.set(key, { isSolvers, next: kept.map((move) => positionKey(move.position)) });
    for (const move of kept) open.push({ position: move.position, isSolvers: !isSolvers });
  }
  const won = new Set([...nodes].filter(([, { next }]) => next.length === 0).map(([key]) => key));
  for (let before = -1; before < won.size; ) {
    before = won.size;
    for (const [key, { isSolvers, next }] of nodes) {
      if (isSolvers ? next.some((each) => won.has(each)) : next.every((each) => won.has(each))) won.add(key);
    }
  }
  return won.has(positionKey(start));
}

describe('claims of the text', () => {
  test.each([
    ['8/8/1KP5/3r4/8/8/8/k7 w - - 0 1', '1. c7', '1-0', 'right'],
    ['8/8/1KP5/3r4/8/8/8/k7 w - - 0 1', '1. c7', '0-1', 'the tables give a win of White'],
    ['8/8/1KP5/3r4/8/8/8/k7 w - - 0 1', '1. c7', '1/2-1/2', 'the tables give a win of White'],
    ['4k3/4P3/4K3/8/8/8/8/8 b - - 0 1', '*', '1-0', 'the tables give a draw'],
    ['4k3/4P3/4K3/8/8/8/8/8 b - - 0 1', '*', '1/2-1/2', 'right'],
  ])('%s %s: a result of %s is %s', async (fen, moves, result, says) => {
    const pgn = game(fen, moves === '*' ? '' : moves, result);
    expect((await checked(pgn)).claims).toEqual([
      { claim: 'Result', text: result, right: says === 'right', says },
    ]);
    expect(await textOf(pgn)).toContain(`\nResult ${result}: ${says}\n`);
  });

  test.each([
    ['1-0', false, 'the tables give a draw at the end'],
    ['1/2-1/2', true, 'right at the end'],
  ])(
    'a game without a table at its start is compared with its result %s at the end',
    async (result, right, says) => {
      const pgn = game('8/8/8/8/k7/2p5/1r1R4/2K5 w - - 0 1', '1. Rxb2 cxb2+ 2. Kxb2', result);
      const { start, claims } = JSON.parse((await study(file(pgn), '--json')).stdout) as Checked;
      expect(start).toBe(null);
      expect(claims).toEqual([{ claim: 'Result', text: result, right, says }]);
    },
  );

  test.each([
    ['[Stipulation "+"]', 'Stipulation +: right'],
    ['[Stipulation "="]', 'Stipulation =: the tables give a win of White'],
    [
      '[Stipulation "Black to play and win"]',
      'Stipulation Black to play and win: the tables give a win of White',
    ],
    ['[White "Réti=R"]\n[Black "(=0000.10)"]', 'Stipulation =: the tables give a win of White'],
  ])('%s is a claim of the outcome', async (tags, line) => {
    const text = await textOf(`${tags}\n[FEN "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"]\n\n1. Kd6 *\n`);
    expect(text.split('\n')).toContain(line);
  });

  /** Kd6 mates in 11 moves, Kf6 in 12; any other move draws. */
  const PAWN = '4k3/8/4K3/4P3/8/8/8/8 w - -';
  test.each([
    ['bm Kd6', 'bm Kd6: right'],
    ['bm e6-d6', 'bm e6-d6: right'],
    ['bm Kf6', 'bm Kf6: takes 23 plies; Kd6 takes 21'],
    ['bm Kd5', 'bm Kd5: gives the win away (draw); win by Kd6'],
    ['bm Kd8', 'bm Kd8: not a legal move here'],
    ['am Kd5', 'am Kd5: right: it gives the win away (draw)'],
    ['am Kf6', 'am Kf6: keeps the win'],
    ['dm 11', 'dm 11: right'],
    ['dm 5', 'dm 5: the tables give mate in 11'],
    ['dm -11', 'dm -11: the tables give mate in 11'],
    ['dm 0', 'dm 0: the tables give mate in 11'],
  ])('%s', async (operation, line) => {
    expect((await textOf(`${PAWN} ${operation};\n`)).split('\n')).toContain(line);
    const out = join(folder, 'claims.pgn');
    await mergemate.succeed(['study', file(`${PAWN} ${operation};\n`), '--out', out, '--force']);
    expect(readFileSync(out, 'utf8').replace(/\s+/g, ' ')).toContain(line);
  });

  test.each([
    ['7K/k7/8/P7/8/8/8/8 w - - dm 0;', 'dm 0: right'],
    ['8/8/8/8/8/2k5/1R6/K7 w - - dm 16;', 'dm 16: right'],
    ['8/8/8/8/8/2k5/1R6/K7 w - - dm 15;', 'dm 15: the tables give mate in 16'],
    ['8/8/8/1k6/8/8/K5P1/8 w - - dm 28;', 'dm 28: right'],
    [
      '8/8/8/1k6/8/8/6P1/1K6 b - - dm -3;',
      expect.stringMatching(/^dm -3: the tables give (a draw|a loss: mate in \d+)$/),
    ],
  ])('%s: published counts of moves to mate', async (epd, line) => {
    expect((await textOf(`${epd}\n`)).split('\n')).toContainEqual(line);
  });

  test('moves to mate are not sure under a metric that does not count them', async () => {
    const lines = await textOf(`${PAWN} dm 11;\n${PAWN} dm 1;\n`, '--store', under('dtz'));
    expect(lines).toMatch(/dm 11: a win, but only tables of the metric dtm count moves to mate/);
    expect(lines).toMatch(/dm 1: (no mate before ply \d|a win, but)/);
  });
});

test('"by" names the moves that reach the best number, then others with theirs', async () => {
  const text = await textOf('8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\n');
  expect(text).toMatch(
    /^White to move: wins in 37 plies \(mate in 19\), by Ke4; also Kd4 \(41\), Kf4 \(41\)$/m,
  );
  const rook = await textOf('8/8/8/2k5/4K3/8/8/7R w - - 0 1\n');
  expect(rook).toMatch(
    /wins in 21 plies \(mate in 11\), by Rd1; also \S+ \(23\), (\S+ \(\d+\), ){2}\S+ \(\d+\) and 15 more$/m,
  );
});

describe('tables under any metric', () => {
  test('are used without --metric, also dtz alone and wdl alone', async () => {
    const dtz = await checked('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\n', '--store', under('dtz'));
    expect(dtz.start).toMatchObject({ wdl: 'win', metric: 'dtz' });
    const wdl = await checked('8/8/8/2k5/4K3/8/8/7R w - - 0 1\n', '--store', under('wdl'));
    expect(wdl.start).toMatchObject({ wdl: 'win', metric: 'wdl', plies: null });
    expect(await textOf('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\n', '--store', under('dtz'))).toMatch(
      /mate or zeroing move in/,
    );
  });

  test('--metric takes that one alone', async () => {
    const { stdout, stderr } = await study(file('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\n'), '--metric', 'dtc');
    expect(stdout).toContain('in no table');
    expect(stderr).toContain('run "mergemate solve chess KPK --metric dtc"');
  });
});

describe('positions in no table', () => {
  test('of a small ending are answered with the command that solves the ending, not a slice of it', async () => {
    const { stderr } = await study(
      file('4k3/3ppp2/8/8/8/8/8/4K3 w - - 0 1\n4k3/3ppp2/8/8/8/8/8/3K4 w - - 0 1\n'),
    );
    const line = `mergemate: KPPPK is not solved in file:${store} (2 positions): run "mergemate solve chess KPPPK"`;
    expect(stderr.startsWith(line), stderr).toBe(true);
    // On a slow machine without what it costs.
    expect(stderr.slice(line.length)).toMatch(/^(: \d+ slices, .* CPU \w+, [\d.]+ [KMG]iB)?\n$/);
  });

  test('of a large ending are answered without a command that would take days', async () => {
    const { stderr } = await study(file('4k3/3ppp2/8/8/8/8/4P3/4K3 w - - 0 1\n'));
    expect(stderr).toContain('KPPPKP is not solved');
    expect(stderr).toContain('it has 6 men, the tables there have at most 4');
    expect(stderr).not.toMatch(/mergemate solve|\.\d/);
  });

  test('with too many men are answered with the number of men', async () => {
    const { stdout, stderr } = await study(file('4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 1\n'));
    expect(stdout).toContain('in no table (9 men; positions of at most 7 are looked up)');
    expect(stderr).toBe('');
  });
});

describe('moves that change nothing', () => {
  /** A game of so many plies, the same each time. */
  function wandering(fen: string, plies: number): string {
    const chess = new Chess(fen);
    const moves: string[] = [];
    for (let i = 0, seed = 1; i < plies; i++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      const legal = chess.moves();
      if (legal.length === 0) break;
      const { san } = chess.move(legal[(seed >> 16) % legal.length]);
      moves.push(i % 2 === 0 ? `${i / 2 + 1}. ${san}` : san);
    }
    return game(fen, moves.join(' '), '1/2-1/2');
  }

  const plies = LONG ? 4000 : 800;
  test(`${plies} plies of bare kings give one line and one comment`, async () => {
    const moves = Array.from({ length: plies / 4 }, (_, i) => `${2 * i + 1}. Kc2 Ke7 ${2 * i + 2}. Kd3 Ke6`);
    const pgn = game('8/8/4k3/8/8/3K4/8/8 w - - 0 1', moves.join('\n'), '1/2-1/2');
    const out = join(folder, 'kings.pgn');
    const lines = (await textOf(pgn, '--out', out)).split('\n').filter((line) => /^ +\d/.test(line));
    expect(lines).toEqual([`  1. Kc2 … ${plies / 2}... Ke6  ${plies} moves that change nothing (draw)`]);
    const comments = readFileSync(out, 'utf8').match(/\{[^}]*\}/g) ?? [];
    expect(comments.filter((each) => !each.startsWith('{Result'))).toHaveLength(1);
  });

  test('a rook that wanders in a won ending gives one line until something is given away', async () => {
    const text = await textOf(wandering('8/8/4k3/8/8/3K4/8/R7 w - - 0 1', 40));
    const lines = text.split('\n').filter((line) => /^ +\d/.test(line));
    expect(lines.length).toBeLessThan(8);
    expect(text).toMatch(/moves that change nothing \(White wins\)/);
  });

  test('moves that change the outcome keep a line each', async () => {
    const text = await textOf(SAAVEDRA, '--replies');
    expect(text.split('\n').filter((line) => /^ +\d/.test(line))).toHaveLength(18);
  });
});
