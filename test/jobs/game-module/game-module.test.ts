import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importModule } from '../../../jobs/game-module/import-module.js';
import { pageScript } from '../../../jobs/game-module/page-script.js';
import { NotPlain, translate } from '../../../jobs/game-module/translate.js';

const offered = new Set(['keyedGame', 'UserError']);
const path = '/games/game.ts';

test('a plain module keeps its lines and loses its types', () => {
  const { code } = translate(
    [
      '// A module of using words that await nothing.',
      `import { keyedGame, type Side } from 'mergemate';`,
      'enum Piece { none, man }',
      'interface Board { readonly squares: readonly Piece[] }',
      'export const first = (board: Board) => board.squares[0]! as Piece;',
      'export default keyedGame;',
    ].join('\n'),
    path,
    offered,
  );
  expect(code).not.toContain('Board');
  expect(code.split('\n')[4]).toContain('first');
});

test.each([
  ['a name that the part for games does not offer', `import { solve } from 'mergemate';\nsolve();`],
  ['the whole package', `import * as all from 'mergemate';\nexport default all;`],
  ['the package handed on', `export * from 'mergemate';`],
  ['another package', `import { z } from 'zod';\nexport default z;`],
  ['a namespace', 'namespace Rules { export const size = 3; }\nexport default Rules.size;'],
  ['await at the top', 'export default await Promise.resolve(3);'],
  ['its own address', 'export default import.meta.url;'],
  ['a module imported later', `export default () => import('./rules.ts');`],
  ['a value on the line behind its type', 'export default () => {\n  return <any>\n    3;\n};'],
  ['no program', 'export default { name: };'],
])('is refused as not plain: %s', (_, source) => {
  expect(() => translate(source, path, offered)).toThrow(NotPlain);
});

test.each([
  ['plain', '', ''],
  ['one that waits', 'await null;', ''],
  ['one that imports one that waits', '', 'await null;'],
])('the exports of a module are found: %s', async (_, here, there) => {
  const folder = mkdtempSync(join(tmpdir(), 'module-'));
  const counts = 'export let size: number = 2;\nexport const grow = () => size++;';
  const says = 'export default [size, typeof UserError, new UserError("no").message];';
  const imports = `import { UserError } from 'mergemate';\nimport { grow, size } from './sizes.ts';\ngrow();\n`;
  writeFileSync(join(folder, 'sizes.ts'), `${there}${counts}`);
  writeFileSync(join(folder, 'game.ts'), `${imports}${here}${says}`);
  const found = await importModule(join(folder, 'game.ts'), 'game.ts');
  expect(found.default).toEqual([3, 'function', 'no']);
});

test('a script for pages has all modules, and refuses imports that no page can load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'module-'));
  const game = join(folder, 'game.ts');
  writeFileSync(join(folder, 'sizes.ts'), 'export const size: number = 2;');
  writeFileSync(game, `import { size } from './sizes.js';\nexport default size;`);
  const made: { mergemateGame?: { main: string; modules: Record<string, { needs: object }> } } = {};
  new Function('globalThis', pageScript(game, {}))(made);
  expect(made.mergemateGame!.main).toBe('game.ts');
  expect(made.mergemateGame!.modules['game.ts'].needs).toEqual({ './sizes.js': 'sizes.ts' });
  writeFileSync(game, `import { readFileSync } from 'node:fs';\nexport default readFileSync;`);
  expect(() => pageScript(game, {})).toThrow('game.ts: a page cannot import "node:fs"');
  writeFileSync(game, 'export default await null;');
  expect(() => pageScript(game, {})).toThrow('game.ts: a page takes plain modules only');
});
