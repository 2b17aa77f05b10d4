/** Options of the UCI engine, and places that are missing, wrong, or change while it runs. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Chess } from 'chess.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldersOf, optionsOf, readOption } from '../../../jobs/uci/options.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';
import { UciEngine } from '../../support/uci.js';

const folder = newFolder();
const store = join(folder, 'tables');
const wdl = join(folder, 'wdl');
const dtz = join(folder, 'dtz');
const mergemate = program(store);
const QUEEN = '8/8/8/8/8/2k5/8/K6Q w - - 0 1';
const ROOK = '8/8/8/8/8/2k5/8/K6R w - - 0 1';

const opened: UciEngine[] = [];
function start(...flags: string[]): UciEngine {
  const one = new UciEngine(process.execPath, [resolve('dist/jobs/cli.js'), 'uci', ...flags], folder);
  opened.push(one);
  return one;
}

beforeAll(async () => {
  await putEndings(store, chess, ['KQK'], ['dtz', 'dtm']);
  const files = join(folder, 'files');
  await mergemate.succeed(['publish', 'chess', 'KQK', '--as', 'syzygy', '--to', files]);
  for (const to of [wdl, dtz]) mkdirSync(to);
  for (const name of readdirSync(files)) {
    if (name.endsWith('.rtbw')) renameSync(join(files, name), join(wdl, name));
    if (name.endsWith('.rtbz')) renameSync(join(files, name), join(dtz, name));
  }
}, 600_000);
afterAll(async () => {
  for (const one of opened) await one.quit();
  rmSync(folder, { recursive: true, force: true });
});

const SETTINGS = { hash: 64, multipv: 1, showWdl: false, rule50: true, syzygyPath: '', store: 'tables' };

describe('options', () => {
  const options = optionsOf(SETTINGS);
  const read = (text: string) => {
    const { option, value } = readOption(text, options);
    return [option.name, value];
  };

  test.each([
    [' name Hash value 512', ['Hash', 512]],
    ['  NAME   move   OVERHEAD  value   100 ', ['Move Overhead', 100]],
    [' name uci_showwdl value TRUE', ['UCI_ShowWDL', true]],
    [' name SyzygyPath value /a/my  tables:/b', ['SyzygyPath', '/a/my  tables:/b']],
    [' name SyzygyPath value <empty>', ['SyzygyPath', '']],
    [' name SyzygyPath value', ['SyzygyPath', '']],
    [' name Store', ['Store', '']],
    [' name Clear Hash', ['Clear Hash', null]],
    [
      ' name UCI_Opponent value GM 2800 human the value of it',
      ['UCI_Opponent', 'GM 2800 human the value of it'],
    ],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ['', /setoption needs "name"/],
    [' name Skill Level value 3', /there is no option "Skill Level": it is ignored/],
    [' name Hash value', /Hash must be a whole number from 1 to \d+, not ""/],
    [' name Hash value 1.5', /Hash must be/],
    [' name MultiPV value 0', /MultiPV must be/],
    [' name Ponder value yes', /Ponder must be true or false, not "yes"/],
  ])('%j is refused', (text, error) => {
    expect(() => readOption(text, options)).toThrow(error);
  });

  test('folders are separated as in PATH', () => {
    expect(foldersOf('/a:/b', ':')).toEqual(['/a', '/b']);
    expect(foldersOf(' /a/b c ::', ':')).toEqual(['/a/b c']);
    expect(foldersOf('C:\\a;D:\\b', ';')).toEqual(['C:\\a', 'D:\\b']);
    expect(foldersOf('https://host:8080/x:/b:s3://bucket/p:file:///c:http://h/y', ':')).toEqual([
      'https://host:8080/x',
      '/b',
      's3://bucket/p',
      'file:///c',
      'http://h/y',
    ]);
    expect(foldersOf('', ':')).toEqual([]);
  });
});

/** The lines of `uci`, and what follows until the engine is ready. */
async function greeted(one: UciEngine): Promise<{ options: string[]; troubles: string[] }> {
  one.send('uci', 'isready');
  const said = await one.until('uciok');
  return {
    options: said.flatMap((line) => /^option name (.*?) type /.exec(line)?.[1] ?? []),
    troubles: (await one.until('readyok')).slice(0, -1),
  };
}

test('an engine has no JSON to print', async () => {
  const { code, stderr } = await mergemate.run(['uci', '--json']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "mergemate: unknown option '--json'\n" });
});

test('uciok comes whatever the places are, and the trouble behind it', async () => {
  for (const [flags, trouble] of [
    [[], /tables: there is no such folder/],
    [['--store', 'nowhere'], /nowhere: there is no such folder/],
    [['--store', 'ftp://host/x'], /scheme "ftp:" is not supported/],
    [['--syzygy', 'nowhere'], /nowhere: there is no such folder/],
    [['--syzygy', wdl, '--metric', 'dtm'], /--syzygy cannot be combined with another --metric/],
    [['--published', 'nowhere'], /nowhere: there is no such folder/],
  ] as const) {
    const one = start(...flags);
    // The store of the test's folder is not the one that is named.
    one.send('setoption name Store value gone');
    await one.until('info string');
    const { options, troubles } = await greeted(one);
    expect(options).toEqual(
      expect.arrayContaining(['Hash', 'Threads', 'Move Overhead', 'SyzygyPath', 'Store']),
    );
    if (flags.length > 0) expect(troubles.join('\n')).toMatch(flags[0] === '--store' ? /gone/ : trouble);
    // It goes on, and plays some legal move.
    const { info, move } = await one.go(`fen ${QUEEN}`, 'movetime 10');
    expect(info[0]).toMatch(/^info string /);
    expect(move).toMatch(/^[a-h][1-8][a-h][1-8]$/);
  }
});

