/** Games in Python (samples/python), by a real python3; where there is none, these tests skip and say so. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keyedGame } from 'mergemate';
import { afterAll, describe, expect, test } from 'vitest';
import { connectFour } from '../../samples/connect-four/rules.js';
import { CLI, type ProcessResult, start } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { naiveValues, withoutSymmetries } from '../support/naive-keyed.js';

const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0;
const skipped = hasPython ? '' : ' (skipped: there is no python3, or it is older than 3.9)';
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMAND = `${process.execPath} ${CLI}`;
const CONNECT_FOUR = 'samples/python/connect_four.py';

function python(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessResult> {
  const child = spawn('python3', args, {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONPATH: resolve('samples/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      MERGEMATE: COMMAND,
      ...env,
    },
  });
  const out = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      out[stream] += text;
    });
  return new Promise((done) => {
    child.on('close', (code, signal) => done({ code, signal, ...out }));
  });
}

/** The last line of an error, and what was printed before. */
async function runs(code: string, env?: NodeJS.ProcessEnv): Promise<string> {
  const { code: exit, stdout, stderr } = await python(['-c', `${PREAMBLE}\n${code}`], env);
  if (exit !== 0) throw new Error(stderr);
  return stdout;
}

type Case = [what: string, code: string, message: RegExp];

/** Race to ten by steps of one or two, the names of which begin with "-"; and the same with points. */
const PREAMBLE = `
from mergemate import *
import json

class Race(Game):
    name = "race"
    def roots(self): return [0]
    def mover(self, at): return at % 2
    def moves(self, at): return [(f"+{step}", at + step) for step in (1, 2) if at + step <= 10]

class Points(Game):
    name = "points"
    players = ("max", "min")
    def roots(self): return [("", 0)]
    def mover(self, position): return position[1]
    def moves(self, position): return [("take " + s, (position[0] + s, 1 - position[1])) for s in "ab"]
    def ended(self, position): return len(position[0]) == 3
    def score(self, position): return position[0].count("a") - 2 * position[0].count("b")
    def key(self, position): return "-" + "".join(sorted(position[0]))

def failing(game, **options):
    try:
        game.solve("failing", **options)
    except (MergemateError, RulesError) as error:
        print(type(error).__name__, error, sep=": ")
`;

test('docs/python.md shows the sample', () => {
  const page = readFileSync('docs/python.md', 'utf8');
  const [, code] = /```python\n(.*?)```/s.exec(page)!;
  expect(code).toBe(readFileSync(CONNECT_FOUR, 'utf8'));
});

