/** The C header of samples/checkers-probe says of positions what tables and published files say. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { publish } from '../../pipeline/share/publish/publish.js';
import { newPublishedProber } from '../../pipeline/tables/probe/published-prober.js';
import { finishPublication } from '../../pipeline/tables/published/catalogue.js';
import { openPublication } from '../../pipeline/tables/published/publication.js';
import { randomNumbers } from '../pipeline/games/chess/kernel-rows.js';
import { LONG, LONGEST } from '../support/long.js';
import { solveGame } from '../support/solving.js';

const NAMES = ['loss', 'draw', 'win'];
const hasCompiler = spawnSync('cc', ['--version']).status === 0;
const hasCpp = spawnSync('c++', ['--version']).status === 0;
const source = fileURLToPath(new URL('../../samples/checkers-probe/probe.c', import.meta.url));

describe.skipIf(!hasCompiler)('the C header', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-header-'));
  const program = join(folder, 'probe');
  // The short tests take two classes of three pieces: one of kings only, and one with a man.
  const endings = LONG
    ? checkers.endingsUpTo(3)
    : [...checkers.endingsUpTo(2), checkers.ending('2100'), checkers.ending('1110')];
  const slices = endings.flatMap((ending) => ending.slices);
  let solved: Awaited<ReturnType<typeof solveGame>>;

  beforeAll(async () => {
    const strict = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-fsanitize=address,undefined'];
    execFileSync('cc', ['-O1', ...strict, '-o', program, source]);
    solved = await solveGame(checkers, slices);
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const answersTo = (to: string, positions: readonly string[]) =>
    execFileSync(program, [to], { input: `${positions.join('\n')}\n`, encoding: 'utf8' })
      .trim()
      .split('\n');

  test.each([['packed', false], ['rows', true], ...(LONGEST ? ([['rows', false]] as const) : [])] as const)(
    'random positions have the values of the prober: %s, one side alone: %s',
    { timeout: 240_000 },
    async (codec, oneSide) => {
      const to = join(folder, `${codec}-${oneSide}`);
      const store = localStore(to, { durable: false });
      const { catalogue } = await publish({
        game: checkers as Game,
        store: solved.store,
        to: store,
        slices,
        codec,
        oneSide,
        metric: 'dtw',
        progress: () => {},
      });
      await finishPublication(store, catalogue);
      const publication = await openPublication(store, checkers as Game);
      const orders = new Set<number>();
      for (const { slice, side } of catalogue.files)
        orders.add((await publication.file(slice, side)).head.order);
      if (codec === 'rows') expect(orders.size).toBeGreaterThanOrEqual(LONG ? 4 : 2);
      else expect([...orders]).toEqual([0]);
      const prober = newPublishedProber({
        game: checkers,
        publication,
        cacheBytes: 1 << 24,
        positionBytes: 0,
      });
      const random = randomNumbers(11);
      const positions = Array.from({ length: LONGEST ? 10_000 : LONG ? 4_000 : 2_000 }, () => {
        const slice = slices[random() % slices.length];
        const { size, width } = checkers.slice(slice);
        const index = random() % size;
        const at = {
          slice,
          side: (random() & 1) as Side,
          part: Math.floor(index / width),
          key: index % width,
        };
        return checkers.format(checkers.board(at));
      });
      const wanted: string[] = [];
      for (const position of positions)
        wanted.push(NAMES[(await prober.value(checkers.parse(position))) + 1]);
      expect(answersTo(to, positions)).toEqual(wanted);
      expect(new Set(wanted).size).toBe(3);
    },
  );

  test('illegal positions and missing files are answered as such', () => {
    const positions = ['B:W1:B2', 'W:WK1:BK2,K3,K4', 'B:WK1,K2:BK1'];
    expect(answersTo(join(folder, 'nowhere'), positions)).toEqual(['illegal', 'missing', 'illegal']);
  });

  test('a square that is named twice is illegal, whatever stands there', () => {
    const positions = [
      'W:W31,31:B5',
      'W:W31,K31:B5',
      'W:WK31,K31:B5',
      'B:W31:BK5,5',
      'B:W31:B5,5',
      'W:W31:B31',
    ];
    expect(answersTo(join(folder, 'nowhere'), positions)).toEqual(positions.map(() => 'illegal'));
  });

  test('files of the codec huffman are refused by that name, others beside them are read', async () => {
    const to = join(folder, 'huffman');
    const store = localStore(to, { durable: false });
    const { catalogue } = await publish({
      ...{ game: checkers as Game, store: solved.store, to: store, slices, codec: 'huffman', oneSide: false },
      ...{ metric: 'dtw', progress: () => {} },
    });
    await finishPublication(store, catalogue);
    const position = 'B:WK3:BK31,K32';
    expect(answersTo(to, [position])).toEqual(['codec huffman is not read by this header']);
    const [file] = readdirSync(join(to, 'checkers')).filter((name) => name.startsWith('2100.black'));
    const path = join(to, 'checkers', file);
    const bytes = readFileSync(path);
    bytes[bytes.length - 20] ^= 1;
    writeFileSync(path, bytes);
    expect(answersTo(to, [position])).toEqual(['damaged']);
  });

  test.skipIf(!hasCpp)('compiles as C++ without a warning, with the same answers', () => {
    const other = join(folder, 'probe-cpp');
    const strict = ['-std=c++11', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];
    execFileSync('c++', ['-O1', ...strict, '-x', 'c++', '-o', other, source]);
    const input = 'B:W1:B2\nW:WK1:BK2,K3,K4\n';
    expect(execFileSync(other, [join(folder, 'nowhere')], { input, encoding: 'utf8' })).toBe(
      'illegal\nmissing\n',
    );
  });
});
