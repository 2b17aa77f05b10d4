/** Every mistake a user can make is one line that says what is wrong and where, and exit code 2. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program, run } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { sweep } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  await putEndings(store, chess, ['KQK']);
  mkdirSync(file('empty'));
  const jobs: Record<string, string> = {
    'unknown-key.json': '{"game":"chess","endings":["KQK"],"memry":"1MiB"}',
    'no-endings.json': '{"game":"chess","endings":[]}',
    'bad-workers.json': '{"game":"chess","endings":["KQK"],"workers":"two"}',
    'bad-metric.json': '{"game":"chess","endings":["KQK"],"metric":"dtx"}',
    'bad-pieces.json': '{"game":"chess","pieces":"four"}',
    'bad-ending.json': '{"game":"chess","endings":["KQK", 7]}',
    'little-memory.json': '{"game":"chess","endings":["KQK"],"memory":"1KiB"}',
    'malformed.json': '{"game":"chess",\n "endings": [KQK]}',
    'cut-off.json': '{"game":"chess"',
    'empty.json': '',
    'array.json': '[1]',
    'null.json': 'null',
    'no-game.json': '{"endings":["KQK"]}',
    'memory-list.json': '{"game":"chess","endings":["KQK"],"memory":["1MiB"]}',
    'one-ending.json': '{"game":"chess","endings":"KQK"}',
    'verify-no.json': '{"game":"chess","endings":["KQK"],"verify":"no"}',
    'long.json': `{"game":"chess","endings":["KQK"],"workers":"${'a'.repeat(500)}"}`,
    'engine.json': '{"game":"chess","endings":["KQK"],"engine":"locl"}',
    'other-game.json': '{"game":"go","endings":["KQK"]}',
  };
  for (const [name, text] of Object.entries(jobs)) writeFileSync(file(name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const legal = '8/8/8/8/8/8/2k5/K6Q w - - 0 1';

test.concurrent.each<[string, string[], RegExp]>([
  [
    'published tables and plies',
    ['solve', 'chess', 'KQK', '--from-published', file('empty')],
    /--from-published needs --metric wdl/,
  ],
  [
    'published tables and ranks',
    ['solve', 'chess', 'KQK', '--metric', 'wdl', '--engine', 'processes', '--from-published', file('empty')],
    /--from-published goes with --engine local only/,
  ],
  ['no command', [], /no command/],
  ['unknown command', ['slove'], /unknown command 'slove'/],
  ['unknown command with an option', ['slove', '--help'], /unknown command 'slove'/],
  ['help for an unknown command', ['help', 'slove'], /unknown command 'slove'/],
  ['unknown option', ['solve', 'chess', 'KQK', '--metrik', 'dtm'], /unknown option '--metrik'/],
  ['solve without arguments', ['solve'], /missing required argument/],
  ['game without endings', ['solve', 'chess'], /name the endings/],
  ['neither file nor game', ['solve', 'QQQ'], /"QQQ" is neither a job file .* nor a game/],
  [
    'rules in another language',
    ['solve', './nim.py'],
    /nim\.py: what is solved is a job file .*, a graph .* or a module .*; docs\/python\.md has rules in Python/,
  ],
  ['a module that cannot be imported', ['solve', './nim.cjs'], /nim\.cjs: what is solved is .*\.mjs\)$/m],
  ['unknown game', ['solve', 'go', 'KQK'], /no game "go" \(games: chess, checkers\)/],
  ['ranks of pawns', ['solve', 'chess', 'KPK.8'], /ending "KPK.8": pawns stand on ranks 2 to 7/],
  ['no ending', ['solve', 'chess', 'QQ'], /ending "QQ"/],
  ['too many men', ['solve', 'chess', 'KQQQQKRRR'], /ending "KQQQQKRRR": 9 men/],
  [
    'unknown metric',
    ['solve', 'chess', 'KQK', '--metric', 'dtx'],
    /metric: chess has no "dtx" \(it has: dtm, dtc, dtz, dtm50, wdl, help, help-stalemate, self, self-stalemate\)/,
  ],
  [
    'values by clock in too little memory',
    ['solve', 'chess', 'KQKR', '--metric', 'dtm50', '--memory', '8MiB', '--store', store],
    /^mergemate: KQKR is solved in memory under dtm50, and needs 33 MiB of it: give --memory 33MiB or more\n$/,
  ],
  [
    'a plan of values by clock in too little memory',
    ['plan', 'chess', 'KQKR', '--metric', 'dtm50', '--memory', '8MiB'],
    /--memory 33MiB/,
  ],
  ...sweep(['stats KQK', 'plan KQK'], ['verify KQK', 'compare KQK', 'export KQK --format jsonl --out x']).map(
    (words): [string, string[], RegExp] => {
      const [command, ...rest] = words.split(' ') as [string, ...string[]];
      const args = [command, 'chess', ...rest, '--metric', 'dtw'];
      return [`a metric of another game: ${words}`, args, /chess has no "dtw"/];
    },
  ),
  ['a metric of another game: probe', ['probe', 'chess', legal, '--metric', 'dtw'], /chess has no "dtw"/],
  [
    'a metric of another game: line',
    ['probe', '--line', 'chess', legal, '--metric', 'dtw'],
    /chess has no "dtw"/,
  ],
  [
    'a metric of another game: rank',
    ['rank', 'chess', 'KQK', '--metric', 'dtw', '--rank', '0', '--ranks', '1', '--job', 'x'],
    /chess has no "dtw"/,
  ],
  ['too many pieces', ['solve', 'chess', '--pieces', '8'], /8 men are too many, at most 7/],
  ['too few pieces', ['plan', 'chess', '--pieces', '2'], /chess has no endings of at most 2 pieces/],
  ['no number of pieces', ['verify', 'chess', '--pieces', 'all'], /--pieces: "all" is not a whole number/],
  ['neither endings nor pieces', ['verify', 'chess'], /name the endings of chess, or give --pieces N/],
  ['no pieces in the file', ['solve', file('bad-pieces.json')], /bad-pieces\.json: pieces: /],
  ['unknown strategy', ['solve', 'chess', 'KQK', '--propagate', 'guess'], /'guess' is invalid/],
  ['unknown unit', ['solve', 'chess', 'KQK', '--memory', '3XB'], /memory: "3XB" is not a size/],
  ...sweep(
    ['solve chess KQK', 'compare chess KQK', 'verify x.jsonl'],
    [
      'verify chess KQK',
      'plan chess KQK',
      'rank chess KQK --rank 0 --ranks 1 --job x',
      'solve x.jsonl',
      'export x.jsonl --out y.jsonl',
    ],
  ).map((words): [string, string[], RegExp] => [
    `little memory: ${words}`,
    [...words.split(' '), '--memory', '64KiB'],
    /^mergemate: --memory: 65536 bytes are too few, at least 1MiB is needed\n$/,
  ]),
  ['a unit that every object has', ['probe', 'chess', legal, '--cache', '5constructor'], /is not a size/],
  ['no workers', ['solve', 'chess', 'KQK', '--workers', '0'], /--workers: "0"/],
  ['half a worker', ['solve', 'chess', 'KQK', '--workers', '1.5'], /--workers: "1.5"/],
  ['fan-in of 1', ['solve', 'chess', 'KQK', '--fan-in', '1'], /--fan-in: "1"/],
  ['negative batch', ['solve', 'chess', 'KQK', '--batch', '-5'], /--batch/],
  ['job file that is not there', ['solve', 'nowhere.json'], /no file nowhere\.json/],
  ['folder for a job file', ['solve', './test'], /is a folder/],
  ['unknown key', ['solve', file('unknown-key.json')], /unknown-key\.json: unknown key "memry"/],
  ['no endings in the file', ['solve', file('no-endings.json')], /no-endings\.json: endings: /],
  ['wrong choice', ['solve', file('bad-metric.json')], /bad-metric\.json: metric: chess has no "dtx"/],
  ['wrong item', ['solve', file('bad-ending.json')], /bad-ending\.json: endings\[1\]: /],
  ['little memory in the file', ['solve', file('little-memory.json')], /little-memory\.json: memory: /],
  ['malformed JSON', ['solve', file('malformed.json')], /malformed\.json:2:14: malformed JSON/],
  ['JSON cut off', ['solve', file('cut-off.json')], /cut-off\.json:1:16: malformed JSON/],
  ['empty JSON', ['solve', file('empty.json')], /empty\.json:1:1: malformed JSON/],
  ['JSON that is no object', ['solve', file('array.json')], /array\.json: expected an object/],
  ['null for a job', ['solve', file('null.json')], /null\.json: expected an object with .*, not null$/m],
  ['no game in the file', ['solve', file('no-game.json')], /no-game\.json: game: is missing$/m],
  ...(
    [
      ['memory-list', 'memory: must be a size such as "64MiB", or a number of bytes, not a list'],
      ['one-ending', 'endings: must be a list of endings, such as ["KQKR"], not "KQK"'],
      ['verify-no', 'verify: must be true or false, not "no"'],
      ['long', `workers: must be a whole number from 1 to 256, not "${'a'.repeat(59)}…`],
      ['engine', 'engine: must be one of "local", "processes", not "locl"'],
      ['bad-workers', 'workers: must be a whole number from 1 to 256, not "two"'],
    ] as const
  ).map(([name, what]): [string, string[], RegExp] => [
    `a field of a job file: ${name}`,
    ['solve', file(`${name}.json`)],
    new RegExp(`job file .*: ${what.replace(/[[\]]/g, '\\$&')}\n$`),
  ]),
  [
    'a position without quotes',
    ['probe', 'chess', ...legal.split(' '), '--json'],
    /too many arguments .* Put the position in quotes: "8\/8\/8\/8\/8\/8\/2k5\/K6Q w - - 0 1"\n$/,
  ],
  [
    'conditions without quotes',
    ['export', 'chess', 'KQK', '--where', 'result=win', 'plies=3'],
    /--where need quotes/,
  ],
  ...(
    [
      ['solve ches KQK', 'chess'],
      ['stats chekers 1100', 'checkers'],
      ['slove chess KQK', 'solve'],
      ['solve chess KQK --metric dtcc', 'dtc'],
      ['solve chess KQvsKR', 'KQKR'],
      ['solve chess KQK --propagate cuont', 'count'],
      ['solve chess KQK --metrc dtm', '--metric'],
      ['export chess KQK --columns positon', 'position'],
      ['export chess KQK --where resutl=win', 'result'],
      ['export chess KQK --where result=wni', 'win'],
      ['publish chess KQK --as sit', 'site'],
      ['compare chess KQK --solvers sotr', 'sort'],
      ['compare chess KQK --device nvm', 'nvme'],
    ] as const
  ).map(([words, meant]): [string, string[], RegExp] => [
    `${words}: did you mean ${meant}`,
    [...words.split(' '), '--store', store],
    new RegExp(`\\(Did you mean ${meant}\\?\\)\n$`),
  ]),
  ...sweep(
    [
      'stats chess KQK --html',
      'serve --host',
      'study',
      'solve chess KQK --store',
      'scrub --remove chess/KQK --remove',
    ],
    [
      'probe chess --file',
      'serve --allow-host',
      'serve --game',
      'solve chess KQK --scratch',
      'study x.pgn --out',
      'verify',
      'rank chess KQK --job',
    ],
  ).map((words): [string, string[], RegExp] => [
    `nothing behind ${words}`,
    [...words.split(' '), ''],
    /^mergemate: (?:--[a-z-]+|argument '[a-z]+') must not be empty\n$/,
  ]),
  ...(
    [
      ['stats chess KQK --html s3://bucket/x', '--html takes a path, not an address'],
      ['solve chess KQK --scratch file:///tmp/x', '--scratch takes a path, not an address'],
      ['publish chess KQK --as site --to s3://bucket/x', '--as site needs a folder'],
      ['solve chess KQK --logs x', '--logs is for what ranks write'],
      ['solve chess KQK --name x', '--name is for graphs'],
      ['solve chess KQK --disk 5', '--disk goes with --to'],
      ['plan chess KQK --decided 0.5', '--decided goes with --estimate'],
      ['plan chess KQK --bandwidth 1MB', '--bandwidth goes with --estimate'],
      ['plan chess KQK --compare-stops', '--compare-stops goes with --from'],
      ['stats chess KQK --force', '--force goes with --html'],
      ['study x.pgn --force', '--force goes with --out'],
      ['scrub --delete', '--delete goes with --collect or --remove'],
      ['scrub --older-than 2h', '--older-than goes with --collect'],
      ['scrub --workers 2', '--workers goes with --repair'],
      ['publish chess KQK --workers 2', '--workers goes with --as syzygy'],
      ['publish chess KQK --as syzygy --no-verify', '--no-verify goes with --as compact'],
      [
        'publish chess KQK --no-verify --verify-by moves',
        "--verify-by <what>' cannot be used with option '--no-verify",
      ],
      [
        'verify chess KQK --rules',
        '--rules is for keyed games: verification of KQK, dtm computes every move',
      ],
      ['verify chess KQK --published nowhere', 'nowhere: there is no such folder'],
      ['probe chess ?', 'FEN "\\?": a placement must have 8 ranks, not 1'],
      ['plan town.jsonl', 'town.jsonl: this needs a game, not a file of a graph'],
      ['check five.json', 'five.json: this needs a game, not a file of a graph'],
      ['help metrics dtm', 'help metrics is one page: it goes without "dtm"'],
      ['--', 'no command given'],
      ['study nowhere.pgn', 'there is no file nowhere.pgn'],
      ['study ./test', './test is a folder, not a file'],
      ['probe chess --file ./test', './test is a folder, not a file'],
      ['serve --log ./test', './test: cannot be written: it is a folder, not a file'],
    ] as const
  ).map(([words, message]): [string, string[], RegExp] => [
    words,
    [...words.split(' '), ...(/^(?:plan|check|help|--)/.test(words) ? [] : ['--store', store])],
    new RegExp(message.replace(/[.]/g, '\\.')),
  ]),
  ['unknown game in the file', ['solve', file('other-game.json')], /other-game\.json: .*no game "go"/],
  ['unknown scheme', ['stats', 'chess', 'KQK', '--store', 'ftp://host/tables'], /"ftp:" is not supported/],
  ['object storage without a bucket', ['stats', 'chess', 'KQK', '--store', 's3://'], /bucket is missing/],
  [
    'unknown setting of object storage',
    ['solve', 'chess', 'KQK', '--store', 's3://bucket?regoin=x'],
    /unknown setting "regoin"/,
  ],
  [
    'compare in object storage',
    ['compare', 'chess', 'KQK', '--store', 's3://bucket'],
    /s3:\/\/bucket: compare works in a folder only/,
  ],
  [
    'compare with a page in a folder that is not there, before anything is measured',
    ['compare', 'chess', 'KQK', '--store', store, '--html', file('nod/x.html')],
    /^mergemate: --html .*nod\/x\.html: there is no folder .*nod\n$/,
  ],
  ['store without a path', ['stats', 'chess', 'KQK', '--store', 'file:'], /path is missing/],
  [
    'store that is a file',
    ['solve', 'chess', 'KQK', '--store', file('array.json')],
    /is a file, not a folder/,
  ],
  ...[
    ['solve', 'chess', 'KQK', '--store', file('array.json/x')],
    ['solve', 'chess', 'KQK', '--store', store, '--scratch', file('array.json/x/y')],
    ['compare', 'chess', 'KRK', '--store', file('array.json/x')],
  ].map((args): [string, string[], RegExp] => [
    `${args[0]} in a path through a file`,
    args,
    /array\.json\/[xy/]+: [^ ]*array\.json is a file, not a folder/,
  ]),
  [
    'a store to read in a path through a file',
    ['stats', 'chess', 'KQK', '--store', file('array.json/x')],
    /array\.json\/x: there is no such folder/,
  ],
  [
    'Syzygy files in a folder that is not there',
    ['probe', 'chess', legal, '--syzygy', file('nowhere')],
    /nowhere: there is no such folder\n$/,
  ],
  [
    'scratch that is a file',
    ['solve', 'chess', 'KQK', '--store', store, '--scratch', file('array.json')],
    /is a file/,
  ],
  [
    'not solved',
    ['stats', 'chess', 'KRK', '--store', store],
    /KRK is not solved for dtm in file:.*mergemate solve chess KRK/,
  ],
  [
    'not all solved',
    ['stats', 'chess', '--pieces', '3', '--store', store],
    /9 of 10 slices are not solved for dtm in file:.*, KRK among them: run "mergemate solve chess --pieces 3 --metric dtm" first/,
  ],
  [
    'not all solved, to verify',
    ['verify', 'chess', 'KQK', 'KBK', '--store', store],
    /1 of 2 slices .* run "mergemate solve chess KQK KBK --metric dtm" first/,
  ],
  [
    'not solved for this metric',
    ['verify', 'chess', 'KQK', '--metric', 'dtc', '--store', store],
    /not solved for dtc/,
  ],
  ...sweep(
    [
      'stats chess KQK',
      'status',
      'probe chess 8/8/8/8/8/8/2k5/K6Q',
      'scrub --collect',
      'probe town.jsonl a',
      'serve',
    ],
    [
      'verify chess KQK',
      'probe --line chess 8/8/8/8/8/8/2k5/K6Q',
      'export chess KQK --where longest',
      'stats chess KQK --html r',
      'export chess KQK --out x.parquet',
      'publish chess KQK',
      'publish chess KQK --as syzygy --to s',
      'stats town.jsonl',
    ],
  ).map((words): [string, string[], RegExp] => [
    `store that is not there: ${words}`,
    [...words.split(' '), '--store', file('nowhere')],
    /nowhere: there is no such folder: solve an ending into it first/,
  ]),
  ['neither FEN nor file', ['probe', 'chess', '--store', store], /either a position/],
  ['FEN and file', ['probe', 'chess', legal, '--file', 'x', '--store', store], /either a position/],
  ['no FEN', ['probe', 'chess', 'hello', '--store', store], /FEN "hello"/],
  [
    'illegal position',
    ['probe', 'chess', '8/8/8/8/8/8/1k6/K6Q w - - 0 1', '--store', store],
    /kings are adjacent/,
  ],
  [
    'too many men on the board',
    ['probe', '--line', 'chess', '4k3/8/8/8/8/PPPPPPP1/PPPP4/4K3 w - - 0 1', '--store', store],
    /no table has 13 men/,
  ],
  [
    'file of positions that is not there',
    ['probe', 'chess', '--file', file('nowhere'), '--store', store],
    /there is no file .*nowhere\n$/,
  ],
  [
    'a line without distances',
    ['probe', '--line', 'chess', legal, '--metric', 'wdl', '--store', store],
    /wdl holds no distances/,
  ],
  [
    'no format',
    ['export', 'chess', 'KQK', '--out', file('x'), '--store', store],
    /--out .*x does not end in the name of a format/,
  ],
  [
    'unknown format',
    ['export', 'chess', 'KQK', '--format', 'ods', '--out', file('x'), '--store', store],
    /'ods' is invalid/,
  ],
  [
    'binary to stdout',
    ['export', 'chess', 'KQK', '--format', 'arrow', '--out', '-', '--store', store],
    /standard output takes text, not arrow/,
  ],
  [
    'no folder for it',
    ['export', 'chess', 'KQK', '--format', 'jsonl', '--out', file('a/b'), '--store', store],
    /no folder/,
  ],
  [
    'a file in the way',
    ['export', 'chess', 'KQK', '--format', 'jsonl', '--out', file('array.json'), '--store', store],
    /--force/,
  ],
])('%s', async (_what, args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});

test.each([[], ['solve'], ['stats'], ['probe'], ['study'], ['verify'], ['export']])(
  'help of "%s"',
  async (...command) => {
    const { code, stdout, stderr } = await run([...command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: mergemate');
    if (command.length > 0) expect(stdout).toMatch(/--json[\s\S]*--/);
  },
);

test('capital letters in a metric are no mistake', async () => {
  const args = ['probe', 'chess', legal, '--json'];
  expect(await mergemate.succeed([...args, '--metric', 'DTM'])).toBe(
    await mergemate.succeed([...args, '--metric', 'dtm']),
  );
});