describe.skipIf(!hasPython)(`a game in Python${skipped}`, () => {
  test('two heaps are lost where Wythoff found them', async () => {
    const { code, stdout, stderr } = await python([resolve('samples/python/two_heaps.py')]);
    expect([code, stderr]).toEqual([0, '']);
    const phi = (1 + Math.sqrt(5)) / 2;
    const lost = Array.from(
      { length: 9 },
      (_, k) => `(${Math.floor(k * phi)}, ${Math.floor(k * phi * phi)})`,
    );
    expect(stdout).toContain(`loses from [${lost.join(', ')}]`);
  });

  test.skipIf(!LONGEST)(
    `connect four on 4 x 4 has the published number of positions, and is drawn${ifNotLongest}`,
    async () => {
      const { stdout } = await python([resolve(CONNECT_FOUR)]);
      expect(stdout).toMatch(/^161029 positions\nx to move: draw\n/);
    },
  );

  test.skipIf(!LONG)(
    `connect four with three rows has as many positions as the naive solver finds, and its result${ifShort}`,
    async () => {
      const code = readFileSync(CONNECT_FOUR, 'utf8');
      const fewer = code.replace('ROWS, LINE = 4, 4, 4', 'ROWS, LINE = 4, 3, 4');
      expect(fewer).not.toBe(code);
      const game = keyedGame(connectFour(4, 3));
      const naive = naiveValues(withoutSymmetries(game));
      const [start] = game.roots();
      expect(naive.get(game.ownKeyOf(start))).toBe(0);
      const { stdout } = await python(['-c', fewer]);
      expect(stdout.split('\n').slice(0, 2)).toEqual([`${naive.size} positions`, 'x to move: draw']);
    },
  );

  test.skipIf(!LONG)(`has values for its players, moves by their names, and rows${ifShort}`, async () => {
    const shown = await runs(`
solved = Points().solve()
print(json.dumps([solved.positions, solved.metric, str(solved.roots[0]), [str(move) for move in solved.probe(("a", 1)).moves]]))
print(sorted((row["position"], row["score"], row["plies"]) for row in solved.rows(["position", "score", "plies"])))
print(solved.probe(("aab", 1)))
`);
    // Symmetric positions have one key: what was taken counts, not in which order. Max takes a, and Min b: 1 - 2 + 1 points.
    expect(shown.split('\n')).toEqual([
      '[10, "score", "max to move: draw", ["take b: draw", "take a: loss by 3 in 2 plies"]]',
      "[('-', 0, None), ('-a', 0, None), ('-aa', 3, 1), ('-aaa', -3, 0), ('-aab', 0, None), ('-ab', 0, None), " +
        "('-abb', 3, 0), ('-b', 3, 2), ('-bb', -3, 1), ('-bbb', 6, 0)]",
      'min: draw',
      '',
    ]);
  });

  test.skipIf(!LONG)(`is looked up in published files, without its store${ifShort}`, async () => {
    const shown = await runs(`
import os
solved = Points().solve("stored")
solved.publish("small")
os.rename("stored", "elsewhere")
published = Published("small", Points())
print(published.probe(("a", 1)), *sorted(move.outcome for move in published.probe(("a", 1)).moves))
try: published.probe(("ababab", 1))
except MergemateError as error: print(error)
`);
    expect(shown).toMatch(/^min to move: draw draw loss\n.*"-aaabbb"\n$/);
  });

  test.skipIf(!LONG)(`goes on from the values of another table${ifShort}`, async () => {
    const shown = await runs(`
class LookedUp(Race):
    name = "looked-up"
    def ended(self, at): return (WON, 12) if at == 5 else (LOST, 3) if at == 6 else None
print(LookedUp().solve().probe(4))
class Wrong(LookedUp):
    def ended(self, at): return (DRAWN, 2)
failing(Wrong())
`);
    // The same side moves at 4 and 6, and loses in 4 plies there.
    expect(shown.split('\n')).toEqual([
      'first to move: loss in 13 plies',
      "RulesError: looked-up: 0: ended is ('drawn', 2), not 'won', 'lost', 'drawn' or None, nor ('won', plies) or ('lost', plies)",
      '',
    ]);
  });

  test.skipIf(!LONG)(`is looked up over HTTP as in its store${ifShort}`, async () => {
    await runs('Race().solve("served"); Points().solve("served")');
    const { child, ended } = start(['serve', '--store', join(folder, 'served'), '--port', '0', '--json']);
    try {
      const port = await new Promise<string>((done) => {
        let out = '';
        child.stdout!.on('data', (text: string) => {
          out += text;
          const found = /http:\/\/[^:"]*:(\d+)/.exec(out)?.[1];
          if (found !== undefined) done(found);
        });
      });
      const shown = await runs(`
race, points = Server("http://127.0.0.1:${port}", Race()), Server("http://127.0.0.1:${port}/", Points())
solved = Race().solve("served")
print(race.probe(8) == solved.probe(8), race.probe(8), *race.probe(8).moves, sep="; ")
print(points.probe(("", 0)))
try: race.probe(11)
except MergemateError as error: print(error)
`);
      expect(shown.split('\n')).toEqual([
        'True; first to move: loss in 2 plies; +1: loss in 2 plies; +2: loss in 1 ply',
        'max to move: draw',
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+: 400: .*11/),
        '',
      ]);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(
      await runs(
        'try: Server("http://127.0.0.1:9", Race()).probe(1)\nexcept MergemateError as error: print(error)',
      ),
    ).toMatch(/^http:\/\/127\.0\.0\.1:9 does not answer: /);
  });

  test.skipIf(!LONG)(`is exported, and read by Polars or pandas if they are there${ifShort}`, async () => {
    const shown = await runs(`
solved = Race().solve("exported")
print(list(FORMATS))
for ending in (".parquet", ".csv"): print(solved.export("rows" + ending).stat().st_size > 0)
try: solved.export("rows.txt")
except ValueError as error: print(error)
try: print(sorted(solved.frame()["plies"].to_list()))
except MergemateError as error: print(error)
`);
    expect(shown.split('\n')).toEqual([
      "['.parquet', '.arrow', '.csv', '.jsonl']",
      ...['True', 'True'],
      'rows.txt: the name must end in .parquet, .arrow, .csv, .jsonl',
      expect.stringMatching(/^\[0, 1, 1, 2, .*\]$|^frame needs Polars or pandas: pip install polars$/),
      '',
    ]);
    expect(existsSync(join(folder, 'rows.parquet'))).toBe(true);
    expect(readFileSync(join(folder, 'rows.csv'), 'utf8').split('\n')).toHaveLength(13);
  });

  const rulesAtFault: readonly Case[] = [
    [
      'a function that raises',
      'Race.moves = lambda self, at: [at + 5 // (5 - at)]\nfailing(Race())',
      /^RulesError: race: moves of 5 fails: ZeroDivisionError/,
    ],
    [
      'a function that is not there',
      'del Race.roots\nfailing(Race())',
      /^RulesError: race: Race has no function roots$/,
    ],
    [
      'a key that forgets something',
      'Race.key = lambda self, at: at % 9\nfailing(Race())',
      /^RulesError: race: 0 and 9 have the key 0, but mover is not the same$/,
    ],
    ['no roots', 'Race.roots = lambda self: []\nfailing(Race())', /^RulesError: race: there are no roots$/],
    [
      'no player',
      'Race.mover = lambda self, at: "first"\nfailing(Race())',
      /^RulesError: race: 0: mover is 'first', not 0 or 1$/,
    ],
    [
      'no end',
      'Race.ended = lambda self, at: "over"\nfailing(Race())',
      /^RulesError: race: 0: ended is 'over', not 'won', 'lost', 'drawn' or None, nor \('won', plies\) or \('lost', plies\)$/,
    ],
    [
      'no key',
      'Race.key = lambda self, at: 1.5\nfailing(Race())',
      /^RulesError: race: 0: key is 1.5, not a text/,
    ],
    [
      'too many points',
      'Points.score = lambda self, p: 126\nfailing(Points())',
      /^RulesError: points: \('aaa', 1\): score is 126/,
    ],
    [
      'a game without an end',
      'Race.moves = lambda self, at: [at + 1]\nfailing(Race(), at_most=1000)',
      /^RulesError: race: more than 1000 positions, at 1000$/,
    ],
  ];
  const refusedByMergemate: readonly Case[] = [
    [
      'a name that mergemate refuses',
      'failing(Race(), name="a/b")',
      /^MergemateError: "a\/b" cannot be a graph's name/,
    ],
    [
      'a metric that mergemate refuses',
      'failing(Race(), metric="score")',
      /^MergemateError: race has no scores/,
    ],
    [
      'other rules under a name',
      'Race().solve("failing")\nRace.stuck = DRAWN\nfailing(Race())\nprint(Race().solve("failing", again=True).roots[0])',
      /^MergemateError: graph race .* was not made from standard input as it is now: --again.*\nfirst to move: draw$/,
    ],
    [
      'a position that no game leads to',
      'try: Race().solve("failing", name="other").probe(11)\nexcept MergemateError as error: print(error)',
      /^graph other has no node 11$/,
    ],
  ];
  /** What each case prints, in one process: a class that one of them changes is made anew for the next. */
  async function expectRaised(cases: readonly Case[]): Promise<void> {
    const codes = JSON.stringify(cases.map(([, code]) => `${PREAMBLE}\n${code}`));
    const shown = await runs(`
for code in json.loads(${JSON.stringify(codes)}):
    exec(code, {"__name__": "case"})
    print("and")
`);
    const printed = shown.split('and\n').slice(0, -1);
    expect(cases.map(([what], i) => [what, printed[i].trimEnd()])).toEqual(
      cases.map(([what, , message]) => [what, expect.stringMatching(message)]),
    );
  }
  test('without a command mergemate raises one line', async () => {
    const shown = await runs('failing(Race())', { MERGEMATE: 'nowhere' });
    expect(shown.trimEnd()).toBe('MergemateError: there is no command nowhere');
  });
  test('with rules at fault raises one line', () => expectRaised(rulesAtFault));
  test.skipIf(!LONG)(`that mergemate refuses raises one line${ifShort}`, () =>
    expectRaised(refusedByMergemate),
  );

  test('that fails leaves no graph of a part of its positions', async () => {
    await runs('Race.moves = lambda self, at: [at + 5 // (5 - at)]\nfailing(Race(), name="partly")');
    const { ended } = start(['probe', 'partly', '0', '--store', join(folder, 'failing')]);
    expect((await ended).code).toBe(2);
  });
});
