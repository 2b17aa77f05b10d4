/** Wrong uses of `export`: one line that says what is wrong, exit code 2, and no file. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { start } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const out = join(folder, 'out');
const file = (name: string) => join(out, name);

beforeAll(async () => {
  await putEndings(store, chess, ['KQK']);
  mkdirSync(file('folder'), { recursive: true });
  writeFileSync(file('there.csv'), 'precious');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, string[], string]>([
  [
    'a misspelt column',
    ['--columns', 'postion'],
    '--columns: there is no column "postion" (there are: ending, slice, index, position, mover, outcome, plies, best, weight) (Did you mean position?)',
  ],
  ['a column in capitals', ['--columns', 'Plies'], '(Did you mean plies?)'],
  ['no column', ['--columns', ''], '--columns must not be empty'],
  ['a comma too many', ['--columns', 'plies,'], '--columns: there is no column ""'],
  ['a column twice', ['--columns', 'plies,mover, plies'], '--columns: plies is given twice'],
  ['columns of another kind of game', ['--columns', 'layer'], '--columns: there is no column "layer"'],
  ['columns of another metric', ['--columns', 'solutions'], '--columns: there is no column "solutions"'],
  [
    'columns of zugzwangs of all rows',
    ['--columns', 'zugzwang'],
    '--columns: zugzwang is of mutual zugzwangs: give --where zugzwang',
  ],
  [
    'columns and EPD',
    ['--columns', 'plies', '--format', 'epd'],
    '--columns: positions in epd have no columns',
  ],
  ['a misspelt condition', ['--where', 'rsult=win'], '--where: "rsult=win" is not a condition'],
  ['a misspelt condition, with the right one', ['--where', 'pleis=3'], '(Did you mean plies?)'],
  ['a misspelt result', ['--where', 'result=lost'], '(Did you mean loss?)'],
  ['a result that is a number', ['--where', 'result=1'], '--where: "1" is not a result'],
  ['plies in words', ['--where', 'plies=ten'], 'plies: "ten" is neither a number'],
  ['negative plies', ['--where', 'plies=-3'], 'plies: "-3" is neither a number'],
  ['a fraction of plies', ['--where', 'plies=2.5'], 'plies: "2.5" is neither a number'],
  ['an open range', ['--where', 'plies=3..'], 'plies: "3.." is neither a number'],
  ['a comparison', ['--where', 'plies>3'], '--where: "plies>3" is not a condition'],
  ['a flag with a value', ['--where', 'longest=yes'], '--where: "longest=yes" is not a condition'],
  ['a condition without its value', ['--where', 'side='], '"side=" is not a condition: expected side=…'],
  ['plies without a number', ['--where', 'plies='], '"plies=" is not a condition: expected plies=N or N..M'],
  [
    'a column that no condition is called after',
    ['--where', 'outcome=win'],
    '(result= selects by the column outcome)',
  ],
  ['no condition', ['--where', ''], '--where must not be empty'],
  ['a condition twice', ['--where', 'plies=3 plies=4'], '--where: plies is given twice'],
  ['no such player', ['--where', 'side=red'], 'side: chess has no player "red" (it has: white, black)'],
  ['no such man', ['--where', 'on=Xa1'], '"Xa1" is not a man on a square'],
  [
    'solutions of another metric',
    ['--where', 'solutions=1'],
    'metric dtm holds no numbers of solutions to select by',
  ],
  ['zugzwang and longest', ['--where', 'zugzwang longest'], 'give either longest or zugzwang'],
  ['no rows', ['--limit', '0'], '--limit: "0" is not a whole number from 1'],
  ['fewer rows than none', ['--limit', '-1'], '--limit: "-1" is not a whole number from 1'],
  ['half a row', ['--limit', '1.5'], '--limit: "1.5" is not a whole number from 1'],
  ['rows in words', ['--limit', 'all'], '--limit: "all" is not a whole number from 1'],
  ['an unknown format by its name', ['--format', 'xlsx'], "argument 'xlsx' is invalid"],
  [
    'an unknown format by the extension',
    ['--out', file('kqk.xlsx')],
    `--out ${file('kqk.xlsx')} does not end in the name of a format: end it in .parquet, .arrow, .csv, .jsonl, .epd or .pgn, or give --format`,
  ],
  ['a name without an extension', ['--out', file('kqk')], 'does not end in the name of a format'],
  [
    'a format beside another extension',
    ['--out', file('kqk.csv'), '--format', 'arrow'],
    'is named as csv, but --format is arrow',
  ],
  [
    'Parquet on standard output',
    ['--format', 'parquet'],
    '--out -: standard output takes text, not parquet: give --out FILE',
  ],
  ['a folder that is not there', ['--out', file('nowhere/kqk.csv')], `there is no folder ${file('nowhere')}`],
  ['a file as a folder', ['--out', file('there.csv/'), '--format', 'csv'], 'a set of files goes to a folder'],
  [
    'a folder and a limit',
    ['--out', file('folder'), '--limit', '3'],
    'positions that are asked for go to one file',
  ],
  [
    'a folder and conditions',
    ['--out', `${file('folder')}/`, '--where', 'longest'],
    'positions that are asked for go to one file',
  ],
  ['a folder and PGN', ['--out', file('folder'), '--format', 'pgn'], 'pgn goes to one file'],
  ['a folder without a format', ['--out', `${file('folder')}/`], 'does not end in the name of a format'],
  ['a file that is there', ['--out', file('there.csv')], 'exists already: --force overwrites it'],
  ['no destination', ['--out', ''], '--out must not be empty'],
  ['an address', ['--out', 's3://bucket/kqk.csv'], '--out takes a path, not an address: s3://bucket/kqk.csv'],
  ['--force without a file', ['--force'], '--force goes with --out'],
])('%s', async (_, flags, message) => {
  const { code, stdout, stderr } = await mergemate.run(['export', 'chess', 'KQK', ...flags]);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
  expect([code, stdout]).toEqual([2, '']);
  expect(readdirSync(out).sort()).toEqual(['folder', 'there.csv']);
  expect(existsSync(file('folder')) && readdirSync(file('folder'))).toEqual([]);
});

test('rows on standard output are all that is there, with --json and --limit, too', async () => {
  const { stdout, stderr } = await mergemate.run(['export', 'chess', 'KQK', '--json', '--limit', '3']);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).slice),
  ).toEqual(['KQK', 'KQK', 'KQK']);
  expect(stderr).toBe('3 rows\n');
});

test.each([['epd']])('a reader that closes the pipe ends an export as %s quietly', async (format) => {
  const running = start(['export', 'chess', 'KQK', '--format', format, '--store', store]);
  running.child.stdout!.once('data', () => running.child.stdout!.destroy());
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
});
