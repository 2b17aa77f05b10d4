/** A `!` says that the author knows more than the compiler. Where the compiler knows as much, it says nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ifShort, LONG } from '../support/long.js';
import { idleAssertions } from './idle-assertions.js';

test.skipIf(!LONG)(`every "!" of the sources is needed by the compiler${ifShort}`, () => {
  expect(idleAssertions(['tsconfig.json', 'jobs/web/tsconfig.json'])).toEqual([]);
});

test('a `!` that the compiler does not need is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'idle-assertions-'));
  const code = [
    'const list: number[] = [];',
    'const map = new Map<string, number>();',
    'declare const any: any;',
    'let late: number;',
    'const set = () => { late = 1; };',
    'export function of<T>(value: T, maybe: T | null) {',
    '  set();',
    '  return [list[0]!, list.at(-1)!, map.get("")!, any!, late!, value!, maybe!, list!.length];',
    '}',
  ];
  writeFileSync(join(folder, 'a.ts'), code.join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, types: [] } }),
  );
  try {
    const found = idleAssertions([join(folder, 'tsconfig.json')]);
    expect(found.map(({ text }) => text)).toEqual(['list[0]!', 'list!']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
