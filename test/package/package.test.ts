/** The published package: what is in it, and the tarball installed in an empty folder, as a library and as a command. */

import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder, testFolder } from '../support/folders.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';

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

/** Names that bundled libraries try to load where they are tested themselves. */
const NOT_LOADED = ['internal/test/binding'];

interface Node {
  readonly type: string;
  readonly source?: Node | null;
  readonly callee?: Node & { readonly name?: string };
  readonly arguments?: readonly Node[];
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** What a module imports or requires by a name that is written there. */
function namesLoaded(code: string): string[] {
  const names: string[] = [];
  const add = (node: Node | null | undefined) => {
    const name = node?.type === 'TemplateLiteral' ? node.quasis![0].value.cooked : node?.value;
    if (typeof name === 'string') names.push(name);
  };
  const isRequire = (callee: Node['callee']): boolean =>
    /^(?:_*require|createRequire)\d*$/.test(callee?.name ?? '') ||
    (callee?.type === 'CallExpression' && isRequire(callee.callee));
  function visit(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) {
      const node = value as Node;
      if (/^(Import|Export)/.test(node.type)) add(node.source);
      if (node.type === 'CallExpression' && isRequire(node.callee)) add(node.arguments?.[0]);
    }
    for (const each of Object.values(value)) visit(each);
  }
  visit(parseAst(code));
  return names;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

async function pack(folder: string): Promise<Packed> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await exec('npm', args, { maxBuffer: 1 << 26 });
  return (JSON.parse(stdout) as [Packed])[0];
}

/** Types with rows in memory have classes among their fields, which two declarations never share. */
const IN_MEMORY = /^(?:(?:Stride|Read|Resolved)(?:Part|Manifest)|(?:Sent|Round)Manifest)$/;

/**
 * A module that compiles if each type that is inferred from the shape of a record is the same in the installed declarations as it is
 * in the sources, where zod infers it.
 */
function shapeComparison(root: string): string {
  const modules = readdirSync(join(root, 'dist/pipeline'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => ({ name, text: readFileSync(join(root, 'dist/pipeline', name), 'utf8') }));
  const lines = modules.flatMap(({ name, text }, i) => {
    const types = [...text.matchAll(/^export type (\w+) = z\.infer/gm)]
      .map(([, type]) => type)
      .filter((type) => !IN_MEMORY.test(type));
    if (types.length === 0) return [];
    const module = name.replace(/\.d\.ts$/, '.js');
    return [
      `import type * as installed${i} from ${JSON.stringify(`./node_modules/mergemate/dist/pipeline/${module}`)};`,
      `import type * as source${i} from ${JSON.stringify(resolve('pipeline', module))};`,
      ...types.map((type) => `same<installed${i}.${type}, source${i}.${type}>(true);`),
    ];
  });
  return `
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
declare function same<A, B>(are: Same<A, B>): void;
${lines.join('\n')}
`;
}

/** Calls the program by npx in a checkout: a build would make all files of dist anew. */
async function expectNoBuilds(at: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): Promise<void> {
  const build = () => {
    const { ino, mtimeMs } = statSync(join(at.cwd, 'dist/jobs/cli.js'));
    return `${ino} ${mtimeMs}`;
  };
  const before = build();
  for (let calls = 0; calls < 2; calls++) {
    const { stdout: printed } = await exec('npx', ['mergemate', '--version'], at);
    expect(printed.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    expect(build()).toBe(before);
  }
}

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
  const packedIn = newFolder();
  let packed: Packed;
  beforeAll(async () => {
    if (LONG) packed = await pack(packedIn);
  });
  afterAll(() => rmSync(packedIn, { recursive: true, force: true }));

  it('depends on what the program loads, and on nothing else', () => {
    const loaded = ['dist/jobs', 'dist/pipeline'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .flatMap((name) => namesLoaded(readFileSync(join(folder, name), 'utf8'))),
    );
    const packages = loaded.filter(
      (name) => !name.startsWith('.') && !isBuiltin(name) && !NOT_LOADED.includes(name),
    );
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it.skipIf(!LONG)(`has all files that its pages link to${ifShort}`, () => {
    const paths = packed.files.map(({ path }) => path);
    const isThere = (target: string) =>
      paths.some((path) => path === target || path.startsWith(`${target}/`));
    const pages = paths.filter((path) => path.endsWith('.md'));
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/design/rounds.md', 'CONTRIBUTING.md']));
    const dead = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
        .map(([, target]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => normalize(join(dirname(page), target)))
        .filter((target) => !isThere(target.replace(/\/$/, '')))
        .map((target) => `${target} in ${page}`),
    );
    expect(dead).toEqual([]);
  });

  it.skipIf(!LONG)(
    `is installed, typed, and solves KRK by its API and its command${ifShort}`,
    async (test) => {
      const folder = testFolder();
      if (!(await canInstall(folder, join(packedIn, packed.filename)))) test.skip('npm cannot install here');

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
      const compile = async (file: string, options: object) => {
        const compilerOptions = { target: 'ES2023', module: 'NodeNext', strict: true, ...options };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
        await exec(process.execPath, [resolve('node_modules/typescript/lib/tsc.js')], { cwd: folder }).catch(
          (error) => {
            throw new Error(error.stdout);
          },
        );
      };
      // No types but the package's own: neither those of Node nor those of a library.
      await compile('program.ts', { types: [], skipLibCheck: false });
      const comparison = shapeComparison(root);
      expect(comparison.match(/^same</gm)?.length).toBeGreaterThan(30);
      writeFileSync(join(folder, 'shapes.ts'), comparison);
      await compile('shapes.ts', {
        noEmit: true,
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
        // As the sources are compiled.
        lib: ['ES2023', 'ES2024.SharedMemory', 'DOM'],
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
      });
      const listed = await exec('npm', ['ls', '--omit=dev', '--all', '--json'], { cwd: folder });
      expect(JSON.parse(listed.stdout).problems).toBeUndefined();
      const exited = await exec(process.execPath, ['program.js'], { cwd: folder });
      expect(JSON.parse(exited.stdout)).toEqual({
        slices: [
          ['KK', 924],
          ['KRK', 50_015],
        ],
        value: { wdl: 'win', plies: 1 },
      });

      const cli = join(folder, 'node_modules', '.bin', 'mergemate');
      const solved = await exec('npx', ['mergemate', 'solve', 'KRK', '--json'], { cwd: folder });
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

  // .ci/run has the package built by npm in a clone, too, and test/package/image.test.ts by the Containerfile.
  it.skipIf(!LONGEST)(
    `is built once in a clone, whatever npx does later${ifNotLongest}`,
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
      await expectNoBuilds(at);
    },
    600_000,
  );

  it.skipIf(!LONG)(`is not built again by npx in a checkout that has it${ifShort}`, () =>
    expectNoBuilds({ cwd: resolve('.') }),
  );
});