test('Store and SyzygyPath work at any time, with several folders', async () => {
  const one = start('--store', 'nowhere');
  expect((await greeted(one)).troubles).toEqual([
    expect.stringContaining('nowhere: there is no such folder'),
  ]);
  one.send(`setoption name SyzygyPath value ${wdl}:${join(folder, 'gone')}:${dtz}`);
  expect((await one.until('info string')).at(-1)).toContain('nowhere');
  expect((await one.until('info string')).at(-1)).toMatch(/gone: there is no such folder$/);
  expect((await one.go(`fen ${QUEEN}`, 'movetime 100')).info.at(-1)).toMatch(/ score cp 199\d\d /);
  // Tables of mates are asked first.
  one.send(`setoption name store value ${store}`, `setoption name SyzygyPath value ${wdl}:${dtz}`);
  expect((await one.go(`fen ${QUEEN}`, 'movetime 100')).info.at(-1)).toMatch(/ score mate \d+ /);
  one.send('setoption name Store value <empty>', 'setoption name SyzygyPath value <empty>');
  expect((await one.go(`fen ${QUEEN}`, 'movetime 100')).info).toEqual([
    'info string neither Store nor SyzygyPath is set, so no position is known',
  ]);
  one.send(
    `setoption name SyzygyPath value ${wdl}:${dtz}`,
    'setoption name Hash value 1',
    'setoption name Clear Hash',
  );
  expect((await one.go(`fen ${QUEEN}`, 'movetime 100')).info.at(-1)).toMatch(/ score cp 199\d\d /);
  // All that is missing for KRvK at once, as files are named.
  expect((await one.go(`fen ${ROOK}`, 'movetime 100')).info).toEqual([
    expect.stringMatching(/^info string .* have no files of KRvK \(\.rtbw and \.rtbz\)$/),
  ]);
  const pawn = await one.go('fen 8/8/8/8/8/2k5/P7/K7 w - - 0 1', 'movetime 100');
  expect(pawn.info[0]).toMatch(/ have no files of KPvK, KRvK, KBvK, KNvK \(\.rtbw and \.rtbz\)$/);
});

test('a damaged file is named, and tables answer in its place', async () => {
  const path = join(folder, 'damaged');
  mkdirSync(path);
  for (const name of ['KQvK.rtbw', 'KQvK.rtbz']) writeFileSync(join(path, name), new Uint8Array(80));
  const one = start('--store', 'nowhere');
  await greeted(one);
  one.send(`setoption name SyzygyPath value ${path}`);
  const { info } = await one.go(`fen ${QUEEN}`, 'movetime 100');
  expect(info.join('\n')).toMatch(/info string .*KQvK\.rtbw: does not begin as a Syzygy file/);
  one.send(`setoption name Store value ${store}`);
  expect((await one.go(`fen ${QUEEN}`, 'movetime 100')).info.at(-1)).toMatch(/ score mate /);
});

test('UCI_ShowWDL says what moves are worth', async () => {
  const one = start('--store', store);
  await greeted(one);
  one.send('setoption name UCI_ShowWDL value true', 'setoption name MultiPV value 256');
  const { info } = await one.go('fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1', 'movetime 1000');
  const worth = (move: string) =>
    / score (.*) nodes /.exec(info.find((line) => line.includes(` pv ${move}`))!)![1];
  expect(worth('d1e2')).toMatch(/^mate \d+ wdl 1000 0 0$/);
  // The king takes the queen.
  expect(worth('d1d4')).toBe('cp 0 wdl 0 1000 0');
});

test('commands come with odd spaces and case, and unknown words are passed over', async () => {
  const one = start('--store', store);
  one.send('  UCI  ', 'isready\r', 'joho debug on', 'ucinewgame', 'xyzzy', '');
  await one.until('readyok');
  one.send('   SetOption   Name  multipv   Value  2 ', 'setoption name Nonsense value 1');
  expect((await one.until('info string')).at(-1)).toBe(
    'info string there is no option "Nonsense": it is ignored',
  );
  const { info } = await one.go(`fen  ${QUEEN}   moves   h1a8   c3b3 `, 'depth 3');
  expect(info).toHaveLength(2);
  const game = new Chess(QUEEN);
  for (const move of ['h1a8', 'c3b3']) game.move(move);
  for (const line of info) {
    const pv = / pv (.*)$/.exec(line)![1].split(' ');
    const after = new Chess(game.fen());
    for (const move of pv) after.move(move);
    const mate = Number(/ score mate (\d+) /.exec(line)![1]);
    expect([after.isCheckmate(), Math.ceil(pv.length / 2)]).toEqual([true, mate]);
  }
  one.send(`position fen ${QUEEN} garbage`);
  expect((await one.until('info string')).at(-1)).toMatch(/7 fields, expected at most 6/);
});
