/** The published package: the tarball, installed in an empty folder, as a library and as a command. */

import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../support/folders.js';
import { ifShort, LONG } from '../support/long.js';

const exec = promisify(execFile);

/** Solves KRK with the library alone, and prints how long mate takes from a position. */
const PROGRAM = `
import { chess, inlineEngine, memoryStore, newProber, newScratch, solve, type Meter, type SliceSummary } from 'mergemate';

const store = memoryStore();
const meter: Meter = { wall: () => performance.now(), cpu: () => 0, peakRss: () => 0 };
const engine = inlineEngine(chess, store, newScratch(memoryStore(), 'example'));
const budget = { memory: 16 * 2 ** 20, fanIn: 16, batchRows: 65536 };
const solved: SliceSummary[] = await solve({
  game: chess, slices: ['KRK'], metric: 'dtm', strategy: 'count', verify: true,
  store, budget, engine, progress: () => {}, meter,
});
const prober = newProber({ game: chess, metric: 'dtm', store, cacheBytes: 1 << 20 });
const { wdl, plies } = await prober.probe(chess.parse('k7/8/1K6/8/8/8/8/7R w - - 0 1'));
console.log(JSON.stringify({ slices: solved.map(({ slice, verified }) => [slice, verified]), value: { wdl, plies } }));
`;

async function canInstall(folder: string, tarball: string): Promise<boolean> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const args = ['install', tarball, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await exec('npm', args, { cwd: folder });
    return true;
  } catch {
    return false;
  }
}

describe('the package', () => {
  it.skipIf(!LONG)(
    `is installed, typed, and solves KRK by its API and its command${ifShort}`,
    async (test) => {
      const folder = testFolder();
      const packed = await exec('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
      const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
      if (!(await canInstall(folder, join(folder, filename)))) test.skip('npm cannot install here');

      const root = join(folder, 'node_modules', 'mergemate');
      expect(readdirSync(join(root, 'dist')).sort()).toEqual([
        'game-page',
        'jobs',
        'operators',
        'pipeline',
        'web',
      ]);
      expect(existsSync(join(root, 'dist/web/index.html'))).toBe(true);
      expect(existsSync(join(root, 'dist/pipeline/index.d.ts'))).toBe(true);
      expect(existsSync(join(root, 'test'))).toBe(false);
      expect(readFileSync(join(root, 'dist/jobs/licences.txt'), 'utf8')).toContain('commander');

      writeFileSync(join(folder, 'program.ts'), PROGRAM);
      const settings = {
        target: 'ES2023',
        module: 'NodeNext',
        strict: true,
        types: ['node'],
        skipLibCheck: false,
      };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: settings, files: ['program.ts'] }),
      );
      // The types of Node come with a dependency.
      await exec(process.execPath, [resolve('node_modules/typescript/lib/tsc.js')], { cwd: folder }).catch(
        (error) => {
          throw new Error(error.stdout);
        },
      );
      const exited = await exec(process.execPath, ['program.js'], { cwd: folder });
      expect(JSON.parse(exited.stdout)).toEqual({
        slices: [
          ['KK', 924],
          ['KRK', 50_015],
        ],
        value: { wdl: 'win', plies: 1 },
      });

      const cli = join(folder, 'node_modules', '.bin', 'mergemate');
      const solved = await exec(cli, ['solve', 'chess', 'KRK', '--json'], { cwd: folder });
      expect(JSON.parse(solved.stdout)).toMatchObject({ slices: [{ slice: 'KK' }, { slice: 'KRK' }] });
      const game = join(root, 'samples', 'nim.ts');
      const nim = await exec(cli, ['solve', game, 'N2', '--workers', '2', '--json'], { cwd: folder });
      expect(JSON.parse(nim.stdout)).toMatchObject({ game: 'nim', metric: 'dtw' });
      const chomp = join(root, 'samples', 'chomp', 'game.ts');
      await exec(cli, ['solve', chomp], { cwd: folder });
      await exec(cli, ['publish', chomp, '--to', 'site', '--as', 'site'], { cwd: folder });
      expect(readdirSync(join(folder, 'site'))).toEqual(
        expect.arrayContaining(['chomp.dtw.values', 'game.js', 'index.html', 'page.js']),
      );
    },
  );

  it.skipIf(!LONG)(
    `is built once in a clone, whatever npx does later${ifShort}`,
    async (test) => {
      const clone = join(testFolder(), 'clone');
      const { stdout } = await exec('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
      for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(name))) {
        mkdirSync(dirname(join(clone, file)), { recursive: true });
        copyFileSync(file, join(clone, file));
      }
      const at = { cwd: clone, env: { ...process.env, npm_config_prefer_offline: 'true' } };
      try {
        await exec('npm', ['ci', '--no-audit', '--no-fund'], at);
      } catch (error) {
        if (/ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|E40[34]|ENOTCACHED/.test(String(error)))
          test.skip('npm cannot install here');
        throw error;
      }
      // A build makes all files of dist anew.
      const builds = new Set<string>();
      const note = () => {
        const { ino, mtimeMs } = statSync(join(clone, 'dist/jobs/cli.js'));
        builds.add(`${ino} ${mtimeMs}`);
      };
      note();
      for (let calls = 0; calls < 3; calls++) {
        const { stdout: printed } = await exec('npx', ['mergemate', '--version'], at);
        expect(printed.trim()).toMatch(/^\d+\.\d+\.\d+$/);
        note();
      }
      expect(builds.size).toBe(1);
    },
    600_000,
  );
});
